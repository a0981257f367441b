// Division of a word's elements by a count, cycle model of rtl/reduce/weft_mean_div.sv
// (rtl/reduce/README.md, mean_div; seed 003).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/packet/packet.hpp"
#include "sim/reduce/delay_line.hpp"
#include "sim/reduce/fp_round.hpp"

namespace weft {

/// The last step of a mean: one word per cycle, 18 cycles. Integers are truncated toward zero; for
/// floating-point numbers the significand is divided and the quotient rounded; zeros, infinities
/// and NaNs stay as they are.
class MeanDiv {
 public:
  struct In {
    bool divide = false;                   ///< Divide; else the word passes unchanged.
    ReduceType type = ReduceType::kInt32;  ///< Type of the word's elements.
    std::uint32_t count = 1;               ///< Divisor, 0 to 65535; 0 counts as 1.
    std::uint64_t word = 0;
  };

  using Out = std::uint64_t;
  static constexpr auto ports();  // sim/reduce/mean_div_ports.hpp

  void reset() { *this = MeanDiv(); }

  std::uint64_t out() const {
    std::uint64_t word = 0;
    for (unsigned l = 0; l < 2; ++l) {
      const std::uint32_t lane = rounded_.rounds[l]
                                     ? rounds_[l].out()
                                     : static_cast<std::uint32_t>(rounded_.word >> 32 * l);
      word |= std::uint64_t{lane} << 32 * l;
    }
    return word;
  }

  std::uint64_t step(const In& in) {
    rounded_ = divided_.out();
    for (unsigned l = 0; l < 2; ++l) rounds_[l].step(rounded_.quotients[l]);
    divided_.step(divide(in));
    return out();
  }

 private:
  static constexpr unsigned kSigW = 33;  // A quotient of 32 bits and a sticky bit.

  struct Divided {
    std::uint64_t word = 0;  // Word of lanes that are not rounded.
    std::array<bool, 2> rounds = {};
    std::array<FpRound::In, 2> quotients = {};
  };

  static Divided divide(const In& in) {
    Divided result;
    result.word = in.word;
    if (!in.divide) return result;
    const std::uint32_t count = in.count != 0 ? in.count : 1;
    if (in.type == ReduceType::kInt64) {
      result.word = quotient(static_cast<std::int64_t>(in.word), count);
      return result;
    }
    for (unsigned l = 0; l < 2; ++l) {
      const auto element = static_cast<std::uint32_t>(in.word >> 32 * l);
      if (in.type == ReduceType::kInt32) {
        const std::uint64_t lane = std::uint64_t{0xffffffff} << 32 * l;
        const std::uint64_t mean = quotient(static_cast<std::int32_t>(element), count);
        result.word = (result.word & ~lane) | (mean << 32 * l & lane);
      } else if ((element & 0x7fffffff) != 0 && (element >> 23 & 0xff) != 0xff) {
        result.rounds[l] = true;
        result.quotients[l] = quotient_of_float(element, count);
      }
    }
    return result;
  }

  // Every divisor is positive in 64 bits.
  static std::uint64_t quotient(std::int64_t sum, std::uint32_t count) {
    return static_cast<std::uint64_t>(sum / std::int64_t{count});
  }

  // Quotient of a number that is neither 0 nor infinite. Significand and divisor are shifted up to
  // 24 and 16 bits, so that the quotient's first one is in its highest two bits.
  static FpRound::In quotient_of_float(std::uint32_t element, std::uint32_t count) {
    const int exp = static_cast<int>(element >> 23 & 0xff);
    const std::uint32_t sig = (element & 0x7fffff) | (exp != 0 ? 1u << 23 : 0);
    const int zeros = std::countl_zero(sig) - 8, count_zeros = std::countl_zero(count) - 16;
    const std::uint64_t dividend = std::uint64_t{sig} << zeros << 23;
    const std::uint64_t divisor = std::uint64_t{count} << count_zeros;
    const bool left = dividend % divisor != 0;
    return {(element >> 31) != 0, exp + (exp == 0 ? 1 : 0) - zeros + count_zeros - 15,
            dividend / divisor << 1 | std::uint64_t{left}};
  }

  DelayLine<Divided, 17> divided_;
  Divided rounded_;  // The last input of `rounds_`.
  std::array<FpRound, 2> rounds_ = {FpRound({kSigW}), FpRound({kSigW})};
};

}  // namespace weft
