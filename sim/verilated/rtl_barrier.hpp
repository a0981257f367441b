// Verilated barrier unit with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/barrier/barrier_unit.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<BarrierUnit>;

/// Verilated `barrier_unit`.
class RtlBarrierUnit : public RtlBlock<BarrierUnit> {
 public:
  explicit RtlBarrierUnit(const BarrierUnit::Config& config, RtlForm form = false)
      : RtlBlock("barrier_unit", config, form) {}

  const BarrierUnit::Out& out() const { return held(); }
  /// Whether a step without pulses would change nothing, and no pulse is on the outputs.
  bool idle() const { return silent_; }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const BarrierUnit& model, std::uint32_t now) {
    load_state(model, now);
    silent_ = false;
  }
  const BarrierUnit::Out& step(const BarrierUnit::In& in) {
    edge(in);
    silent_ = at_rest() && !in.enter && in.up == 0 && !in.down && !held().up && !held().down;
    return held();
  }

 private:
  bool silent_ = false;
};

using CosimBarrierUnit = CosimPair<BarrierUnit, RtlBarrierUnit>;

}  // namespace weft
