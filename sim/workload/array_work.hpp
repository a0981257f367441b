// A collective on arrays: memory, connection tables, checks and bound.
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

/// Memory of a node from WEFT_BUFFER_BASE on: first the words that it sends to others' mailboxes,
/// then the receive window, which contains its own mailboxes and then the array.
class ArrayWork : public Contents {
 public:
  /// Throws ConfigError if the collective cannot run on the network or with the array's size.
  /// `in_order`: packets of one message cannot overtake each other.
  ArrayWork(const Config& config, const Graph& graph, const weft_collective& collective,
            bool in_order);

  /// Writes a node's weft_array_job, and the array of a main unit.
  void fill(std::uint32_t rank, Memory& memory) const override;
  /// Compares the array of a main unit; nothing for an aggregation unit.
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  /// Whether there are aggregation units, whose arrays `states` returns.
  bool has_states() const { return reference_.boards().aggregators != 0; }
  /// The arrays of the aggregation units; `memory` returns each rank's memory.
  std::vector<UnitArray> states(
      const std::function<const Memory&(std::uint32_t rank)>& memory) const;
  /// Sums of `load` (flits by link); none unless the network has boards.
  std::optional<BoardFlits> board_flits(const std::vector<std::uint64_t>& load) const;
  /// Lower bound. If the number of steps is set, no result is defined, and the bound is only that
  /// every array leaves its member.
  Bound bound() const override;

 private:
  const Config& config_;
  const Graph& graph_;
  enum weft_kind kind_;
  bool in_order_;
  ArrayReference reference_;
};

}  // namespace weft
