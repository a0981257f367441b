// A collective on arrays as the nodes of a run have it: memory, connection tables, checks, bound.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/processor/memory.hpp"
#include "sim/processor/processor.hpp"
#include "sim/workload/array_reference.hpp"
#include "sim/workload/array_result.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// Memory of a node from WEFT_BUFFER_BASE on: mailboxes that it writes to others, the receive
/// window, which begins with its own mailboxes, and in that the array.
class ArrayWork : public Contents {
 public:
  /// Throws ConfigError where the network, or the array's size, is none for the collective.
  ArrayWork(const Config& config, const Graph& graph, const weft_collective& collective);

  /// Writes what a node is told beside its job, and the array of a main unit.
  void fill(std::uint32_t rank, Memory& memory) const override;
  /// Words of a main unit's array that are not as they must be; an aggregation unit has none.
  std::uint64_t errors(std::uint32_t rank, const Memory& memory) const override;
  std::string picked() const { return reference_.picked(); }
  /// Whether there are aggregation units, whose arrays `states` tells.
  bool has_states() const { return reference_.boards().aggregators != 0; }
  /// The arrays of the aggregation units; `memory` gives each rank's.
  std::vector<UnitArray> states(
      const std::function<const Memory&(std::uint32_t rank)>& memory) const;
  /// Of `load`, flits by link; none but on boards.
  std::optional<BoardFlits> board_flits(const std::vector<std::uint64_t>& load) const;
  /// Least number of cycles that any schedule needs. Across the edge of every set of members, but
  /// for all, what the others need of theirs must go out once, and what they need of the others in;
  /// looked at for a single member, which has its interface's and its router's links, and for a
  /// board. Headers are counted for the longest packets.
  std::uint64_t bound_cycles() const override;

 private:
  std::uint32_t routed_links(std::uint32_t rank, bool off_board) const;

  const Config& config_;
  const Graph& graph_;
  enum weft_kind kind_;
  ArrayReference reference_;
};

}  // namespace weft
