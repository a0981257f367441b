// When the nodes of a run entered its barriers and went on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// Barriers of a run, by barrier units or by messages.
struct BarrierResult {
  std::uint64_t count = 0;    ///< Over for all nodes, without that of the start-up.
  double mean_wait = 0;       ///< From entering to going on, mean over nodes, cycles.
  std::uint64_t latency = 0;  ///< The same, the least: of a node that enters last, cycles.
};

/// The barriers of every node, of either kind. Threads may share the nodes.
class BarrierTimes {
 public:
  explicit BarrierTimes(std::uint32_t nodes) : places_(nodes) {}

  /// The first `count` barriers of every node are the start-up's: the result leaves them out.
  void leave_out(std::uint32_t count) { left_out_ = count; }
  std::uint32_t left_out() const { return left_out_; }

  /// The node enters its next barrier.
  void enter(std::uint32_t node, std::uint64_t cycle) {
    Place& place = places_[node];
    place.last_enter = cycle;
    if (++place.entered > left_out_) place.waited -= cycle;
  }
  /// The oldest barrier that it is in is over for the node.
  void leave(std::uint32_t node, std::uint64_t cycle) {
    Place& place = places_[node];
    if (++place.left <= left_out_) return;
    place.waited += cycle;
    place.least = std::min(place.least, cycle - place.last_enter);
  }

  /// Barriers that a node has entered and left.
  std::uint32_t entered(std::uint32_t node) const { return places_[node].entered; }
  std::uint32_t left(std::uint32_t node) const { return places_[node].left; }
  bool inside(std::uint32_t node) const { return entered(node) != left(node); }

  BarrierResult result() const {
    BarrierResult result = {.count = UINT32_MAX, .mean_wait = 0, .latency = UINT64_MAX};
    std::uint64_t waits = 0, waited = 0;
    for (const Place& place : places_) {
      const std::uint32_t count = place.left - std::min(place.left, left_out_);
      result.count = std::min<std::uint64_t>(result.count, count);
      result.latency = std::min(result.latency, place.least);
      if (place.entered != place.left) continue;  // Still waits: the run was cut.
      waits += count;
      waited += place.waited;
    }
    if (waits != 0) {
      result.mean_wait = static_cast<double>(waited) / static_cast<double>(waits);
    }
    if (result.count == 0) result.latency = 0;
    return result;
  }

 private:
  struct Place {
    std::uint32_t entered = 0, left = 0;
    std::uint64_t last_enter = 0;
    std::uint64_t waited = 0;          // Sum of leaves less sum of enters, cycles.
    std::uint64_t least = UINT64_MAX;  // Shortest wait, cycles.
  };
  std::vector<Place> places_;
  std::uint32_t left_out_ = 0;
};

}  // namespace weft
