// Aggregation arithmetic on a stream of words, cycle model of rtl/reduce/weft_reduce_unit.sv
// (rtl/reduce/README.md, reduce_unit; seed 003).
#pragma once

#include <array>
#include <cstdint>

#include "sim/packet/packet.hpp"
#include "sim/reduce/compare_add.hpp"
#include "sim/reduce/delay_line.hpp"
#include "sim/reduce/fp_element.hpp"
#include "sim/reduce/mean_div.hpp"
#include "sim/reduce/multiplier.hpp"

namespace weft {

/// Combines the word in memory and the arriving word: one pair per cycle, no back-pressure.
///
/// The models of its blocks, wired as in the RTL: integer sums and all comparisons are computed in
/// the first cycle and pipelined beside four multipliers and two floating-point elements; for means
/// a division follows. `reduce_word` computes the same in one step and is used by the network
/// interface.
class ReduceUnit {
 public:
  struct In {
    bool valid = false;  ///< A pair of words enters.
    /// The stream may contain means: every word takes `kMeanLatency` cycles instead of
    /// `kReduceLatency`. Changes only while no word is inside.
    bool mean = false;
    ReduceOp op = ReduceOp::kStore;        ///< Operation; `kMean` only with `mean`.
    ReduceType type = ReduceType::kInt32;  ///< Type of the words' elements.
    std::uint32_t count = 1;               ///< Divisor of a mean, 1 to 65535; 0 counts as 1.
    std::uint64_t held = 0;                ///< The word in memory.
    std::uint64_t word = 0;                ///< The arriving word.
  };
  struct Out {
    bool valid = false;      ///< A result leaves.
    std::uint64_t word = 0;  ///< The result; 0 if there is none.
  };

  static constexpr auto ports();  // sim/reduce/reduce_unit_ports.hpp

  void reset() { *this = ReduceUnit(); }

  const Out& out() const { return out_; }

  const Out& step(const In& in) {
    // From the last stage to the first, so that each reads the state of the one before it in this
    // cycle.
    Inside result = late_;
    if (arithmetic_of_floats(result)) {
      result.word = std::uint64_t{elements_[1].out()} << 32 | elements_[0].out();
    }
    const bool leaves = in.mean ? divides_.out() : result.valid;
    out_ = leaves ? Out{true, in.mean ? mean_div_.out() : result.word} : Out{};

    divides_.step(sum_.valid);
    mean_div_.step({sum_.op == ReduceOp::kMean, sum_.type, sum_.count, sum_.word});
    sum_ = result;
    sum_.valid = result.valid && in.mean;

    late_ = early_.out();
    if (late_.op == ReduceOp::kProd && late_.type != ReduceType::kFp32) late_.word = product();

    const auto a = halves(in.held), b = halves(in.word);
    low_.step({a[0], b[0]});
    high_.step({a[1], b[1]});
    cross_a_.step({a[1], b[0]});
    cross_b_.step({a[0], b[1]});
    for (unsigned l = 0; l < 2; ++l) elements_[l].step({in.op == ReduceOp::kProd, a[l], b[l]});
    early_.step(
        {in.valid, in.op, in.type, in.count, CompareAdd::result(in.op, in.type, in.held, in.word)});
    return out_;
  }

 private:
  // A word in the pipeline.
  struct Inside {
    bool valid = false;
    ReduceOp op = ReduceOp::kStore;
    ReduceType type = ReduceType::kInt32;
    std::uint32_t count = 1;
    std::uint64_t word = 0;
  };

  static std::array<std::uint32_t, 2> halves(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  static bool arithmetic_of_floats(const Inside& word) {
    return word.type == ReduceType::kFp32 && word.op != ReduceOp::kStore &&
           !CompareAdd::compares(word.op);
  }

  // Product of the multipliers, for the type of the word that leaves `early_`.
  std::uint64_t product() const {
    const std::uint64_t low = low_.out();
    const std::uint64_t upper = early_.out().type == ReduceType::kInt64
                                    ? (low >> 32) + cross_a_.out() + cross_b_.out()
                                    : high_.out();
    return upper << 32 | (low & 0xffffffff);
  }

  Multiplier low_{{32, 64}}, high_{{32, 32}}, cross_a_{{32, 32}}, cross_b_{{32, 32}};
  std::array<FpElement, 2> elements_;
  DelayLine<Inside, 3> early_;  // Words beside the multipliers.
  Inside late_;                 // Word with the multipliers' product.
  Inside sum_;                  // For means: the result to be divided.
  MeanDiv mean_div_;
  DelayLine<bool, kMeanLatency - kReduceLatency - 1>
      divides_;  // Whether a word is in each stage of the division.
  Out out_;
};

}  // namespace weft
