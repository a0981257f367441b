// Reductions that need at most an addition, model of rtl/reduce/weft_compare_add.sv
// (rtl/reduce/README.md, compare_add).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"
#include "sim/reduce/fp_element.hpp"

namespace weft {

/// The second word, the sum of integers, or the larger or smaller elements. No state.
class CompareAdd {
 public:
  /// The arguments of `result`.
  struct In {
    ReduceOp op = ReduceOp::kStore;
    ReduceType type = ReduceType::kInt32;
    std::uint64_t a = 0, b = 0;
  };
  struct Out {
    std::uint64_t result = 0;
  };
  static constexpr auto ports();  // sim/reduce/compare_add_ports.hpp

  static bool compares(ReduceOp op) { return op == ReduceOp::kMax || op == ReduceOp::kMin; }

  /// For operations other than kStore, kMax and kMin the sum of integers; numbers of kFp32 are
  /// added as if they were of kInt32.
  static std::uint64_t result(ReduceOp op, ReduceType type, std::uint64_t a, std::uint64_t b) {
    if (op == ReduceOp::kStore) return b;
    const bool largest = op == ReduceOp::kMax;
    if (type == ReduceType::kInt64) {
      constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
      if (!compares(op)) return a + b;
      return ((a ^ kSign) < (b ^ kSign)) == largest ? b : a;
    }
    std::uint64_t result = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      const auto x = static_cast<std::uint32_t>(a >> lsb), y = static_cast<std::uint32_t>(b >> lsb);
      const std::uint32_t element = compares(op) ? compared(type, largest, x, y) : x + y;
      result |= std::uint64_t{element} << lsb;
    }
    return result;
  }

 private:
  // The larger or the smaller of two elements of 32 bits.
  static std::uint32_t compared(ReduceType type, bool largest, std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kSign = 0x80000000;
    const bool fp = type == ReduceType::kFp32;
    if (fp && ((a & ~kSign) > FpElement::kInfinity || (b & ~kSign) > FpElement::kInfinity)) {
      return FpElement::kNan;
    }
    // Keys whose unsigned order is that of the elements: the sign is inverted, for negative
    // floating-point numbers all bits.
    const auto key = [&](std::uint32_t x) { return fp && (x & kSign) != 0 ? ~x : x ^ kSign; };
    return (key(a) < key(b)) == largest ? b : a;
  }
};

}  // namespace weft
