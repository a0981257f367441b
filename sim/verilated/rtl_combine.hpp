// Verilated combine unit with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/combine/combine_unit.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<CombineUnit>;

/// Verilated `combine_unit`.
class RtlCombineUnit : public RtlBlock<CombineUnit> {
 public:
  explicit RtlCombineUnit(const CombineUnit::Config& config, RtlForm form = false)
      : RtlBlock("combine_unit", config, form) {}

  const CombineUnit::Out& out() const { return held(); }
  /// Whether a step without orders, words and credits would change nothing, and nothing is on the
  /// outputs. The order and the word from memory stay as they are.
  bool idle() const { return silent_; }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const CombineUnit& model, std::uint32_t now) {
    load_state(model, now);
    silent_ = false;
  }
  const CombineUnit::Out& step(const CombineUnit::In& in);

 private:
  bool silent_ = false;
};

using CosimCombineUnit = CosimPair<CombineUnit, RtlCombineUnit>;

}  // namespace weft
