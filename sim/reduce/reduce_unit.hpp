// Aggregation arithmetic on a stream of words, cycle model of rtl/reduce/reduce_unit.sv
// (rtl/README.md, reduce_unit; seed 003).
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sim/packet/packet.hpp"
#include "sim/reduce/fp_element.hpp"
#include "sim/reduce/mean_div.hpp"

namespace weft {

/// What memory holds and what comes in, made into one word: one pair a cycle, no back-pressure.
class ReduceUnit {
 public:
  struct In {
    bool valid = false;  ///< A pair of words enters.
    /// The stream may hold means: every word takes `kMeanLatency` cycles, not `kReduceLatency`.
    /// Changes only while no word is inside.
    bool mean = false;
    ReduceOp op = ReduceOp::kStore;        ///< `kMean` only with `mean`.
    ReduceType type = ReduceType::kInt32;  ///< What elements the words hold.
    std::uint32_t count = 1;               ///< Divisor of a mean, 1 to 65535; 0 counts as 1.
    std::uint64_t held = 0;                ///< What memory holds.
    std::uint64_t word = 0;                ///< What comes in.
  };
  struct Out {
    bool valid = false;      ///< A result leaves.
    std::uint64_t word = 0;  ///< The result; 0 without.
  };

  /// What `held` and `word` are made into (rtl/README.md, reduce_unit: the operations), the same
  /// bits on every machine with IEEE 754 arithmetic.
  static std::uint64_t reduce(ReduceOp op, ReduceType type, std::uint32_t count, std::uint64_t held,
                              std::uint64_t word) {
    if (op == ReduceOp::kMean) {
      return MeanDiv::divide(type, count, reduce(ReduceOp::kSum, type, count, held, word));
    }
    if (type == ReduceType::kInt64) return of_ints<std::int64_t>(op, held, word);
    std::uint64_t result = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      const auto a = static_cast<std::uint32_t>(held >> lsb);
      const auto b = static_cast<std::uint32_t>(word >> lsb);
      const std::uint32_t element =
          type == ReduceType::kFp32 ? of_floats(op, a, b) : of_ints<std::int32_t>(op, a, b);
      result |= std::uint64_t{element} << lsb;
    }
    return result;
  }

  void reset() { *this = ReduceUnit(); }

  const Out& out() const { return out_; }

  /// True when a step without inputs changes nothing: no word is inside or leaves.
  bool idle() const { return inside_ == 0 && !out_.valid; }

  const Out& step(const In& in) {
    if (in.valid) {
      // What enters in a cycle stands at the output `latency` cycles later: with 1, after this
      // step.
      const unsigned latency = in.mean ? kMeanLatency : kReduceLatency;
      ring_[(now_ + latency - 1) % kRing] = {true,
                                             reduce(in.op, in.type, in.count, in.held, in.word)};
      ++inside_;
    }
    Out& due = ring_[now_ % kRing];
    out_ = due;
    if (due.valid) {
      due = {};
      --inside_;
    }
    ++now_;
    return out_;
  }

 private:
  static constexpr unsigned kRing = 32;
  static_assert(kReduceLatency >= 1 && kReduceLatency <= kRing);
  static_assert(kMeanLatency >= 1 && kMeanLatency <= kRing);

  /// One element of integers, `Signed` two's complement; what is too large wraps. Not of means.
  template <class Signed, class Unsigned = std::make_unsigned_t<Signed>>
  static Unsigned of_ints(ReduceOp op, Unsigned a, Unsigned b) {
    const auto x = static_cast<Signed>(a), y = static_cast<Signed>(b);
    switch (op) {
      case ReduceOp::kSum:
        return a + b;
      case ReduceOp::kProd:
        return a * b;
      case ReduceOp::kMax:
        return x > y ? a : b;
      case ReduceOp::kMin:
        return x < y ? a : b;
      case ReduceOp::kStore:
      case ReduceOp::kMean:
        break;
    }
    return b;
  }

  /// One element of binary32. Not of means.
  static std::uint32_t of_floats(ReduceOp op, std::uint32_t a, std::uint32_t b) {
    switch (op) {
      case ReduceOp::kSum:
        return FpElement::sum(a, b);
      case ReduceOp::kProd:
        return FpElement::prod(a, b);
      case ReduceOp::kMax:
      case ReduceOp::kMin: {
        const float x = FpElement::number(a), y = FpElement::number(b);
        if (x != x || y != y) return FpElement::kNan;
        return (place(a) > place(b)) == (op == ReduceOp::kMax) ? a : b;
      }
      case ReduceOp::kStore:
      case ReduceOp::kMean:
        break;
    }
    return b;
  }

  /// The place of a float among all floats in their order, -0 below +0.
  static std::int32_t place(std::uint32_t bits) {
    return static_cast<std::int32_t>((bits >> 31) != 0 ? bits ^ 0x7fffffffu : bits);
  }

  std::array<Out, kRing> ring_{};  // Results by the step after which they stand at the output.
  unsigned now_ = 0;               // Steps since reset, as far as the ring needs them; wraps.
  unsigned inside_ = 0;            // Results in the ring.
  Out out_;
};

}  // namespace weft
