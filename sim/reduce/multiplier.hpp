// Pipelined multiplier, cycle model of rtl/reduce/weft_multiplier.sv (rtl/reduce/README.md,
// multiplier).
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/delay_line.hpp"

namespace weft {

/// Product of two unsigned factors, three cycles later.
class Multiplier {
 public:
  struct Config {
    unsigned factor_w = 32;  ///< Bits of a factor: 4 to 32, a multiple of 4.
    unsigned prod_w = 64;    ///< Low bits of the product: `factor_w` to twice as many.
  };
  struct In {
    std::uint32_t a = 0, b = 0;  ///< Factors.
  };

  using Out = std::uint64_t;
  static constexpr auto ports();  // sim/reduce/multiplier_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit Multiplier(const Config& config) : c_(config) {
    if (c_.factor_w < 4 || c_.factor_w > 32 || c_.factor_w % 4 != 0 || c_.prod_w < c_.factor_w ||
        c_.prod_w > 2 * c_.factor_w) {
      throw ConfigError(fmt::format(
          "multiplier: factors of {} bits, product of {}, expected: factors of 4 to 32 bits, a "
          "multiple of 4, product of one to two factors' bits",
          c_.factor_w, c_.prod_w));
    }
  }

  void reset() { line_.reset(); }
  std::uint64_t out() const { return line_.out(); }

  std::uint64_t step(const In& in) {
    const std::uint64_t wanted = ~std::uint64_t{0} >> (64 - c_.prod_w);
    return line_.step(std::uint64_t{in.a} * in.b & wanted);
  }

 private:
  Config c_;
  DelayLine<std::uint64_t, 3> line_;
};

}  // namespace weft
