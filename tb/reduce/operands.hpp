// Operands for the benches of arithmetic: the corner cases of floating-point hardware are drawn far
// more often than by chance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/packet/packet.hpp"

namespace weft::tb {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Every kind of binary32 of both signs: zeros, subnormals, powers of two whose sums and products
/// are ties, the largest and smallest, infinities, NaNs with payloads.
inline const std::vector<std::uint32_t>& special_floats() {
  static const std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> floats;
    for (const std::uint32_t magnitude :
         {0x00000000u, 0x00000001u, 0x00000002u, 0x00000003u, 0x00400000u, 0x007fffffu, 0x00800000u,
          0x00800001u, 0x00ffffffu, 0x01000000u, 0x1a000000u, 0x20000000u, 0x33000000u, 0x33800000u,
          0x33800001u, 0x34000000u, 0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u,
          0x40000000u, 0x4b000000u, 0x4b7fffffu, 0x4b800000u, 0x5f800000u, 0x73000000u, 0x7f000000u,
          0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu}) {
      floats.push_back(magnitude);
      floats.push_back(magnitude | 0x80000000u);
    }
    return floats;
  }();
  return all;
}

/// All pairs of special values, one after the other, then begins again.
class SpecialPairs {
 public:
  Pair next() {
    const auto& all = special_floats();
    const Pair pair = {all[at_ / all.size() % all.size()], all[at_ % all.size()]};
    ++at_;
    return pair;
  }
  bool complete() const { return at_ >= special_floats().size() * special_floats().size(); }

 private:
  std::size_t at_ = 0;
};

inline std::uint32_t float_bits(bool sign, std::uint32_t exp, std::uint32_t man) {
  return std::uint32_t{sign} << 31 | (exp & 0xff) << 23 | (man & 0x7fffff);
}

/// A fraction with its ones in the highest `bits` bits, 0 to 23.
inline std::uint32_t sparse_fraction(RandomStream& random, unsigned bits) {
  const auto any = static_cast<std::uint32_t>(random.below(1u << 23));
  return any & (0x7fffffu << (23 - bits));
}

