// What the processor can, and transposition.
#include "sim/gates/lanes.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "sim/base/error.hpp"

namespace weft {

bool can_run([[maybe_unused]] LaneWidth width) {
#if defined(__x86_64__)
  if (width == LaneWidth::k256) return __builtin_cpu_supports("avx2");
  if (width == LaneWidth::k512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return width == LaneWidth::k64;
}

LaneWidth lane_width() {
  if (const char* const set = std::getenv("WEFT_LANES")) {
    for (const LaneWidth width : {LaneWidth::k64, LaneWidth::k256, LaneWidth::k512}) {
      if (set != std::to_string(lanes(width))) continue;
      if (can_run(width)) return width;
      throw ConfigError(fmt::format("WEFT_LANES={}: this processor has no {}", set,
                                    width == LaneWidth::k256 ? "AVX2" : "AVX-512"));
    }
    throw ConfigError(fmt::format("WEFT_LANES={}: expected: 64, 256 or 512", set));
  }
  for (const LaneWidth width : {LaneWidth::k512, LaneWidth::k256}) {
    if (can_run(width)) return width;
  }
  return LaneWidth::k64;
}

// By halves: in each round the upper right and the lower left quarter of all squares change places.
void transpose64(std::uint64_t* words) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (unsigned half = 32; half != 0; half >>= 1, mask ^= mask << half) {
    for (unsigned row = 0; row < 64; row += 2 * half) {
      for (unsigned i = row; i < row + half; ++i) {
        const std::uint64_t change = (words[i] >> half ^ words[i + half]) & mask;
        words[i + half] ^= change;
        words[i] ^= change << half;
      }
    }
  }
}

}  // namespace weft
