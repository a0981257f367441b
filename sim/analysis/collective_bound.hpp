// Lower bounds of the time of a collective on a network, whatever the algorithm (README.md derives
// them).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A lower bound of the cycles that any schedule needs.
struct Bound {
  std::uint64_t cycles = 0;     ///< 0: none.
  std::string by;               ///< What takes that long, in a few words.
  std::uint64_t injection = 0;  ///< Bound of the links that this run's interfaces have; 0: not
                                ///< computed.
};

/// What a collective leaves in the memories of its members; all but the all-to-all work on an array
/// of `CollectiveWork::words`.
enum class CollectiveGoal : std::uint8_t {
  kAllToAll,       ///< A block of `words` from every member to every other one.
  kAllreduce,      ///< Every member has the reduction of all arrays.
  kReduceScatter,  ///< Every member has its own block of the reduction.
  kAllgather,      ///< Every member has the own blocks of all.
  kBroadcast,      ///< Every member has the root's array.
  kReduce,         ///< The root has the reduction.
  kLeave,          ///< Every array has left its member: an allreduce that ends early.
};

/// One run of a collective.
struct CollectiveWork {
  CollectiveGoal goal = CollectiveGoal::kAllToAll;
  std::uint64_t words = 0;              ///< Body flits of a block, or of an array.
  std::vector<std::uint32_t> members;   ///< Ranks in ascending order. Other nodes may only help.
  std::vector<std::uint64_t> own = {};  ///< Words of each member's own block, if it has one.
  std::uint32_t root = 0;               ///< Index into `members`.
  std::uint32_t packet_flits = 1;       ///< Most body flits of a packet.
  bool reduces = false;                 ///< Interfaces have accumulators in the receive path.
  /// Set if a tree beside the network combines one word per cycle on its way up and returns one
  /// down. By rank: cycles between a node's unit and the root's.
  std::vector<unsigned> tree_depths = {};
};

/// The bound of `work` on `graph`; none for fewer than two members.
Bound collective_bound(const Graph& graph, const CollectiveWork& work);

/// The bound of a barrier that node n may enter in cycle `entries[n]`: by messages, and also by the
/// tree of barrier units beside the network if `unit_depths` is not empty (cycles between the unit
/// of each node and the root's). None for fewer than two nodes.
Bound barrier_bound(const Graph& graph, const std::vector<std::uint64_t>& entries,
                    const std::vector<unsigned>& unit_depths);

}  // namespace weft
