// Routings that are computed for networks of any graph, one file each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// Shortest ways, in cycles of routers and registers of links. Of equally short ones each
/// destination's are chosen so that the links are evenly loaded, or, where these need more VCs than
/// there are, by the lowest port everywhere. Where one VC could deadlock, pairs are divided into
/// layers, each with VCs of its own and without a cyclic channel dependency (LASH, Skeie, Lysne and
/// Theiss 2002); a packet stays on the VC on which it is injected.
TableRouting shortest_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// The same with ways that `vcs` VCs keep free of deadlock; none: so many do not suffice, or that
/// is not known after as many steps as `shortest_or_up_down` takes.
std::optional<TableRouting> shortest_if_free(const TableNetwork& network, unsigned vcs);

/// Shortest ways, or up*/down* ways where those need more VCs than routes can name, or where a few
/// seconds of dividing them into layers do not tell (a fixed number of steps, equal everywhere).
TableRouting shortest_or_up_down(const Config& config, const TableNetwork& network, unsigned vcs);

/// Up*/down* (Schroeder et al. 1991): links lead up towards the most central router, or down, and
/// no packet goes up after it has gone down. Of these ways the shortest; any VC.
TableRouting up_down_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// The same; none: nodes that reach each other have no such way, because links lead one way.
std::optional<TableRouting> up_down_if_connected(const TableNetwork& network);

/// Dimension order, the first coordinate first, on networks with coordinates whose links each
/// change one of them: along each by the longest links that do not pass the destination; any VC.
TableRouting dimension_order_routes(const Config& config, const TableNetwork& network,
                                    unsigned vcs);

/// What a packet's further way depends on: states of the routers, and the links that lead from one
/// state to another.
struct WayStates {
  struct Arc {
    std::uint32_t to = 0;    ///< State.
    std::uint32_t link = 0;  ///< Index into `TableNetwork::links`.
  };
  unsigned per_router = 1;             ///< State of router r: r x per_router + 0 (injected), ....
  std::vector<std::vector<Arc>> arcs;  ///< By state.
};

/// Out-ports of shortest ways, by state and destination.
class NextPorts {
 public:
  static constexpr std::uint8_t kNone = 0xFF;

  /// Which of several shortest ways to a destination a state has.
  enum class Tie {
    kLeastLoaded,  ///< The one whose link carries the fewest pairs so far.
    kLowestPort
  };

  /// Computes them.
  NextPorts(const TableNetwork& network, const WayStates& states, Tie tie = Tie::kLeastLoaded);

  /// kNone: no way, or the destination is here.
  std::uint8_t at(std::uint32_t state, std::uint32_t dst) const {
    return ports_[std::size_t{state} * nodes_ + dst];
  }

 private:
  std::uint32_t nodes_;
  std::vector<std::uint8_t> ports_;
};

}  // namespace weft
