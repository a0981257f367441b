// The result of the reduce unit for two words (rtl/reduce/README.md, reduce_unit: the operations),
// in one step with the arithmetic of the machine that simulates. Runs use it; ReduceUnit models the
// unit's pipeline.
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/packet/packet.hpp"

namespace weft {
namespace native_arithmetic {

// The machine computes every operation in the format of its operands and rounds once.
static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0);

inline constexpr std::uint32_t kNan = 0x7fc00000;  // Every resulting NaN is this one.

inline float number(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline std::uint32_t bits(float number) {
  return number != number ? kNan : std::bit_cast<std::uint32_t>(number);
}

// Result for integers, `Signed` in two's complement; results wrap.
template <class Signed, class Unsigned = std::make_unsigned_t<Signed>>
Unsigned of_ints(ReduceOp op, std::uint32_t count, Unsigned a, Unsigned b) {
  const auto x = static_cast<Signed>(a), y = static_cast<Signed>(b);
  switch (op) {
    case ReduceOp::kStore:
      break;
    case ReduceOp::kSum:
      return a + b;
    case ReduceOp::kProd:
      return a * b;
    case ReduceOp::kMax:
      return x > y ? a : b;
    case ReduceOp::kMin:
      return x < y ? a : b;
    case ReduceOp::kMean:  // In 64 bits, where every divisor is positive.
      return static_cast<Unsigned>(static_cast<Signed>(a + b) / std::int64_t{count});
  }
  return b;
}

inline std::uint32_t of_floats(ReduceOp op, std::uint32_t count, std::uint32_t a, std::uint32_t b) {
  const float x = number(a), y = number(b);
  switch (op) {
    case ReduceOp::kStore:
      break;
    case ReduceOp::kSum:
      return bits(x + y);
    case ReduceOp::kProd:
      return bits(x * y);
    case ReduceOp::kMax:
    case ReduceOp::kMin: {
      if (x != x || y != y) return kNan;
      // -0 is below +0, though they compare equal.
      const bool a_below = x < y || (x == y && std::bit_cast<std::int32_t>(a) < 0);
      return a_below == (op == ReduceOp::kMin) ? a : b;
    }
    case ReduceOp::kMean:  // Every count is exact as a float.
      return bits((x + y) / static_cast<float>(count));
  }
  return b;
}

}  // namespace native_arithmetic

/// The result for `held`, the word in memory, and `word`, the arriving word; `count` is the divisor
/// of a mean, 1 to 65535, 0 counts as 1. The bits are the same on every machine with IEEE 754
/// arithmetic.
inline std::uint64_t reduce_word(ReduceOp op, ReduceType type, std::uint32_t count,
                                 std::uint64_t held, std::uint64_t word) {
  using namespace native_arithmetic;
  if (count == 0) count = 1;
  if (type == ReduceType::kInt64) return of_ints<std::int64_t>(op, count, held, word);
  std::uint64_t result = 0;
  for (unsigned lsb = 0; lsb < 64; lsb += 32) {
    const auto a = static_cast<std::uint32_t>(held >> lsb);
    const auto b = static_cast<std::uint32_t>(word >> lsb);
    const std::uint32_t element = type == ReduceType::kFp32
                                      ? of_floats(op, count, a, b)
                                      : of_ints<std::int32_t>(op, count, a, b);
    result |= std::uint64_t{element} << lsb;
  }
  return result;
}

/// The results for `count` words (reduce_word); each replaces the arriving word.
inline void reduce_words(const Reduction& how, std::uint32_t count, const std::uint64_t* held,
                         std::uint64_t* words) {
  const auto each = [&](auto op, auto type) {
    for (std::uint32_t i = 0; i < count; ++i) {
      words[i] = reduce_word(op, type, how.count, held[i], words[i]);
    }
  };
  // The operation and the type do not change within the loop; this makes them known to the
  // compiler.
  const auto of_type = [&](auto type) {
    switch (how.op) {
      case ReduceOp::kStore:
        return;
      case ReduceOp::kSum:
        return each(std::integral_constant<ReduceOp, ReduceOp::kSum>{}, type);
      case ReduceOp::kMax:
        return each(std::integral_constant<ReduceOp, ReduceOp::kMax>{}, type);
      case ReduceOp::kMin:
        return each(std::integral_constant<ReduceOp, ReduceOp::kMin>{}, type);
      default:
        return each(how.op, type);
    }
  };
  switch (how.type) {
    case ReduceType::kInt32:
      return of_type(std::integral_constant<ReduceType, ReduceType::kInt32>{});
    case ReduceType::kInt64:
      return of_type(std::integral_constant<ReduceType, ReduceType::kInt64>{});
    case ReduceType::kFp32:
      return of_type(std::integral_constant<ReduceType, ReduceType::kFp32>{});
  }
}

}  // namespace weft
