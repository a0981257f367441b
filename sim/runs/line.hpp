// How many flits have passed a point up to a cycle, as long as they pass in unbroken runs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace weft {

/// A cycle of a run by runs; such a run is shorter than 2^32 cycles.
using Cycle = std::uint32_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// Count of flits that are granted at one point: one a cycle in the cycles `start` to `end()` - 1,
/// after `base` of them. Counts wrap modulo 2^32. Flits of cycles to come are certain, never
/// supposed.
struct Line {
  std::uint32_t base = 0;
  Cycle start = 0;
  std::uint32_t total = 0;  ///< All flits, those of cycles to come included.

  /// Flits granted before a cycle, which is not before the last call of `begin`.
  std::uint32_t before(Cycle cycle) const {
    return cycle > start ? base + std::min(cycle - start, total - base) : base;
  }
  Cycle end() const { return start + (total - base); }
  /// First cycle for which `before` is at least `count`, a count that is certain.
  Cycle reaches(std::uint32_t count) const { return start + (count - base); }
  /// Begins a run, not before the end of the last one.
  void begin(Cycle cycle) {
    base = total;
    start = cycle;
  }
};

}  // namespace weft
