// Ways round a ring, and its dateline, between the largest digit and 0: where a packet's virtual
// channels go from low to high, so that none waits for another all round (seed 004 [2.1]).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Steps upwards from digit `s` to digit `t` in a ring of `size`.
constexpr std::uint32_t steps_up(std::uint32_t size, std::uint32_t s, std::uint32_t t) {
  return t >= s ? t - s : t + size - s;
}

/// Where a ring's dateline lies for a packet.
enum class Dateline : std::uint8_t { kNone, kAhead, kBehind };

/// For one that goes up or down from digit `s` to digit `t`, seen at digit `x`.
constexpr Dateline dateline(bool up, std::uint32_t s, std::uint32_t t, std::uint32_t x) {
  if (up ? x < s : x > s) return Dateline::kBehind;
  return (up ? t < s : t > s) ? Dateline::kAhead : Dateline::kNone;
}

/// VCs by which it goes on.
constexpr VcSet dateline_set(Dateline line) {
  return line == Dateline::kAhead ? VcSet::kLow : VcSet::kHigh;
}

}  // namespace weft
