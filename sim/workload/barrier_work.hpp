// A barrier: the work of the nodes before it, the check of when they leave it, and the bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// Cycles of events that the port of a node has seen.
struct BarrierNode {
  std::uint64_t start = 0;                 ///< Start of its job.
  std::optional<std::uint64_t> first_act;  ///< First message, or entry into a hardware barrier.
  std::uint64_t end = 0;                   ///< End of its program.
};

/// Each node works for a time of its own after the start of its job, then it may enter the barrier;
/// it leaves when its program ends. Memories hold nothing to compare: the check is of times, none
/// of which the driver reports.
class BarrierWork : public Contents {
 public:
  BarrierWork(const Config& config, const Graph& graph);

  /// Cycles of work of a node: drawn from the seed, 0 to `workload.spread`; or one node has all of
  /// it.
  std::uint32_t work_cycles(std::uint32_t rank) const;
  /// What is wrong with a run, in words, one line for each node: it took part before its work was
  /// done, or left before another node had entered.
  std::vector<std::string> wrong_with(const std::vector<BarrierNode>& nodes) const;
  /// When the nodes entered and left, in words.
  std::string times_of(const std::vector<BarrierNode>& nodes) const;

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t, const Memory&, const OnWrongWord&) const override {}
  Bound bound() const override;

 private:
  const Config& config_;
  const Graph& graph_;
};

}  // namespace weft
