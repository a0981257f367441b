// When the nodes of a run entered and left its barriers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/node_set.hpp"

namespace weft {

/// Barriers of a run, by barrier units or by messages.
struct BarrierResult {
  std::uint64_t count = 0;    ///< Barriers that all nodes have left, without those of the start-up.
  double mean_wait = 0;       ///< Mean over nodes from entering to leaving, cycles.
  std::uint64_t latency = 0;  ///< Shortest wait, that of a node that enters last, cycles.
};

/// Sums over the barriers of some nodes, from which the result for all nodes follows.
struct BarrierSums {
  std::uint64_t count = UINT32_MAX;     ///< Barriers that each of the nodes has left.
  std::uint64_t latency = UINT64_MAX;   ///< Shortest wait.
  std::uint64_t waits = 0, waited = 0;  ///< Number of waits, and the cycles of all.

  BarrierSums& operator+=(const BarrierSums& other) {
    count = std::min(count, other.count);
    latency = std::min(latency, other.latency);
    waits += other.waits;
    waited += other.waited;
    return *this;
  }
  BarrierResult result() const {
    const double mean = waits != 0 ? static_cast<double>(waited) / static_cast<double>(waits) : 0;
    return {count, mean, count != 0 ? latency : 0};
  }
};

/// The barriers of every node, by units or messages. Different threads may handle different nodes.
class BarrierTimes {
 public:
  explicit BarrierTimes(std::uint32_t nodes) : nodes_(nodes) {}

  /// The result omits the first `count` barriers of every node, which belong to the start-up.
  void leave_out(std::uint32_t count) { left_out_ = count; }
  std::uint32_t left_out() const { return left_out_; }

  /// Notes that the node enters its next barrier.
  void enter(std::uint32_t node, std::uint64_t cycle) {
    NodeTimes& times = nodes_[node];
    times.last_enter = cycle;
    if (++times.entered > left_out_) times.waited -= cycle;
  }
  /// Notes that the node leaves the oldest barrier that it is in.
  void leave(std::uint32_t node, std::uint64_t cycle) {
    NodeTimes& times = nodes_[node];
    if (++times.left <= left_out_) return;
    times.waited += cycle;
    times.least = std::min(times.least, cycle - times.last_enter);
  }

  /// Number of barriers that a node has entered.
  std::uint32_t entered(std::uint32_t node) const { return nodes_[node].entered; }
  std::uint32_t left(std::uint32_t node) const { return nodes_[node].left; }
  bool inside(std::uint32_t node) const { return entered(node) != left(node); }

  BarrierSums sums(const NodeSet& of) const {
    BarrierSums sums;
    for (const std::uint32_t n : of) {
      const NodeTimes& times = nodes_[n];
      const std::uint32_t count = times.left - std::min(times.left, left_out_);
      BarrierSums node{.count = count, .latency = times.least};
      if (times.entered == times.left) {  // Otherwise the node still waits: the run was stopped.
        node.waits = count;
        node.waited = times.waited;
      }
      sums += node;
    }
    return sums;
  }

  /// Checkpoint state of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t node) {
    archive(nodes_[node]);
  }

 private:
  struct NodeTimes {
    std::uint32_t entered = 0, left = 0;
    std::uint64_t last_enter = 0;
    std::uint64_t waited = 0;          // Sum of leave cycles minus sum of enter cycles.
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
