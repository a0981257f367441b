// Directions round a ring and its dateline, the link between the largest digit and 0. A packet uses
// low VCs before the dateline and high VCs after it, so that no cycle of channel dependencies runs
// round the ring (seed 004 [2.1]).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Steps upwards from digit `s` to digit `t` in a ring of `size`.
constexpr std::uint32_t steps_up(std::uint32_t size, std::uint32_t s, std::uint32_t t) {
  return t >= s ? t - s : t + size - s;
}

/// Position of a packet relative to its ring's dateline: it does not cross it, or will, or did.
enum class Dateline : std::uint8_t { kNone, kAhead, kBehind };

/// Position of a packet that goes up or down from digit `s` to digit `t` and is at digit `x`.
constexpr Dateline dateline(bool up, std::uint32_t s, std::uint32_t t, std::uint32_t x) {
  if (up ? x < s : x > s) return Dateline::kBehind;
  return (up ? t < s : t > s) ? Dateline::kAhead : Dateline::kNone;
}

/// VC set of the packet's next link.
constexpr VcSet dateline_set(Dateline line) {
  return line == Dateline::kAhead ? VcSet::kLow : VcSet::kHigh;
}

}  // namespace weft
