// Division of a word's elements by a count, cycle model of rtl/reduce/mean_div.sv (rtl/README.md,
// mean_div; seed 003).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"
#include "sim/reduce/delay_line.hpp"
#include "sim/reduce/fp_element.hpp"

namespace weft {

/// The last part of a mean: one word a cycle, 18 cycles.
class MeanDiv {
 public:
  struct In {
    bool divide = false;                   ///< Else the word passes unchanged.
    ReduceType type = ReduceType::kInt32;  ///< What elements the word holds.
    std::uint32_t count = 1;               ///< Divisor, 0 to 65535; 0 counts as 1.
    std::uint64_t word = 0;
  };

  /// The elements of `word`, each divided by `count`: integers truncated toward zero,
  /// floating-point numbers rounded once, a NaN as it is.
  static std::uint64_t divide(ReduceType type, std::uint32_t count, std::uint64_t word) {
    if (count == 0) count = 1;
    // In 64 bits, where every divisor is positive.
    const auto quotient = [count](std::int64_t sum) { return sum / std::int64_t{count}; };
    if (type == ReduceType::kInt64) {
      return static_cast<std::uint64_t>(quotient(static_cast<std::int64_t>(word)));
    }
    std::uint64_t result = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      const auto element = static_cast<std::uint32_t>(word >> lsb);
      const std::uint32_t mean =
          type == ReduceType::kFp32
              ? quotient_of_float(element, count)
              : static_cast<std::uint32_t>(quotient(static_cast<std::int32_t>(element)));
      result |= std::uint64_t{mean} << lsb;
    }
    return result;
  }

  void reset() { line_.reset(); }
  std::uint64_t out() const { return line_.out(); }
  std::uint64_t step(const In& in) {
    return line_.step(in.divide ? divide(in.type, in.count, in.word) : in.word);
  }

 private:
  static std::uint32_t quotient_of_float(std::uint32_t element, std::uint32_t count) {
    const float number = FpElement::number(element);
    if (number != number) return element;
    return FpElement::bits(number / static_cast<float>(count));  // Every count is exact as a float.
  }

  DelayLine<std::uint64_t, 18> line_;
};

}  // namespace weft