/// Operands whose product is a tie, or has one bit below it; often subnormal, at times with a
/// subnormal operand.
inline Pair product_tie(RandomStream& random) {
  const auto draw = [&random](unsigned bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  // Significands x and y, whose product has ones at `low` and at `tie`, `distance` above it, and
  // none else below `tie`: y is a quotient modulo a power of two.
  const unsigned distance = draw(4) == 0 ? 0 : draw(24), low = draw(47 - distance);
  const unsigned tie = low + distance, least_y = low > 23 ? low - 23 : 0;
  const unsigned y_zeros = least_y + draw(std::min(low, 23 - distance) + 1 - least_y);
  const unsigned x_zeros = low - y_zeros;
  const std::uint32_t odd = 1 | draw(1u << (24 - x_zeros)) >> draw(2) * draw(24);
  std::uint64_t inverse = odd;
  for (unsigned i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  const unsigned known = distance + 1;
  const std::uint64_t quotient = (std::uint64_t{distance != 0} << distance | 1) * inverse;
  const std::uint64_t any = random() << known | (quotient & low_mask(known));
  const std::uint32_t x = odd << x_zeros;
  const auto y = static_cast<std::uint32_t>((any & low_mask(24 - y_zeros)) << y_zeros);
  // As floats: the sum of their exponents is such that `tie` is half of the least subnormal, or
  // any.
  const auto x_width = static_cast<unsigned>(std::bit_width(x));
  const auto y_width = static_cast<unsigned>(std::bit_width(y));
  unsigned sum = 102 - tie + x_width + y_width;
  if (draw(3) == 0) sum = 128 + draw(250);
  const unsigned least = sum > 254 ? sum - 254 : 1, most = std::min(254u, sum - 1);
  const unsigned x_exp = least + draw(most - least + 1);
  const bool sign = draw(2) != 0, other = draw(2) != 0;
  Pair pair = {float_bits(sign, x_exp, x << (24 - x_width)),
               float_bits(other, sum - x_exp, y << (24 - y_width))};
  if (draw(4) == 0) {
    pair = {float_bits(sign, 0, x & 0x7fffff), float_bits(other, 125 - tie + y_width, pair.second)};
  }
  return draw(2) == 0 ? pair : Pair{pair.second, pair.first};
}

/// One pair of binary32 operands.
inline Pair float_pair(RandomStream& random) {
  const std::uint64_t bits = random();
  const auto a = static_cast<std::uint32_t>(bits), b = static_cast<std::uint32_t>(bits >> 32);
  const bool sign = (b >> 31) != 0;
  const std::uint32_t exp = a >> 23 & 0xff;
  const auto draw = [&random](unsigned bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  switch (random.below(12)) {
    case 0: {  // Close exponents.
      return {a, float_bits(sign, exp + draw(55) - 27, b)};
    }
    case 1: {  // Operands that cancel but for a few units.
      return {a, (a ^ 0x80000000u) + draw(17) - 8};
    }
    case 2: {  // Operands that cancel across an exponent, in ones and zeros.
      const std::uint32_t ones = 0x7fffffu >> draw(24);
      return {float_bits(!sign, exp, ~ones), float_bits(sign, exp - draw(2), ones - draw(2))};
    }
    case 3: {  // Subnormals and their neighbours.
      return {float_bits((a >> 31) != 0, draw(4), a), float_bits(sign, draw(4), b >> draw(23))};
    }
    case 4: {  // Ties of sums, and one unit or one bit beside them.
      const unsigned shift = draw(2) == 0 ? 22 + draw(4) : 1 + draw(25);
      std::uint32_t low = 1u << (shift - 1) | std::uint32_t{draw(3) == 0};
      if (draw(2) == 0) low |= 1u << draw(shift);
      if (draw(4) == 0) low = draw(4) << 21;
      return {draw(4) == 0 ? a & 0xff800000u : a,
              float_bits(sign, exp - shift, (shift < 24 ? b >> shift << shift : 0) | low)};
    }
    case 5: {  // Ties of products: 25 bits together, and a little more.
      const unsigned width = 1 + draw(12);
      return {float_bits((a >> 31) != 0, 64 + exp / 2, sparse_fraction(random, width)),
              float_bits(sign, 64 + draw(128), sparse_fraction(random, 24 - width))};
    }
    case 6: {  // Products on the edge of subnormals, of nothing, of too much.
      const std::uint32_t sum = draw(2) == 0 ? 127 - draw(52) : 381 - draw(4);
      return {float_bits((a >> 31) != 0, sum / 2 + draw(20), a >> draw(24)),
              float_bits(sign, sum - sum / 2 - draw(20), b >> draw(24))};
    }
    case 7:
    case 10:
      return product_tie(random);
    case 8: {  // Infinities and NaNs with few ones.
      const std::uint32_t ones = draw(3) == 0 ? 0 : 1u << draw(23);
      const Pair pair = {
          float_bits((a >> 31) != 0, 255, draw(2) == 0 ? ones : ones | 1u << draw(23)),
          draw(4) == 0 ? float_bits(sign, 255, 1u << draw(23)) : b};
      return draw(2) == 0 ? pair : Pair{pair.second, pair.first};
    }
    case 9: {
      const auto& all = special_floats();
      return {draw(2) == 0 ? all[draw(static_cast<unsigned>(all.size()))] : a,
              all[draw(static_cast<unsigned>(all.size()))]};
    }
    default:
      return {a, b};
  }
}

/// A word of integers: any bits, few bits, or near the ends of 32 or 64 bits.
inline std::uint64_t integer_word(RandomStream& random) {
  const std::uint64_t any = random();
  switch (random.below(6)) {
    case 0:
      return any >> random.below(64);
    case 1:
      return std::uint64_t{0} - (any >> random.below(64));
    case 2: {  // Two small integers of either sign.
      const std::uint64_t shift = random.below(32);
      const auto small = [shift](std::uint32_t bits) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> shift);
      };
      return std::uint64_t{small(static_cast<std::uint32_t>(any >> 32))} << 32 |
             small(static_cast<std::uint32_t>(any));
    }
    case 3:
      return (std::uint64_t{0x8000000080000000} << (any & 32)) + random.below(5) - 2;
    case 4:
      return (any & 1 ? 0x7fffffff80000000u : 0x800000007fffffffu) + random.below(5) - 2;
    default:
      return any;
  }
}

/// A pair of words of integers: any, or such that differ in one bit, by a little, or across a run
/// of ones and zeros.
inline std::pair<std::uint64_t, std::uint64_t> integer_pair(RandomStream& random) {
  const std::uint64_t a = integer_word(random), bit = std::uint64_t{1} << random.below(64);
  switch (random.below(6)) {
    case 0:
      return {a, a ^ bit};
    case 1:
      return {a, a + bit};
    case 2:
      return {a, a ^ (bit - 1)};
    case 3:
      return {(a & ~(bit - 1)) | random.below(bit < 4 ? bit : 4), a | (bit - 1)};
    default:
      return {a, integer_word(random)};
  }
}

/// A divisor: any, few bits, powers of two, the ends.
inline std::uint32_t divisor(RandomStream& random) {
  const auto any = static_cast<std::uint32_t>(random.below(65536));
  switch (random.below(4)) {
    case 0:
      return any >> random.below(16);
    case 1:
      return 1u << random.below(16);
    case 2: {
      constexpr std::array<std::uint32_t, 8> ends = {0, 1, 2, 3, 0x7fff, 0x8001, 0xfffe, 0xffff};
      return ends[random.below(ends.size())];
    }
    default:
      return any;
  }
}

}  // namespace weft::tb
