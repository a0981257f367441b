// When the nodes of a run entered and left its barriers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// Barriers of a run, by barrier units or by messages.
struct BarrierResult {
  std::uint64_t count = 0;    ///< Left by all nodes, without those of the start-up.
  double mean_wait = 0;       ///< From entering to leaving, mean over nodes, cycles.
  std::uint64_t latency = 0;  ///< Shortest wait, that of a node that enters last, cycles.
};

/// The barriers of every node, of either kind. Different threads may handle different nodes.
class BarrierTimes {
 public:
  explicit BarrierTimes(std::uint32_t nodes) : nodes_(nodes) {}

  /// The result omits the first `count` barriers of every node, which belong to the start-up.
  void leave_out(std::uint32_t count) { left_out_ = count; }
  std::uint32_t left_out() const { return left_out_; }

  /// The node enters its next barrier.
  void enter(std::uint32_t node, std::uint64_t cycle) {
    NodeTimes& times = nodes_[node];
    times.last_enter = cycle;
    if (++times.entered > left_out_) times.waited -= cycle;
  }
  /// The node leaves the oldest barrier that it is in.
  void leave(std::uint32_t node, std::uint64_t cycle) {
    NodeTimes& times = nodes_[node];
    if (++times.left <= left_out_) return;
    times.waited += cycle;
    times.least = std::min(times.least, cycle - times.last_enter);
  }

  /// Numbers of barriers that a node has entered and has left.
  std::uint32_t entered(std::uint32_t node) const { return nodes_[node].entered; }
  std::uint32_t left(std::uint32_t node) const { return nodes_[node].left; }
  bool inside(std::uint32_t node) const { return entered(node) != left(node); }

  BarrierResult result() const {
    BarrierResult result = {.count = UINT32_MAX, .mean_wait = 0, .latency = UINT64_MAX};
    std::uint64_t waits = 0, waited = 0;
    for (const NodeTimes& times : nodes_) {
      const std::uint32_t count = times.left - std::min(times.left, left_out_);
      result.count = std::min<std::uint64_t>(result.count, count);
      result.latency = std::min(result.latency, times.least);
      if (times.entered != times.left) continue;  // Still waits: the run was stopped.
      waits += count;
      waited += times.waited;
    }
    if (waits != 0) {
      result.mean_wait = static_cast<double>(waited) / static_cast<double>(waits);
    }
    if (result.count == 0) result.latency = 0;
    return result;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(nodes_);
  }

 private:
  struct NodeTimes {
    std::uint32_t entered = 0, left = 0;
    std::uint64_t last_enter = 0;
    std::uint64_t waited = 0;          // Sum of leave cycles less sum of enter cycles.
    std::uint64_t least = UINT64_MAX;  // Shortest wait, cycles.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(entered, left, last_enter, waited, least);
    }
  };
  std::vector<NodeTimes> nodes_;
  std::uint32_t left_out_ = 0;
};

}  // namespace weft
