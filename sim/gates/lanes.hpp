// Vectors with one bit of each of many instances, and their transposition.
#pragma once

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

/// Transposes 64 words of 64 bits in place: bit c of word r becomes bit r of word c.
void transpose64(std::uint64_t* words);

}  // namespace weft
