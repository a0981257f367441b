// How a network is divided between threads and processes.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// Parts of a network, at most.
inline constexpr std::uint32_t kMostParts = 65'535;

/// The parts of a network: successive nodes, with the routers whose links lead to them. Links into
/// interfaces do not cross from one part to another. A process has one or more of them, its own.
struct Division {
  /// `parts`: from 1 to kMostParts. Some may have no nodes.
  Division(const Graph& graph, unsigned parts) : Division(graph, parts, 0, parts) {}
  /// Of a process whose own parts are `first` to `end` - 1.
  Division(const Graph& graph, unsigned parts, unsigned first, unsigned end);

  unsigned parts() const { return static_cast<unsigned>(first_node.size()) - 1; }
  /// Own nodes are `begin_nodes()` to `end_nodes()` - 1.
  std::uint32_t begin_nodes() const { return first_node[first_own]; }
  std::uint32_t end_nodes() const { return first_node[end_own]; }
  bool owns(unsigned part) const { return part >= first_own && part < end_own; }
  bool owns_block(std::uint32_t block) const { return owns(of_block[block]); }
  bool whole() const { return first_own == 0 && end_own == parts(); }  ///< All parts are own.
  /// The part of a packet's destination.
  unsigned of(std::uint64_t header) const {
    return of_address[header >> kHdrDstLsb & (of_address.size() - 1)];
  }

  unsigned first_own, end_own;
  std::vector<std::uint32_t> first_node;  ///< Of each part; then the number of nodes.
  std::vector<std::uint16_t> of_block;    ///< The part of a block,
  std::vector<std::uint16_t> of_address;  ///< and of the node with an address.
};

}  // namespace weft
