// Normalising and rounding to binary32, cycle model of rtl/reduce/weft_fp_round.sv
// (rtl/reduce/README.md, fp_round).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/delay_line.hpp"

namespace weft {

/// An exact value, rounded to nearest, ties to even, one cycle later.
class FpRound {
 public:
  struct Config {
    unsigned sig_w = 48;  ///< Bits of the input significand, 26 to 48.
  };
  struct In {
    bool sign = false;
    int exp = 0;            ///< Exponent of the significand's highest bit, with bias; -511 to 511.
    std::uint64_t sig = 0;  ///< Significand.
  };

  using Out = std::uint32_t;
  static constexpr auto ports();  // sim/reduce/fp_round_ports.hpp

  /// Throws ConfigError if the width is out of range.
  explicit FpRound(const Config& config) : c_(config) {
    if (c_.sig_w < 26 || c_.sig_w > 48) {
      throw ConfigError(
          fmt::format("fp_round: significand of {} bits, expected: 26 to 48", c_.sig_w));
    }
  }

  void reset() { line_.reset(); }
  std::uint32_t out() const { return line_.out(); }

  std::uint32_t step(const In& in) {
    // A double holds every such value exactly; its conversion rounds once.
    static_assert(std::numeric_limits<float>::is_iec559);
    const double exact =
        std::ldexp(static_cast<double>(in.sig), in.exp - kBias - static_cast<int>(c_.sig_w - 1));
    const auto rounded = static_cast<float>(in.sign ? -exact : exact);
    return line_.step(std::bit_cast<std::uint32_t>(rounded));
  }

 private:
  static constexpr int kBias = 127;

  Config c_;
  DelayLine<std::uint32_t, 1> line_;
};

}  // namespace weft
