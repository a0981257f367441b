// How many flits have passed a point up to a cycle, as long as they pass in unbroken spans.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace weft {

/// A cycle; engine `model` simulates fewer than 2^32 of them.
using Cycle = std::uint32_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// Count of the flits granted at one point: one a cycle in the cycles `start` to `end()` - 1, and
/// `base` flits before them. Counts wrap modulo 2^32. Flits of future cycles are certain, never
/// assumed.
struct Line {
  std::uint32_t base = 0;
  Cycle start = 0;
  std::uint32_t total = 0;  ///< All flits, including those of future cycles.

  /// Flits granted before `cycle`, which is not before the last call of `begin`.
  std::uint32_t before(Cycle cycle) const {
    return cycle > start ? base + std::min(cycle - start, total - base) : base;
  }
  Cycle end() const { return start + (total - base); }
  /// First cycle for which `before` is at least `count`; `count` must be certain.
  Cycle reaches(std::uint32_t count) const { return start + (count - base); }
  /// Begins a span, not before the end of the last one.
  void begin(Cycle cycle) {
    base = total;
    start = cycle;
  }
  /// Whether a loaded span is valid: as counts wrap, a span is no longer than half of their range.
  bool is_good() const { return total - base < kMostSpan; }
  static constexpr std::uint32_t kMostSpan = 1u << 31;
};

/// A Line that remembers its last spans, as far back as four cycles. Spans that follow each other
/// without a break are one.
struct PastLine : Line {
  struct Span {
    std::uint32_t base = 0;
    Cycle start = 0;
  };
  std::array<Span, 2> past = {};  ///< Spans before the last one, the later one first.

  /// Flits granted before `cycle`, which is at most four before the present one.
  std::uint32_t before(Cycle cycle) const {
    if (cycle > start) return Line::before(cycle);
    if (cycle > past[0].start) return std::min(past[0].base + (cycle - past[0].start), base);
    if (cycle > past[1].start) {
      return std::min(past[1].base + (cycle - past[1].start), past[0].base);
    }
    return past[1].base;
  }
  /// The cycle of flit `index`, counted from 0, if that is at most four before the present one.
  Cycle cycle_of(std::uint32_t index) const {
    if (index >= base) return start + (index - base);
    const Span& span = index >= past[0].base ? past[0] : past[1];
    return span.start + (index - span.base);
  }
  /// Number of flits, beginning with `index`, that are certain to be granted without a break if the
  /// first of them is due by `cycle`.
  std::uint32_t certain(std::uint32_t index, Cycle cycle) const {
    if (index == total || cycle_of(index) > cycle) return 0;
    const auto late = [&](std::uint32_t run_base, Cycle run_start) {
      return run_base > index && run_start > cycle + (run_base - index);
    };
    if (late(past[0].base, past[0].start)) return past[0].base - index;
    if (late(base, start)) return base - index;
    return total - index;
  }
  /// Whether loaded spans are valid (Line::is_good) and in order.
  bool is_good() const {
    return Line::is_good() && base - past[0].base < kMostSpan && past[0].start <= start &&
           past[0].base - past[1].base < kMostSpan && past[1].start <= past[0].start;
  }
  void begin(Cycle cycle) {
    if (total != base && cycle == end()) return;
    if (total != base) past = {{{base, start}, past[0]}};
    Line::begin(cycle);
  }
};

}  // namespace weft
