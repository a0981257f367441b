// What can be said of a network without simulating it: reachability, channel dependencies,
// distances, and the least time that given messages need.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// Up to here all sources are looked at; larger networks from kSampledSources of them.
inline constexpr std::uint32_t kExactNodes = 4096;
inline constexpr std::uint32_t kSampledSources = 256;

/// Ranks that the analysis starts from, rising: all, or a fixed pseudo-random choice.
std::vector<std::uint32_t> analysed_sources(std::uint32_t nodes);

/// A virtual channel of a link.
struct Channel {
  std::uint32_t link = 0;
  unsigned vc = 0;

  bool operator==(const Channel&) const = default;
};

/// Which channel a packet holds while it waits for which other one. A cycle of such dependencies
/// can deadlock (Dally and Seitz, 1987); without one the network cannot.
class ChannelDependencies {
 public:
  /// `vcs`: virtual channels of a link, 1 to 64.
  explicit ChannelDependencies(const Graph& graph, unsigned vcs = 1);

  /// A packet that holds one of the VCs `held_vcs` (one bit each) of link `held` may wait for each
  /// VC of `set` of link `next`, which leaves the block that `held` enters. Returns all of these.
  std::uint64_t add(std::uint32_t held, std::uint64_t held_vcs, std::uint32_t next, VcSet set) {
    std::uint64_t* const waits = &waits_[first_[held] + graph_.links[next].src_port * vcs_];
    const std::uint64_t* const taken = &taken_[static_cast<unsigned>(set) * vcs_];
    std::uint64_t all = 0;
    for (std::uint64_t m = held_vcs; m != 0; m &= m - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(m));
      waits[vc] |= taken[vc];
      all |= taken[vc];
    }
    return all;
  }
  /// Forgets all.
  void clear() { std::fill(waits_.begin(), waits_.end(), 0); }
  /// The channels of one cycle, each waiting for the one after it and the last for the first; empty
  /// when there is none.
  std::vector<Channel> cycle() const;

 private:
  const Graph& graph_;
  unsigned vcs_;
  std::vector<std::uint64_t> taken_;  // By set and VC held: VCs of the next link.
  std::vector<std::uint64_t> first_;  // By link: place of its first dependency in `waits_`.
  std::vector<std::uint64_t> waits_;  // By link, out-port of the block that it enters, VC: VCs.
};

/// The routes of a network, seen before cycle 0.
struct RouteCheck {
  std::uint64_t pairs = 0;     ///< Ordered pairs of nodes whose route was followed to its end.
  bool sampled = false;        ///< Not all of them (more than kExactNodes nodes).
  std::vector<Channel> cycle;  ///< A cyclic channel dependency; empty: none.
};

/// Follows the routes of all pairs of nodes, also from a node to itself. Throws CheckError where
/// one does not reach its destination.
RouteCheck check_routes(const Graph& graph);

/// VCs of a link without which the routing of a network of routers would have a cyclic channel
/// dependency, up to `most`; 0 where those do not suffice either.
std::uint32_t least_vcs(const Graph& graph, std::uint32_t most);

/// "xxb_0 out 3 -> yxb_3 in 0, waits for ...": a cycle of channels in words, with their VCs in
/// networks of routers; of a long one the first and the last, and the number of those between.
std::string cycle_in_words(const Graph& graph, const std::vector<Channel>& cycle);

/// Static figures of a network. A distance is the number of switching blocks passed (crossbars, and
/// the switches of seed 002 fig. 9), in a network of routers, of which each node has one, the
/// number of links between them; a node's distance to itself is 0. There degrees and links are
/// those between routers alone. Means are over all ordered pairs, a node with itself included.
struct TopoFigures {
  std::uint32_t nodes = 0;
  std::uint32_t degree_in = 0, degree_out = 0;  ///< Links into and out of a node, the largest.
  std::uint32_t diameter = 0;                   ///< Largest distance by the routing.
  double mean_distance = 0;                     ///< By the routing.
  double mean_distance_shortest = 0;            ///< Over the shortest ways that the blocks allow.
  std::uint64_t links = 0;                      ///< One direction each.
  std::optional<std::uint64_t> crosspoints;     ///< As seed 002 counts hardware: crossbars only.
  /// Least virtual channels of a link without a cyclic channel dependency, even if there are fewer;
  /// with one for each destination these; 0 where no number suffices.
  std::uint32_t vcs_needed = 1;
  bool deadlock_free = false;
  std::uint64_t pairs = 0;  ///< Pairs of nodes looked at.
  bool sampled = false;
  std::string cycle;  ///< A cyclic channel dependency, in words.
};

/// Computes them; `topology` counts the crosspoints. Throws CheckError as check_routes does.
TopoFigures topo_figures(const Graph& graph, const Topology& topology);
/// JSON with the field names of the design; `crosspoints` and `cycle` only where there are any.
nlohmann::json to_json(const TopoFigures& figures);

/// Flits that a message of `length` body flits puts on a wire: one header for each packet, one
/// packet at least.
constexpr std::uint64_t wire_flits(std::uint64_t length, std::uint32_t packet_flits) {
  const std::uint64_t packets = (length + packet_flits - 1) / packet_flits;
  return length + (packets > 0 ? packets : 1);
}

/// Flits on every link. The busiest one bounds the time of any schedule, as a link carries one flit
/// in a cycle; links from and to the nodes are among them. Where an interface has several links
/// into the network, a schedule may share its messages among them evenly.
class LinkLoad {
 public:
  explicit LinkLoad(const Graph& graph) : graph_(graph), load_(graph.links.size()) {}

  /// Adds a message that puts `flits` on every link of its route; it leaves the interface by its
  /// first link. Throws CheckError as `walk` does.
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t flits) {
    graph_.walk(from, to, [&](std::uint32_t link) { load_[link] += flits; });
  }
  std::span<const std::uint64_t> by_link() const { return load_; }
  /// Flits on the busiest link: the least number of cycles.
  std::uint64_t bound() const;

 private:
  const Graph& graph_;
  std::vector<std::uint64_t> load_;
};

/// The bound when every node sends one message of `flits` flits on the wire to every other.
std::uint64_t all_to_all_bound(const Graph& graph, std::uint64_t flits);

}  // namespace weft
