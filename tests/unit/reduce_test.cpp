// The reduce unit's arithmetic against exact arithmetic on integers of any length: an operand is a
// whole number of the smallest unit, nothing is rounded before the end, and the result is found by
// looking for the nearest number of the format. And the unit's pipeline against its arithmetic at
// once.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/reduce/reduce_unit.hpp"
#include "sim/reduce/reduce_word.hpp"

namespace {

using Big = boost::multiprecision::cpp_int;
using weft::RandomStream;
using weft::reduce_word;
using weft::ReduceOp;
using weft::ReduceType;
using weft::ReduceUnit;

constexpr std::uint32_t kInfinity = 0x7f800000, kSign = 0x80000000, kNan = 0x7fc00000;

/// Value of a finite magnitude in units of 2^-149; of infinity what would follow the largest.
Big units(std::uint32_t magnitude) {
  const std::uint32_t exp = magnitude >> 23, man = magnitude & 0x7fffff;
  return exp == 0 ? Big(man) : Big(man | 0x800000) << (exp - 1);
}

/// The magnitude whose value is nearest to `numerator` / `denominator` units, of two the even one.
std::uint32_t nearest(const Big& numerator, const Big& denominator) {
  std::uint32_t low = 0, high = kInfinity;  // The last one that is not too large.
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    if (units(middle) * denominator <= numerator) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  if (low == kInfinity) return low;
  const Big twice = 2 * numerator, between = (units(low) + units(low + 1)) * denominator;
  if (twice != between) return twice < between ? low : low + 1;
  return low % 2 == 0 ? low : low + 1;
}

bool is_nan(std::uint32_t bits) {
  return (bits & ~kSign) > kInfinity;
}
bool is_infinite(std::uint32_t bits) {
  return (bits & ~kSign) == kInfinity;
}

std::uint32_t float_sum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a) || is_infinite(b)) {
    if (is_infinite(a) && is_infinite(b)) return a == b ? a : kNan;
    return is_infinite(a) ? a : b;
  }
  const auto value = [](std::uint32_t x) -> Big {
    return (x & kSign) != 0 ? -units(x & ~kSign) : units(x);
  };
  const Big sum = value(a) + value(b);
  if (sum == 0) return a & b & kSign;
  return nearest(abs(sum), 1) | (sum < 0 ? kSign : 0);
}

std::uint32_t float_product(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNan;
  const std::uint32_t sign = (a ^ b) & kSign;
  const bool zero = (a & ~kSign) == 0 || (b & ~kSign) == 0;
  if (is_infinite(a) || is_infinite(b)) return zero ? kNan : sign | kInfinity;
  // Two units of 2^-149 each.
  return nearest(units(a & ~kSign) * units(b & ~kSign), Big(1) << 149) | sign;
}

std::uint32_t float_quotient(std::uint32_t a, std::uint32_t count) {
  if (is_nan(a)) return kNan;
  if (is_infinite(a)) return a;
  return nearest(units(a & ~kSign), count) | (a & kSign);
}

std::uint32_t float_element(ReduceOp op, std::uint32_t count, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case ReduceOp::kStore:
      return b;
    case ReduceOp::kSum:
      return float_sum(a, b);
    case ReduceOp::kProd:
      return float_product(a, b);
    case ReduceOp::kMean:
      return float_quotient(float_sum(a, b), count);
    case ReduceOp::kMax:
    case ReduceOp::kMin:
      break;
  }
  if (is_nan(a) || is_nan(b)) return kNan;
  // Halves of a unit allow a zero below zero.
  const auto rank = [](std::uint32_t x) -> Big {
    return (x & kSign) != 0 ? -2 * units(x & ~kSign) - 1 : 2 * units(x);
  };
  return (rank(a) < rank(b)) == (op == ReduceOp::kMin) ? a : b;
}

/// One integer of `bits` bits: exact, then what fits.
std::uint64_t integer_element(ReduceOp op, std::uint32_t count, std::uint64_t held,
                              std::uint64_t word, unsigned bits) {
  const Big range = Big(1) << bits;
  const auto within = [&](Big x) -> Big {
    x = (x % range + range) % range;
    return x >= range / 2 ? Big(x - range) : x;
  };
  const Big a = within(held), b = within(word), sum = within(a + b);
  Big exact = b;
  if (op == ReduceOp::kSum) exact = sum;
  if (op == ReduceOp::kProd) exact = a * b;
  if (op == ReduceOp::kMax && a > b) exact = a;
  if (op == ReduceOp::kMin && a < b) exact = a;
  if (op == ReduceOp::kMean) {
    exact = abs(sum) / count;
    if (sum < 0) exact = -exact;
  }
  return static_cast<std::uint64_t>((exact % range + range) % range);
}

