// Events by cycle.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "sim/runs/line.hpp"

namespace weft {

/// A list of numbers for each cycle to come.
class Wheel {
 public:
  /// An event in `cycle`, which is not before the present one.
  [[gnu::always_inline]] void add(Cycle cycle, std::uint32_t what) {
    if (cycle - now_ < kSpan) [[likely]] {
      buckets_[cycle % kSpan].push_back(what);
    } else {
      add_far(cycle, what);
    }
  }
  /// Makes `cycle`, the one after the present, the present cycle; returns its events. The caller may
  /// add to them while it goes through them by index, and clears them.
  std::vector<std::uint32_t>& begin(Cycle cycle) {
    now_ = cycle;
    while (!far_.empty() && far_.top().first - now_ < kSpan) {
      buckets_[far_.top().first % kSpan].push_back(far_.top().second);
      far_.pop();
    }
    return buckets_[cycle % kSpan];
  }

 private:
  static constexpr Cycle kSpan = 2048;
  using Far = std::pair<Cycle, std::uint32_t>;

  [[gnu::noinline]] void add_far(Cycle cycle, std::uint32_t what) { far_.emplace(cycle, what); }

  std::array<std::vector<std::uint32_t>, kSpan> buckets_;
  Cycle now_ = 0;
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
};

}  // namespace weft
