// All-to-all: every node has a block of data for every node, itself included.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/config/config.hpp"
#include "sim/schedule/schedule.hpp"
#include "sim/workload/contents.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// Cycles by which slots of a scheduled all-to-all are longer than their packets.
std::uint32_t slot_slack(const Config& config, const Graph& graph);

/// An all-to-all. Blocks are in the send area, by rank, before the run and in the receive window
/// after it. A collective may need buffers of several times that size during the run.
class AllToAll : public Contents {
 public:
  /// Throws ConfigError where the blocks are too long for the receive window.
  AllToAll(const Config& config, const Graph& graph, const weft_collective& collective);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  Bound bound() const override;

  /// The schedule of a scheduled collective, else nullptr.
  const SlotTables* slots() const { return slots_ ? &*slots_ : nullptr; }
  /// Flits of the messages with which a scheduled collective takes the fewest cycles.
  std::uint32_t part_flits() const { return part_flits_; }
  /// Slack of the slots (weft::slot_slack) of a scheduled collective; else 0.
  std::uint32_t slot_slack() const { return slack_; }
  std::uint32_t table() const { return layout_.recv_base + layout_.recv_bytes; }

 private:
  std::uint32_t best_part() const;
  void fill_table(std::uint32_t rank, Memory& memory) const;

  const Config& config_;
  const Graph& graph_;
  std::optional<SlotTables> slots_;
  std::uint32_t slack_ = 0, part_flits_ = 0;
};

}  // namespace weft
