// Verilated barrier unit with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/barrier/barrier_unit.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<BarrierUnit, BarrierUnit::Config, BarrierUnit::Out>;

/// Verilated `barrier_unit`.
class RtlBarrierUnit : public RtlBlock<BarrierUnit, BarrierUnit::Config, BarrierUnit::Out> {
 public:
  explicit RtlBarrierUnit(const BarrierUnit::Config& config, bool assertions = false)
      : RtlBlock("barrier_unit", config, {}, assertions) {}

  const BarrierUnit::Out& out() const { return held(); }
  bool idle() const { return false; }
  const BarrierUnit::Out& step(const BarrierUnit::In& in) {
    edge(in);
    return held();
  }
};

using CosimBarrierUnit = CosimPair<BarrierUnit, RtlBarrierUnit>;

}  // namespace weft
