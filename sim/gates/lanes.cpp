// What the processor can, and transposition.
#include "sim/gates/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "sim/base/error.hpp"
#include "sim/gates/intrinsics.hpp"

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

// Byte 8r + c of a register comes from byte 8c + r, or from 8(7 - c) + r.
struct ByteOrder {
  alignas(64) std::uint8_t from[64];
};
constexpr ByteOrder byte_order(bool backwards) {
  ByteOrder order{};
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned column = backwards ? 7 - i % 8 : i % 8;
    order.from[i] = static_cast<std::uint8_t>(8 * column + i / 8);
  }
  return order;
}
constexpr ByteOrder kForwards = byte_order(false), kBackwards = byte_order(true);

// By squares of 8 x 8 bits: each is a matrix of GF(2) for an instruction that multiplies it with
// the unit matrix, which transposes it if its rows come backwards; then the squares change places.
[[gnu::target("avx512f,avx512bw,avx512vbmi,gfni")]] void transpose_squares(std::uint64_t* words) {
  const __m512i forwards = _mm512_load_si512(kForwards.from);
  const __m512i backwards = _mm512_load_si512(kBackwards.from);
  const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201u));
  __m512i rows[8], pairs[8], fours[8];
  for (unsigned i = 0; i < 8; ++i) {
    const __m512i bytes = _mm512_permutexvar_epi8(backwards, _mm512_loadu_si512(words + 8 * i));
    rows[i] = _mm512_gf2p8affine_epi64_epi8(unit, bytes, 0);
  }
  for (unsigned i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
  }
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  for (unsigned i : {0, 1, 4, 5}) {
    fours[i] = _mm512_permutex2var_epi64(pairs[i], low, pairs[i + 2]);
    fours[i + 2] = _mm512_permutex2var_epi64(pairs[i], high, pairs[i + 2]);
  }
  for (unsigned i = 0; i < 4; ++i) {
    const __m512i first = _mm512_shuffle_i64x2(fours[i], fours[4 + i], 0x44);
    const __m512i second = _mm512_shuffle_i64x2(fours[i], fours[4 + i], 0xee);
    _mm512_storeu_si512(words + 8 * i, _mm512_permutexvar_epi8(forwards, first));
    _mm512_storeu_si512(words + 8 * (4 + i), _mm512_permutexvar_epi8(forwards, second));
  }
}
#endif

using Transpose = void (*)(std::uint64_t*);

Transpose fastest_transpose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512bw")) {
    return transpose_squares;
  }
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
