// Random streams. They are passed as arguments, so that the same seed gives the same run on every
// computer. The generator is xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace weft {

/// One step of splitmix64; also the mixing function of digests.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A stream of random words; satisfies std::uniform_random_bit_generator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit RandomStream(std::uint64_t seed) {
    for (auto& word : state_) word = mix64(seed++);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform over 0 to `bound` - 1; `bound` is 1 or more and below 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((*this)() >> 32) * bound >> 32; }

  /// Fraction, from 0 to below 1, of a word of a stream: its upper 53 bits.
  static double fraction_of(std::uint64_t word) {
    return static_cast<double>(word >> 11) * 0x1.0p-53;
  }

  /// A uniform random fraction, from 0 to below 1.
  double fraction() { return fraction_of((*this)()); }

  /// True with probability `p`, 0 to 1.
  bool chance(double p) { return fraction() < p; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(state_);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace weft
