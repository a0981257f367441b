// Verilated network interface with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/nic/nic.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<Nic, Nic::Config, Nic::Out>;

/// Verilated `nic`.
class RtlNic : public RtlBlock<Nic, Nic::Config, Nic::Out> {
 public:
  RtlNic(const Nic::Config& config, bool assertions) : RtlBlock("nic", config, {}, assertions) {}

  const Nic::Out& out() const { return held(); }
  bool idle(const Nic::In&) const { return false; }
  bool status_changed() const { return true; }
  const Nic::Out& step(const Nic::In& in) {
    edge(in);
    return held();
  }
};

using CosimNic = CosimPair<Nic, RtlNic>;

}  // namespace weft