std::uint64_t expected(ReduceOp op, ReduceType type, std::uint32_t count, std::uint64_t held,
                       std::uint64_t word) {
  if (count == 0) count = 1;
  if (type == ReduceType::kInt64) return integer_element(op, count, held, word, 64);
  std::uint64_t result = 0;
  for (unsigned lsb = 0; lsb < 64; lsb += 32) {
    const auto a = static_cast<std::uint32_t>(held >> lsb);
    const auto b = static_cast<std::uint32_t>(word >> lsb);
    result |= (type == ReduceType::kFp32 ? float_element(op, count, a, b)
                                         : integer_element(op, count, a, b, 32))
              << lsb;
  }
  return result;
}

void check(ReduceOp op, ReduceType type, std::uint32_t count, std::uint64_t held,
           std::uint64_t word) {
  const std::uint64_t exact = expected(op, type, count, held, word);
  if (reduce_word(op, type, count, held, word) == exact) return;
  CAPTURE(static_cast<unsigned>(op));
  CAPTURE(static_cast<unsigned>(type));
  CAPTURE(count);
  CAPTURE(held);
  CAPTURE(word);
  CHECK(reduce_word(op, type, count, held, word) == exact);
}

ReduceOp any_op(RandomStream& random) {
  return static_cast<ReduceOp>(random.below(weft::kReduceOps));
}

}  // namespace

TEST_CASE("reduce: single results known from the standard") {
  const auto low = [](ReduceOp op, std::uint32_t count, std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(reduce_word(op, ReduceType::kFp32, count, a, b));
  };
  CHECK(low(ReduceOp::kSum, 1, 0x3f800000, 0xbf800000) == 0);           // 1 + -1 = +0
  CHECK(low(ReduceOp::kSum, 1, 0x80000000, 0x80000000) == 0x80000000);  // -0 + -0
  CHECK(low(ReduceOp::kSum, 1, 0x80000000, 0) == 0);
  CHECK(low(ReduceOp::kSum, 1, 0x3f800000, 0x33800000) == 0x3f800000);  // 1 + 2^-24: even
  CHECK(low(ReduceOp::kSum, 1, 0x3f800001, 0x33800000) == 0x3f800002);
  CHECK(low(ReduceOp::kSum, 1, 0x7f7fffff, 0x73000000) == 0x7f800000);  // Half a unit too large.
  CHECK(low(ReduceOp::kSum, 1, 0x7f800000, 0xff800000) == 0x7fc00000);
  CHECK(low(ReduceOp::kProd, 1, 0x00800000, 0x3f000000) == 0x00400000);  // Subnormal.
  CHECK(low(ReduceOp::kProd, 1, 0x00000001, 0x3f000000) == 0);           // Tie to nothing.
  CHECK(low(ReduceOp::kProd, 1, 0x7f800000, 0x80000000) == 0x7fc00000);
  CHECK(low(ReduceOp::kMax, 1, 0x80000000, 0) == 0);
  CHECK(low(ReduceOp::kMin, 1, 0, 0x80000000) == 0x80000000);
  CHECK(low(ReduceOp::kMax, 1, 0xffffffff, 0x7f800000) == 0x7fc00000);
  CHECK(low(ReduceOp::kMean, 3, 0x3f000000, 0x3f000000) == 0x3eaaaaab);  // 1 / 3
  CHECK(low(ReduceOp::kMean, 2, 0x00000003, 0x80000000) == 0x00000002);  // 1.5 units
  CHECK(low(ReduceOp::kStore, 1, 0, 0xff800001) == 0xff800001);          // A NaN as it is.
  CHECK(reduce_word(ReduceOp::kMean, ReduceType::kInt64, 2, ~std::uint64_t{0} - 6, 0) ==
        ~std::uint64_t{0} - 2);  // -7 / 2 = -3
}

