// Routes of a network, followed without simulation: whether they reach their destinations, how long
// they are, and whether there is a cyclic channel dependency.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/dependencies.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Without a symmetry (sim/analysis/symmetry.hpp) all pairs of nodes are followed in networks of up
/// to this size. In larger ones only the pairs from a sample of sources are followed:
/// kSampledSources of them, fewer in networks of more than kSampledPairs / kSampledSources nodes.
inline constexpr std::uint32_t kExactNodes = 4096;
inline constexpr std::uint32_t kSampledSources = 256;
inline constexpr std::uint32_t kSampledPairs = 1u << 24;

/// Nodes in ascending order, and how many nodes each represents.
struct SomeNodes {
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint64_t> weights;
};
/// All sources, or a fixed pseudo-random choice.
SomeNodes analysed_sources(std::uint32_t nodes);
/// The first node of each class of translations.
SomeNodes class_nodes(const Graph& graph);

/// Properties of a network's routes.
struct RouteCheck {
  std::uint64_t pairs = 0;     ///< Ordered pairs of nodes that were followed or follow by symmetry.
  bool sampled = false;        ///< Not all pairs were followed.
  std::string exact_by;        ///< If not `sampled`: why these are all pairs.
  std::vector<Channel> cycle;  ///< A cyclic channel dependency; empty: none.
  std::uint64_t distances = 0;  ///< Sum over `pairs`, as of TopoFigures.
  std::uint32_t diameter = 0;   ///< The largest distance.
};

class RouteSharers;

/// Follows routes between nodes, also from a node to itself. A symmetry is used in networks of more
/// than `all_pairs_up_to` nodes. Throws CheckError if a route does not reach its destination.
/// `sharers`: other processes that call this at the same time, for the same network; if it has no
/// symmetry, each follows a part of the routes. All get the same result as a single process.
RouteCheck check_routes(const Graph& graph, std::uint32_t all_pairs_up_to = 0,
                        RouteSharers* sharers = nullptr);

/// The least number of VCs of a link, up to `most`, with which the routing of a network of routers
/// has no cyclic channel dependency; 0 if `most` do not suffice. `known`: result of check_routes,
/// if available.
std::uint32_t least_vcs(const Graph& graph, std::uint32_t most, const RouteCheck* known = nullptr,
                        std::uint32_t all_pairs_up_to = 0);

/// Sum of the shortest distances, by breadth-first search, over the pairs of check_routes.
std::uint64_t shortest_distances(const Graph& graph, std::uint32_t all_pairs_up_to = 0);

}  // namespace weft
