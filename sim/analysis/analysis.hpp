// What can be said of a network without simulating it: reachability, channel dependencies,
// distances, and the least time that given messages need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/analysis/bisection.hpp"
#include "sim/analysis/dependencies.hpp"
#include "sim/analysis/route_check.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Static figures of a network. A distance is the number of switching blocks passed (crossbars, and
/// the switches of seed 002 fig. 9), a node's distance to itself 0. In a network of routers, of
/// which each node has one, it is the number of links between them, and degrees and links are those
/// between routers alone. Where nodes hang on switches of stages (fat tree, omega) it is the
/// switches passed, as table 1 of seed 001 counts, also from a node to itself; degrees are those of
/// a switch. Means are over all ordered pairs, a node with itself included.
struct TopoFigures {
  std::uint32_t nodes = 0;
  std::uint32_t degree_in = 0, degree_out = 0;  ///< Links into and out of a node, the largest.
  std::uint32_t diameter = 0;                   ///< Largest distance by the routing.
  double mean_distance = 0;                     ///< By the routing.
  double mean_distance_shortest = 0;            ///< Over the shortest ways that the blocks allow.
  std::string distance_unit = "crossbars passed";
  std::uint64_t links = 0;                   ///< One direction each.
  Bisection bisection = {};                  ///< Among all links, those of nodes included.
  std::optional<std::uint64_t> crosspoints;  ///< As seed 002 counts hardware: crossbars only.
  /// Least virtual channels of a link without a cyclic channel dependency, even if there are fewer;
  /// with one for each destination these; 0 where no number suffices.
  std::uint32_t vcs_needed = 1;
  bool deadlock_free = false;
  std::uint64_t pairs = 0;  ///< Pairs of nodes that these figures are of.
  bool sampled = false;     ///< Not all there are.
  std::string exact_by;     ///< Else: what was looked at, and why that is enough.
  std::string cycle;        ///< A cyclic channel dependency, in words.
};

/// Computes them; `topology` counts the crosspoints, `all_pairs_up_to` as for check_routes. Throws
/// CheckError as check_routes does.
TopoFigures topo_figures(const Graph& graph, const Topology& topology,
                         std::uint32_t all_pairs_up_to = kExactNodes);

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
  /// first link. Where the route depends on that (`Graph::ways_by_link`), besides the first link
  /// only those count that all ways have: a schedule is free to choose. Throws CheckError as `walk`
  /// does.
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t flits);
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
