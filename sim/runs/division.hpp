// How a network is divided between threads.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// The parts of a network: successive nodes, with the routers whose links lead to them. Links into
/// interfaces do not cross from one part to another.
struct Division {
  /// `parts`: from 1 to 255. Some may have no nodes.
  Division(const Graph& graph, unsigned parts);

  unsigned parts() const { return static_cast<unsigned>(first_node.size()) - 1; }
  /// The part of a packet's destination.
  unsigned of(std::uint64_t header) const {
    return of_address[header >> kHdrDstLsb & (of_address.size() - 1)];
  }

  std::vector<std::uint32_t> first_node;  ///< Of each part; then the number of nodes.
  std::vector<std::uint8_t> of_block;     ///< The part of a block,
  std::vector<std::uint8_t> of_address;   ///< and of the node with an address.
};

}  // namespace weft