TEST_CASE("reduce: all pairs of special floating-point values") {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t magnitude :
       {0u,          1u,          2u,          3u,          0x3fffffu,   0x400000u,   0x7fffffu,
        0x800000u,   0x800001u,   0xffffffu,   0x1fc00000u, 0x20000000u, 0x33000000u, 0x33800000u,
        0x33800001u, 0x34000000u, 0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fffffffu,
        0x40400000u, 0x4b7fffffu, 0x4b800000u, 0x5f7fffffu, 0x5f800000u, 0x73000000u, 0x7effffffu,
        0x7f7fffffu, kInfinity,   0x7f800001u, kNan,        0x7fffffffu}) {
    values.push_back(magnitude);
    values.push_back(magnitude | kSign);
  }
  for (unsigned op = 0; op < weft::kReduceOps; ++op) {
    for (const std::uint32_t a : values) {
      for (const std::uint32_t b : values) {
        for (const std::uint32_t count : {1u, 2u, 3u, 65535u}) {
          if (count != 1 && static_cast<ReduceOp>(op) != ReduceOp::kMean) continue;
          check(static_cast<ReduceOp>(op), ReduceType::kFp32, count, std::uint64_t{a} << 32 | b,
                std::uint64_t{b} << 32 | a);
        }
      }
    }
  }
}

TEST_CASE("reduce: random words against exact arithmetic") {
  RandomStream random(3);
  for (unsigned n = 0; n < 150'000; ++n) {
    const auto type = static_cast<ReduceType>(random.below(weft::kReduceTypes));
    const auto count = static_cast<std::uint32_t>(random.below(65536) >> random.below(17));
    const std::uint64_t held = random() >> (random.below(2) * random.below(64));
    std::uint64_t word = random() >> (random.below(2) * random.below(64));
    // Near each other, with equal or opposite signs, and a few exponents apart.
    if (random.below(2) == 0) word = held ^ (random() & random() & 0x8180000f8180000fu);
    check(any_op(random), type, count, held, word);
  }
}

TEST_CASE("reduce: held and word can be exchanged, except in a store") {
  RandomStream random(4);
  for (unsigned n = 0; n < 20'000; ++n) {
    const auto op = static_cast<ReduceOp>(1 + random.below(weft::kReduceOps - 1));
    const auto type = static_cast<ReduceType>(random.below(weft::kReduceTypes));
    const std::uint64_t a = random(), b = random.below(4) == 0 ? a ^ kSign : random();
    REQUIRE(reduce_word(op, type, 7, a, b) == reduce_word(op, type, 7, b, a));
  }
}

TEST_CASE("reduce: the unit gives the results at once in order, each after exactly its latency") {
  struct Entered {
    unsigned cycle;
    std::uint64_t result;
  };
  RandomStream random(5);
  ReduceUnit unit;
  std::deque<Entered> under_way;
  bool mean = false;
  unsigned results = 0;
  for (unsigned cycle = 0; cycle < 50'000; ++cycle) {
    const unsigned latency = mean ? weft::kMeanLatency : weft::kReduceLatency;
    const bool due = !under_way.empty() && under_way.front().cycle + latency == cycle;
    REQUIRE(unit.out().valid == due);
    REQUIRE(unit.out().word == (due ? under_way.front().result : 0));
    if (due) under_way.pop_front();
    results += due ? 1 : 0;
    // Now and then the unit runs empty, and the next words go the other way.
    const bool stop = cycle / 100 % 3 == 0;
    if (under_way.empty() && stop) mean = random.chance(0.5);
    ReduceUnit::In in;
    in.valid = !stop && random.chance(0.7);
    in.mean = mean;
    in.op = static_cast<ReduceOp>(random.below(weft::kReduceOps - (mean ? 0 : 1)));
    in.type = static_cast<ReduceType>(random.below(weft::kReduceTypes));
    in.count = static_cast<std::uint32_t>(1 + random.below(65535));
    in.held = random();
    in.word = random.chance(0.5) ? random() : in.held ^ (random() & random() & 0x8180000f8180000fu);
    if (in.valid) {
      under_way.push_back({cycle, reduce_word(in.op, in.type, in.count, in.held, in.word)});
    }
    if (random.below(5000) == 0) {
      unit.reset();
      under_way.clear();
    } else {
      unit.step(in);
    }
  }
  CHECK(results > 10'000);
}
