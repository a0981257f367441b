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

namespace {

// By halves: in each round the upper right and the lower left quarter of all squares change places.
[[gnu::always_inline]] inline void transpose(std::uint64_t* words) {
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

void transpose_plain(std::uint64_t* words) {
  transpose(words);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void transpose_avx2(std::uint64_t* words) {
  transpose(words);
}

// All of it in eight registers: the first three rounds between registers, the others within.
[[gnu::target("avx512f")]] void transpose_avx512(std::uint64_t* words) {
  using Rows [[gnu::vector_size(64), gnu::aligned(8)]] = std::uint64_t;
  using Eight [[gnu::vector_size(64)]] = std::uint64_t;
  Eight rows[8];
  for (unsigned i = 0; i < 8; ++i) rows[i] = *reinterpret_cast<const Rows*>(words + 8 * i);
  std::uint64_t mask = 0x00000000ffffffffu;
  unsigned half = 32;
#pragma GCC unroll 3
  for (; half >= 8; half >>= 1, mask ^= mask << half) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned other = i + half / 8;
      if (i & half / 8) continue;
      const Eight change = (rows[i] >> half ^ rows[other]) & mask;
      rows[other] ^= change;
      rows[i] ^= change << half;
    }
  }
  constexpr Eight kPartner[3] = {
      {4, 5, 6, 7, 0, 1, 2, 3}, {2, 3, 0, 1, 6, 7, 4, 5}, {1, 0, 3, 2, 5, 4, 7, 6}};
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr Eight kUpper[3] = {{0, 0, 0, 0, kAll, kAll, kAll, kAll},
                               {0, 0, kAll, kAll, 0, 0, kAll, kAll},
                               {0, kAll, 0, kAll, 0, kAll, 0, kAll}};
#pragma GCC unroll 3
  for (unsigned round = 0; round < 3; ++round, half >>= 1, mask ^= mask << half) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i) {
      const Eight partner = __builtin_shuffle(rows[i], kPartner[round]);
      const Eight lower = (rows[i] & mask) | (partner & mask) << half;
      const Eight upper = (partner >> half & mask) | (rows[i] & ~mask);
      rows[i] = (lower & ~kUpper[round]) | (upper & kUpper[round]);
    }
  }
  for (unsigned i = 0; i < 8; ++i) *reinterpret_cast<Rows*>(words + 8 * i) = rows[i];
}
#endif

using Transpose = void (*)(std::uint64_t*);

Transpose fastest_transpose() {
#if defined(__x86_64__)
  if (can_run(LaneWidth::k512)) return transpose_avx512;
  if (can_run(LaneWidth::k256)) return transpose_avx2;
#endif
  return transpose_plain;
}

}  // namespace

void transpose64(std::uint64_t* words) {
  static const Transpose transpose_now = fastest_transpose();
  transpose_now(words);
}

}  // namespace weft
