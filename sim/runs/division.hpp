// How a network is divided between threads and processes.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/node_set.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Parts of a network, at most.
inline constexpr std::uint32_t kMostParts = 65'535;

/// The parts of a network: nodes, with the routers whose links lead to them. Links into interfaces
/// do not cross from one part to another. A process has one or more of them, its own: it is cut off
/// in space (space_cut.hpp), and slices of successive nodes of it are the parts of its threads.
struct Division {
  /// One process with `threads` threads; from 1 to kMostParts. Some may have no nodes.
  Division(const Graph& graph, unsigned threads) : Division(graph, 1, threads, 0, threads) {}
  /// `processes` with `threads` threads each; parts `first` to `end` - 1 are own.
  Division(const Graph& graph, unsigned processes, unsigned threads, unsigned first, unsigned end);

  unsigned parts() const { return static_cast<unsigned>(nodes.size()); }
  bool owns(unsigned part) const { return part >= first_own && part < end_own; }
  bool owns_block(std::uint32_t block) const { return owns(of_block[block]); }
  bool whole() const { return first_own == 0 && end_own == parts(); }  ///< All parts are own.
  /// The part of a packet's destination.
  unsigned of(std::uint64_t header) const {
    return of_address[header >> kHdrDstLsb & (of_address.size() - 1)];
  }

  unsigned first_own, end_own;
  std::vector<NodeSet> nodes;             ///< Of each part,
  NodeSet own;                            ///< and of all own parts.
  std::vector<std::uint16_t> of_block;    ///< The part of a block,
  std::vector<std::uint16_t> of_address;  ///< and of the node with an address.
};

}  // namespace weft
