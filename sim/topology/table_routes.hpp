// Routings that are computed for networks of any graph, one file each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// Shortest routes, in cycles of routers and registers of links. Of equally short routes to a
/// destination those are chosen that load the links evenly or, if these need more VCs than there
/// are, those by the lowest port everywhere. If one VC could deadlock, pairs are divided into
/// layers, each with its own VCs and without a cyclic channel dependency (LASH, Skeie, Lysne and
/// Theiss 2002); a packet stays on the VC on which it is injected.
TableRouting shortest_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// Shortest routes that `vcs` VCs keep free of deadlock; none if that many do not suffice, or if it
/// is not known after as many steps as `shortest_or_up_down` takes.
std::optional<TableRouting> shortest_if_free(const TableNetwork& network, unsigned vcs);

/// Shortest routes, or up*/down* routes if those need more VCs than routes can name, or if a few
/// seconds of dividing them into layers do not tell (a fixed number of steps, the same everywhere).
TableRouting shortest_or_up_down(const Config& config, const TableNetwork& network, unsigned vcs);

/// Up*/down* (Schroeder et al. 1991): links lead up towards the most central router, or down, and
/// no packet goes up after it has gone down. The shortest of these routes, on any VC.
TableRouting up_down_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// Up*/down* routes (up_down_routes); none if nodes that reach each other have no such route,
/// because links lead one way.
std::optional<TableRouting> up_down_if_connected(const TableNetwork& network);

/// Dimension order, the first coordinate first, for networks with coordinates whose links change
/// one coordinate each: in each dimension by the longest links that do not pass the destination, on
/// any VC.
TableRouting dimension_order_routes(const Config& config, const TableNetwork& network,
                                    unsigned vcs);

/// States of routers, on which a packet's further route depends, and the links that lead from one
/// state to another.
struct WayStates {
  struct Arc {
    std::uint32_t to = 0;    ///< Number of a state.
    std::uint32_t link = 0;  ///< Index into `TableNetwork::links`.
  };
  unsigned per_router = 1;             ///< States of router r: r x per_router + 0 (injected), and
                                       ///< the following.
  std::vector<std::vector<Arc>> arcs;  ///< By state.
};

/// Out-ports of shortest routes, by state and destination.
class NextPorts {
 public:
  static constexpr std::uint8_t kNone = 0xFF;

  /// Which of several shortest routes to a destination a state gets.
  enum class Tie {
    kLeastLoaded,  ///< The one whose link carries the fewest pairs so far.
    kLowestPort
  };

  /// Computes the out-ports.
  NextPorts(const TableNetwork& network, const WayStates& states, Tie tie = Tie::kLeastLoaded);

  /// Out-port in `state` to rank `dst`; kNone: there is no route, or the destination is here.
  std::uint8_t at(std::uint32_t state, std::uint32_t dst) const {
    return ports_[std::size_t{state} * nodes_ + dst];
  }

 private:
  std::uint32_t nodes_;
  std::vector<std::uint8_t> ports_;
};

}  // namespace weft
