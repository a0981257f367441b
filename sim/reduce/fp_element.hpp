// Sum or product of two binary32 elements, cycle model of rtl/reduce/weft_fp_element.sv
// (rtl/reduce/README.md, fp_element; seed 003).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/packet/packet.hpp"
#include "sim/reduce/delay_line.hpp"
#include "sim/reduce/fp_round.hpp"
#include "sim/reduce/multiplier.hpp"

namespace weft {

/// One element of floating-point arithmetic, four cycles: a sum is aligned and added, a product
/// is multiplied, both exactly except that one sticky bit represents all lost bits; then the result
/// is rounded. Elements are bit patterns.
class FpElement {
 public:
  struct In {
    bool prod = false;           ///< Product instead of sum.
    std::uint32_t a = 0, b = 0;  ///< Operands.
  };

  using Out = std::uint32_t;
  static constexpr auto ports();  // sim/reduce/fp_element_ports.hpp

  static constexpr std::uint32_t kInfinity = 0x7f800000;
  /// Every resulting NaN is this one.
  static constexpr std::uint32_t kNan = 0x7fc00000;

  void reset() { *this = FpElement(); }

  std::uint32_t out() const {
    if (rounded_.nan) return kNan;
    return rounded_.infinite ? (round_.out() & kSign) | kInfinity : round_.out();
  }

  std::uint32_t step(const In& in) {
    rounded_ = exact_.out();
    // The multiplier's product has 48 bits, a sum with its carry 28.
    round_.step({rounded_.sign, rounded_.exp,
                 rounded_.prod ? multiplier_.out() : std::uint64_t{rounded_.sum} << (48 - 28)});
    const Operand a(in.a), b(in.b);
    multiplier_.step({a.sig, b.sig});
    exact_.step(in.prod ? product(a, b) : sum(a, b));
    return out();
  }

 private:
  static constexpr std::uint32_t kSign = 0x80000000;
  static constexpr int kBias = 127;

  struct Operand {
    bool sign, zero, infinite, nan;
    int exp;            // Exponent with bias; for a subnormal that of the smallest normal number.
    std::uint32_t sig;  // Significand, 24 bits.

    explicit Operand(std::uint32_t bits)
        : sign((bits & kSign) != 0),
          zero((bits & ~kSign) == 0),
          infinite((bits & ~kSign) == kInfinity),
          nan((bits & ~kSign) > kInfinity),
          exp(std::max(1, static_cast<int>(bits >> 23 & 0xff))),
          sig((bits & 0x7fffff) | ((bits >> 23 & 0xff) != 0 ? 1u << 23 : 0)) {}
  };
  // Values pipelined beside the multiplier.
  struct Exact {
    bool prod = false, sign = false, nan = false, infinite = false;
    int exp = 0;            // Exponent of the highest bit of sum or product, with bias.
    std::uint32_t sum = 0;  // Sum: a carry, 24 bits and three below them.
  };

  static Exact product(const Operand& a, const Operand& b) {
    return {true, a.sign != b.sign,
            a.nan || b.nan || (a.infinite && b.zero) || (a.zero && b.infinite),
            a.infinite || b.infinite, a.exp + b.exp - kBias + 1};
  }

  static Exact sum(Operand large, Operand small) {
    if (std::pair(small.exp, small.sig) > std::pair(large.exp, large.sig)) std::swap(large, small);
    const bool differ = large.sign != small.sign;
    const std::uint32_t all = small.sig << 3;
    const int distance = std::min(large.exp - small.exp, 31);
    const bool lost = (all & ((std::uint32_t{1} << distance) - 1)) != 0;
    const std::uint32_t aligned = all >> distance | std::uint32_t{lost};
    const std::uint32_t total = (large.sig << 3) + (differ ? 0 - aligned : aligned);
    // Operands that cancel result in +0.
    return {false,
            large.sign && !(differ && total == 0),
            large.nan || small.nan || (large.infinite && small.infinite && differ),
            large.infinite || small.infinite,
            large.exp + 1,
            total};
  }

  Multiplier multiplier_{{24, 48}};
  DelayLine<Exact, 3> exact_;
  Exact rounded_;  // The last input of `round_`.
  FpRound round_{{48}};
};

}  // namespace weft
