// Sum or product of two binary32 elements, cycle model of rtl/reduce/fp_element.sv (rtl/README.md,
// fp_element; seed 003).
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#include "sim/reduce/delay_line.hpp"

namespace weft {

/// One element of floating-point arithmetic, four cycles. Elements are given as their bits.
class FpElement {
 public:
  struct In {
    bool prod = false;           ///< Product, not sum.
    std::uint32_t a = 0, b = 0;  ///< Operands.
  };

  /// The only NaN that arithmetic gives.
  static constexpr std::uint32_t kNan = 0x7fc00000;

  /// The element as the host's number, and the bits of a result, every NaN the same.
  static float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
  static std::uint32_t bits(float number) {
    return number != number ? kNan : std::bit_cast<std::uint32_t>(number);
  }

  static std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return bits(number(a) + number(b)); }
  static std::uint32_t prod(std::uint32_t a, std::uint32_t b) {
    return bits(number(a) * number(b));
  }

  void reset() { line_.reset(); }
  std::uint32_t out() const { return line_.out(); }
  std::uint32_t step(const In& in) {
    return line_.step(in.prod ? prod(in.a, in.b) : sum(in.a, in.b));
  }

 private:
  // The host computes every operation in the format of its operands and rounds it once.
  static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0);

  DelayLine<std::uint32_t, 4> line_;
};

}  // namespace weft
