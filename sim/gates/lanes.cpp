// What the processor can, and transposition.
#include "sim/gates/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
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
constexpr std::uint64_t kAll = ~std::uint64_t{0};
// By round within a register: the row that each changes places with, and whether it is the upper.
struct Avx2 {
  using Rows [[gnu::vector_size(32)]] = std::uint64_t;
  using Unaligned [[gnu::vector_size(32), gnu::aligned(8)]] = std::uint64_t;
  static constexpr Rows kPartner[] = {{2, 3, 0, 1}, {1, 0, 3, 2}};
  static constexpr Rows kUpper[] = {{0, 0, kAll, kAll}, {0, kAll, 0, kAll}};
};
struct Avx512 {
  using Rows [[gnu::vector_size(64)]] = std::uint64_t;
  using Unaligned [[gnu::vector_size(64), gnu::aligned(8)]] = std::uint64_t;
  static constexpr Rows kPartner[] = {
      {4, 5, 6, 7, 0, 1, 2, 3}, {2, 3, 0, 1, 6, 7, 4, 5}, {1, 0, 3, 2, 5, 4, 7, 6}};
  static constexpr Rows kUpper[] = {{0, 0, 0, 0, kAll, kAll, kAll, kAll},
                                    {0, 0, kAll, kAll, 0, 0, kAll, kAll},
                                    {0, kAll, 0, kAll, 0, kAll, 0, kAll}};
};

// Sets `result` to word `from[k]` of the rows, by k. (Returned, a vector is a question of the ABI.)
template <class Rows>
[[gnu::always_inline]] inline void shuffle(Rows& result, const Rows& rows, const Rows& from) {
#if __has_builtin(__builtin_shuffle)
  result = __builtin_shuffle(rows, from);
#else
  for (unsigned k = 0; k < sizeof(Rows) / 8; ++k) result[k] = rows[from[k]];
#endif
}

// All of it in registers of kSize words: the first rounds between registers, the others within.
template <class Registers>
[[gnu::always_inline]] inline void transpose_registers(std::uint64_t* words) {
  using Rows = typename Registers::Rows;
  using Unaligned = typename Registers::Unaligned;
  constexpr unsigned kSize = sizeof(Rows) / 8;
  constexpr unsigned kCount = 64 / kSize;
  Rows rows[kCount];
  for (unsigned i = 0; i < kCount; ++i) {
    rows[i] = *reinterpret_cast<const Unaligned*>(words + kSize * i);
  }
  std::uint64_t mask = 0x00000000ffffffffu;
  unsigned half = 32;
#pragma GCC unroll 8
  for (; half >= kSize; half >>= 1, mask ^= mask << half) {
#pragma GCC unroll 64
    for (unsigned i = 0; i < kCount; ++i) {
      const unsigned other = i + half / kSize;
      if (i & half / kSize) continue;
      const Rows change = (rows[i] >> half ^ rows[other]) & mask;
      rows[other] ^= change;
      rows[i] ^= change << half;
    }
  }
#pragma GCC unroll 8
  for (unsigned round = 0; half != 0; ++round, half >>= 1, mask ^= mask << half) {
    const Rows partner = Registers::kPartner[round], upper = Registers::kUpper[round];
#pragma GCC unroll 64
    for (unsigned i = 0; i < kCount; ++i) {
      Rows other;
      shuffle(other, rows[i], partner);
      const Rows low = (rows[i] & mask) | (other & mask) << half;
      const Rows high = (other >> half & mask) | (rows[i] & ~mask);
      rows[i] = (low & ~upper) | (high & upper);
    }
  }
  for (unsigned i = 0; i < kCount; ++i) {
    *reinterpret_cast<Unaligned*>(words + kSize * i) = rows[i];
  }
}

[[gnu::target("avx2")]] void transpose_avx2(std::uint64_t* words) {
  transpose_registers<Avx2>(words);
}

[[gnu::target("avx512f")]] void transpose_avx512(std::uint64_t* words) {
  transpose_registers<Avx512>(words);
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

void gather_lanes(const std::uint64_t* first, std::size_t words, std::size_t count,
                  std::uint64_t* rows) {
  for (std::size_t i = 0; i < count; ++i) rows[i] = first[i * words];
  std::fill(rows + count, rows + 64, 0);
  transpose64(rows);
}

}  // namespace weft
