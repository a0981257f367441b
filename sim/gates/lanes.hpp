// Vectors with one bit of each of many instances, and their transposition.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Instances of a group: bits of the vectors that a kernel computes with.
enum class LaneWidth : unsigned { k64 = 64, k256 = 256, k512 = 512 };

constexpr unsigned lanes(LaneWidth width) {
  return static_cast<unsigned>(width);
}
/// 64-bit words of a vector.
constexpr unsigned words(LaneWidth width) {
  return lanes(width) / 64;
}

/// Whether this processor runs kernels of a width: AVX2 for 256, AVX-512 for 512.
bool can_run(LaneWidth width);
/// The widest that this processor runs, or $WEFT_LANES: 64, 256 or 512. Throws ConfigError for
/// another value, and for one that the processor cannot run.
LaneWidth lane_width();

/// Where the words of 64 lanes of a vector are in an array [group][vector][words of a vector].
struct LaneLayout {
  std::size_t group_words = 0;  ///< Words of a group.
  std::uint32_t words = 1;      ///< Words of a vector.

  /// The word of lanes 64 `word` and up of vector 0; further vectors are `words` apart.
  std::size_t at(std::uint32_t word) const { return word / words * group_words + word % words; }
};

/// Transposes 64 words of 64 bits in place: bit c of word r becomes bit r of word c.
void transpose64(std::uint64_t* words);

/// Bits of 64 lanes by lane: bit i of `rows[l]` is that of lane l in vector i of `count` (at most
/// 64), the first of which has these lanes at `first`, the others `words` apart.
void gather_lanes(const std::uint64_t* first, std::size_t words, std::size_t count,
                  std::uint64_t* rows);

}  // namespace weft
