// Static analysis of a network: reachability, channel dependencies, distances, and the least time
// that given messages need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/analysis/bisection.hpp"
#include "sim/analysis/dependencies.hpp"
#include "sim/analysis/route_check.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// Static figures of a network. A distance is the number of switching blocks passed (crossbars, and
/// the switches of seed 002 fig. 9); a node's distance to itself is 0. In a network with one router
/// per node it is the number of links between routers, and degrees and links are only those between
/// routers. If nodes are connected to switches in stages (fat tree, omega), it is the number of
/// switches passed, as in table 1 of seed 001, also from a node to itself; degrees are those of a
/// switch. With routing by waypoints distances are those of direct routes. Means are over all
/// ordered pairs, including a node with itself.
struct TopoFigures {
  std::uint32_t nodes = 0;
  std::uint32_t degree_in = 0, degree_out = 0;  ///< Most links into a node, and out of one.
  std::uint32_t diameter = 0;                   ///< Largest distance by the routing.
  double mean_distance = 0;                     ///< Mean distance by the routing.
  double mean_distance_shortest = 0;            ///< Mean distance over the shortest paths that the
                                                ///< blocks allow.
  std::string distance_unit = "crossbars passed";
  std::uint64_t links = 0;                   ///< Number of links, one direction each.
  Bisection bisection = {};                  ///< Among all links, including those of nodes.
  std::optional<std::uint64_t> crosspoints;  ///< Amount of hardware as seed 002 counts it; for
                                             ///< crossbars only.
  /// Least number of VCs of a link without a cyclic channel dependency, even if the network has
  /// fewer; with a VC for each destination the number of nodes; 0 if no number suffices.
  std::uint32_t vcs_needed = 1;
  bool deadlock_free = false;
  std::uint64_t pairs = 0;   ///< Pairs of nodes that these figures cover.
  bool sampled = false;      ///< Not all pairs were followed.
  std::string exact_by;      ///< If not `sampled`: the pairs that were followed, and why they
                             ///< suffice.
  Failures failures = {};    ///< As in the graph.
  std::string routing_note;  ///< As in the graph.
  std::string cycle;         ///< A cyclic channel dependency, in words.
};

/// Computes the figures; `topology` counts the crosspoints, `all_pairs_up_to` as for check_routes.
/// Throws CheckError as check_routes does.
TopoFigures topo_figures(const Graph& graph, const Topology& topology,
                         std::uint32_t all_pairs_up_to = 0);

/// Flits on a wire of a message of `length` body flits: one header for each packet, and at least
/// one packet.
constexpr std::uint64_t wire_flits(std::uint64_t length, std::uint32_t packet_flits) {
  const std::uint64_t packets = (length + packet_flits - 1) / packet_flits;
  return length + (packets > 0 ? packets : 1);
}

/// Flits on every link, including those from and to the nodes. The busiest link bounds the time of
/// any schedule, as a link carries one flit per cycle. If an interface has several links into the
/// network, a schedule may distribute its messages evenly.
class LinkLoad {
 public:
  explicit LinkLoad(const Graph& graph) : graph_(graph), load_(graph.links.size()) {}

  /// Adds a message of `flits` flits on every link of its route; it leaves the interface by its
  /// first link. With a routing algorithm only links between interfaces and network count, which
  /// are common to all routes. If the route depends on the link by which it leaves
  /// (`Graph::ways_by_link`, and in all networks from a node to itself), only the first link and
  /// links common to all routes count, as a schedule may select any. Throws CheckError as `walk`.
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t flits);
  std::span<const std::uint64_t> by_link() const { return load_; }
  /// Flits on the busiest link: the least number of cycles.
  std::uint64_t bound() const;

 private:
  const Graph& graph_;
  std::vector<std::uint64_t> load_;
};

}  // namespace weft
