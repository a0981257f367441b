// How a network is divided between threads and processes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/node_set.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Most parts of a network.
inline constexpr std::uint32_t kMostParts = 65'535;

/// Number of processes that share a network, and of parts in the share of each.
struct Sharing {
  unsigned processes = 1, each = 1;

  unsigned parts() const { return processes * each; }
};

/// The parts of a network. A part is nodes with the routers whose links lead to them: links into
/// interfaces do not cross from one part to another. The network is cut in space (space_cut.hpp)
/// into a share for each process; a share is cut into slices of successive nodes, the parts of the
/// process's threads. Parts of this process are its own. A resumed run keeps the parts, but other
/// processes and threads may have them.
struct Division {
  /// Division for process `number` of `processes`. There are as many parts as `shares` says, from 1
  /// to kMostParts, some of which may have no nodes; if these are fewer than the processes, there
  /// are further parts without nodes.
  Division(const Graph& graph, Sharing shares, unsigned number = 0, unsigned processes = 1);

  unsigned parts() const { return static_cast<unsigned>(nodes.size()); }
  /// The process that has a part.
  unsigned process_of(unsigned part) const { return ((part + 1) * processes - 1) / parts(); }
  bool owns(unsigned part) const { return part >= first_own && part < end_own; }
  /// Own parts of one of `threads` threads: from, to.
  std::pair<unsigned, unsigned> parts_of_thread(unsigned thread, unsigned threads) const {
    const unsigned own_parts = end_own - first_own;
    return {first_own + own_parts * thread / threads,
            first_own + own_parts * (thread + 1) / threads};
  }
  bool owns_block(std::uint32_t block) const { return owns(of_block[block]); }
  /// Differs between different cuts of a network, as METIS may make on another machine.
  std::uint64_t hash() const;
  /// Whether all parts are own.
  bool whole() const { return first_own == 0 && end_own == parts(); }
  /// The part of a packet's destination.
  unsigned of(std::uint64_t header) const {
    return of_address[header >> kHdrDstLsb & (of_address.size() - 1)];
  }

  unsigned processes;
  Sharing shares;
  unsigned first_own, end_own;            ///< First own part, and one after the last.
  std::vector<NodeSet> nodes;             ///< Nodes of each part.
  NodeSet own;                            ///< Nodes of all own parts.
  std::vector<std::uint16_t> of_block;    ///< By block: its part.
  std::vector<std::uint16_t> of_address;  ///< By address: the part of the node.
};

}  // namespace weft
