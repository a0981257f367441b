// Digest of the flits on the links of a fabric: the sum of mix(flit) * A^cycle * B(link, vc) modulo
// 2^61 - 1 over all links, VCs and cycles with a flit; a polynomial in time.
//
// The order of the terms does not matter, so the digests of threads and of parts of a fabric can be
// added. Flits that follow each other on one link and VC, one a cycle, contribute their own
// polynomial times A^(first cycle) * B(link, vc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/packet/packet.hpp"

namespace weft {

/// Numbers modulo the prime 2^61 - 1; all are below it.
struct Mod61 {
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

  static constexpr std::uint64_t reduce(unsigned __int128 x) {
    // 2^61 is 1 modulo the prime: parts of 61 bits can be added.
    std::uint64_t sum = (static_cast<std::uint64_t>(x) & kPrime) +
                        (static_cast<std::uint64_t>(x >> 61) & kPrime) +
                        static_cast<std::uint64_t>(x >> 122);
    sum = (sum & kPrime) + (sum >> 61);
    return sum >= kPrime ? sum - kPrime : sum;
  }
  static constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return reduce(static_cast<unsigned __int128>(a) * b);
  }
  static constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base = times(base, base)) {
      if ((exponent & 1) != 0) result = times(result, base);
    }
    return result;
  }
};

/// The digest's A.
inline constexpr std::uint64_t kDigestBase = 0x1e3779b97f4a7c15u;

/// The digest's B: a different number from 1 to 2^40 for each link (modulo 2^24) and VC.
constexpr std::uint64_t digest_factor(std::uint32_t link, unsigned vc) {
  constexpr unsigned bits = 40;
  std::uint64_t x = std::uint64_t{link} << 16 | vc;
  x = (x + 0x5bd1e995a7u) * 0x7ed1a0b4d5u & low_mask(bits);
  x ^= x >> bits / 2;
  x = x * 0xa0761d6477u & low_mask(bits);
  return (x ^ x >> bits / 2) + 1;
}

/// All fields of a flit but its data, in one word, without padding.
inline std::uint64_t sides_of(const Flit& flit) {
  static_assert(offsetof(Flit, last) == 8 && offsetof(Flit, parity) == 9 &&
                offsetof(Flit, valid) == 10 && offsetof(Flit, vc) == 12 &&
                offsetof(Flit, stamp) == 14 && offsetof(Flit, upper) == 16);
  std::uint64_t sides;
  std::memcpy(&sides, reinterpret_cast<const std::byte*>(&flit) + 8, 8);
  return sides & ~(std::uint64_t{0xff} << 24);  // The byte after `valid`.
}

/// Bits of the fields in `sides_of`.
struct FlitSides {
  static constexpr unsigned kLast = 0, kParity = 8, kValid = 16, kVc = 32, kStamp = 48;
};

/// Mix of all fields of a flit, given as its data and its sides.
constexpr std::uint64_t mix_flit(std::uint64_t data, std::uint64_t sides) {
  const auto product =
      static_cast<unsigned __int128>(data ^ 0x9e3779b97f4a7c15u) * (sides ^ 0xe7037ed1a0b428dbu);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// One word for all data of a flit: its low word, with `count` further words mixed in. Words of 0
/// change nothing, so a header has the same value at every width.
constexpr std::uint64_t fold_data(std::uint64_t low, const std::uint64_t* upper, unsigned count) {
  for (unsigned w = 0; w < count; ++w) {
    if (upper[w] != 0) low = mix_flit(low, upper[w] + w + 1);
  }
  return low;
}

/// Term of one flit for Digest::add, from its folded data and sides.
constexpr unsigned __int128 digest_term(std::uint64_t factor, std::uint64_t data,
                                        std::uint64_t sides) {
  return static_cast<unsigned __int128>(mix_flit(data, sides)) * factor;
}

/// Term of one flit for Digest::add; `words`: 64-bit words in a flit.
inline unsigned __int128 digest_term(std::uint64_t factor, const Flit& flit, unsigned words) {
  return digest_term(factor, fold_data(flit.data, flit.upper.data(), words - 1), sides_of(flit));
}

/// The digest of some of the flits of a run.
class Digest {
 public:
  Digest() = default;
  /// A digest of flits with a known value.
  explicit Digest(std::uint64_t value) : sum_(value) {}

  /// Adds terms of flits that are on links in `cycle`; cheapest with consecutive cycles. The terms
  /// of one cycle may be added in several calls, for at most 2^24 flits in all.
  void add(std::uint64_t cycle, unsigned __int128 terms) {
    if (cycle != cycle_) go_to(cycle);
    terms_ += terms;
  }

  std::uint64_t value() const {
    return Mod61::reduce(static_cast<unsigned __int128>(Mod61::reduce(terms_)) * power_ + sum_);
  }

  /// Adds a sum of terms, modulo the prime.
  void add_value(std::uint64_t sum) {
    sum_ = Mod61::reduce(static_cast<unsigned __int128>(sum_) + sum);
  }

  /// Adds the terms of another digest.
  Digest& operator+=(const Digest& other) {
    sum_ = Mod61::reduce(static_cast<unsigned __int128>(value()) + other.value());
    terms_ = 0;
    return *this;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    std::uint64_t sum = value();
    archive(sum);
    *this = Digest(sum);
  }

 private:
  void go_to(std::uint64_t cycle) {
    sum_ = value();
    terms_ = 0;
    power_ =
        cycle == cycle_ + 1 ? Mod61::times(power_, kDigestBase) : Mod61::power(kDigestBase, cycle);
    cycle_ = cycle;
  }

  unsigned __int128 terms_ = 0;  // Terms of `cycle_`.
  std::uint64_t cycle_ = 0, power_ = 1;
  std::uint64_t sum_ = 0;  // Sum of the terms of all earlier cycles.
};

}  // namespace weft
