// How a network is divided between threads and processes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/node_set.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Parts of a network, at most.
inline constexpr std::uint32_t kMostParts = 65'535;

/// Among how many processes a network is divided, and into how many parts the share of each.
struct Sharing {
  unsigned processes = 1, each = 1;

  unsigned parts() const { return processes * each; }
};

/// The parts of a network: nodes, with the routers whose links lead to them. Links into interfaces
/// do not cross from one part to another. A process has one or more of them, its own: it is cut off
/// in space (space_cut.hpp), and slices of successive nodes of it are the parts of its threads. A
/// run that is resumed keeps its parts, and other processes and threads have them.
struct Division {
  /// Process `number` of `processes` has its share of the parts. Those are the `shares`, from 1 to
  /// kMostParts, of which some may have no nodes; and more without nodes, if there would be fewer
  /// parts than processes.
  Division(const Graph& graph, Sharing shares, unsigned number = 0, unsigned processes = 1);

  unsigned parts() const { return static_cast<unsigned>(nodes.size()); }
  /// The process that has a part.
  unsigned process_of(unsigned part) const { return ((part + 1) * processes - 1) / parts(); }
  bool owns(unsigned part) const { return part >= first_own && part < end_own; }
  /// Of the own parts those of one of `threads` threads: from, to.
  std::pair<unsigned, unsigned> parts_of_thread(unsigned thread, unsigned threads) const {
    const unsigned own_parts = end_own - first_own;
    return {first_own + own_parts * thread / threads,
            first_own + own_parts * (thread + 1) / threads};
  }
  bool owns_block(std::uint32_t block) const { return owns(of_block[block]); }
  /// Differs where networks are cut otherwise, as METIS may do on another machine.
  std::uint64_t hash() const;
  bool whole() const { return first_own == 0 && end_own == parts(); }  ///< All parts are own.
  /// The part of a packet's destination.
  unsigned of(std::uint64_t header) const {
    return of_address[header >> kHdrDstLsb & (of_address.size() - 1)];
  }

  unsigned processes;
  Sharing shares;
  unsigned first_own, end_own;            ///< Own parts.
  std::vector<NodeSet> nodes;             ///< Of each part,
  NodeSet own;                            ///< and of all own parts.
  std::vector<std::uint16_t> of_block;    ///< The part of a block,
  std::vector<std::uint16_t> of_address;  ///< and of the node with an address.
};

}  // namespace weft
