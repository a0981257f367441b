// Routes of a network, followed without simulation: that they arrive, how long they are, and
// whether channels can wait in a cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/dependencies.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Up to here all pairs of nodes are looked at. In larger networks a part stands for all where the
/// network has the symmetry; where none is known, the pairs from a sample of sources are looked at,
/// kSampledSources of them, fewer in networks of more than kSampledPairs / kSampledSources nodes.
inline constexpr std::uint32_t kExactNodes = 4096;
inline constexpr std::uint32_t kSampledSources = 256;
inline constexpr std::uint32_t kSampledPairs = 1u << 24;

/// What of a network is looked at.
enum class Coverage {
  kPairs,         ///< All pairs, or those from a sample of sources.
  kTranslations,  ///< One source for each class of `Graph::translations`.
  /// Dimension order: pairs on one line of each dimension. A route is made of ways along lines; all
  /// lines of a dimension are the same, and a way does not depend on those before it. As no way
  /// goes back to a dimension, a cycle of dependencies stays within a line.
  kLines,
};
Coverage coverage(const Graph& graph, std::uint32_t all_pairs_up_to = kExactNodes);

/// Ranks to start from, rising, and for how many each stands.
struct Sources {
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint64_t> weights;
};
/// All, or a fixed pseudo-random choice.
Sources analysed_sources(std::uint32_t nodes);
/// The first of each class of translations.
Sources class_sources(const Graph& graph);

/// The routes of a network, seen before cycle 0.
struct RouteCheck {
  std::uint64_t pairs = 0;  ///< Ordered pairs of nodes that were looked at or are known by these.
  bool sampled = false;     ///< Not all there are.
  std::string exact_by;     ///< Else: why these are all.
  std::vector<Channel> cycle;   ///< A cyclic channel dependency; empty: none.
  std::uint64_t distances = 0;  ///< Sum over `pairs`, as of TopoFigures.
  std::uint32_t diameter = 0;   ///< The largest.
};

/// Follows routes between nodes, also from a node to itself. Networks of at most `all_pairs_up_to`
/// nodes are looked at pair by pair, all of them; with kExactNodes or more sources may be sampled.
/// Throws CheckError where a route does not reach its destination.
RouteCheck check_routes(const Graph& graph, std::uint32_t all_pairs_up_to = kExactNodes);

/// VCs of a link without which the routing of a network of routers would have a cyclic channel
/// dependency, up to `most`; 0 where those do not suffice either. `known`: of check_routes, if it
/// is there.
std::uint32_t least_vcs(const Graph& graph, std::uint32_t most, const RouteCheck* known = nullptr,
                        std::uint32_t all_pairs_up_to = kExactNodes);

/// Sum of the shortest distances, by breadth-first search, over the pairs that check_routes looks
/// at.
std::uint64_t shortest_distances(const Graph& graph, std::uint32_t all_pairs_up_to = kExactNodes);

/// "xxb_0 out 3 -> yxb_3 in 0, waits for ...": a cycle of channels in words, with their VCs in
/// networks of routers; of a long one the first and the last, and the number of those between.
std::string cycle_in_words(const Graph& graph, const std::vector<Channel>& cycle);

}  // namespace weft
