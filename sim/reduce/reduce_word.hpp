// What the reduce unit makes of two words (rtl/reduce/README.md, reduce_unit: the operations), at
// once and with the host's arithmetic: for models that run, where ReduceUnit shows how it is made.
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/packet/packet.hpp"

namespace weft {
namespace host_arithmetic {

// The host computes every operation in the format of its operands and rounds it once.
static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0);

inline constexpr std::uint32_t kNan = 0x7fc00000;  // The only one that arithmetic gives.

inline float number(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline std::uint32_t bits(float number) {
  return number != number ? kNan : std::bit_cast<std::uint32_t>(number);
}

// Integers, `Signed` two's complement; what is too large wraps.
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
      // -0 is below +0, though the host calls them equal.
      const bool a_below = x < y || (x == y && std::bit_cast<std::int32_t>(a) < 0);
      return a_below == (op == ReduceOp::kMin) ? a : b;
    }
    case ReduceOp::kMean:  // Every count is exact as a float.
      return bits((x + y) / static_cast<float>(count));
  }
  return b;
}

}  // namespace host_arithmetic

/// The word for `held`, what memory holds, and `word`, what comes in; `count` is the divisor of a
/// mean, 1 to 65535, 0 counts as 1. The same bits on every machine with IEEE 754 arithmetic.
inline std::uint64_t reduce_word(ReduceOp op, ReduceType type, std::uint32_t count,
                                 std::uint64_t held, std::uint64_t word) {
  using namespace host_arithmetic;
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

}  // namespace weft
