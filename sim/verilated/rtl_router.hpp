// Verilated router with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/router/vc_router.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<VcRouter, VcRouter::PortConfig, VcRouter::Held>;

/// Verilated `vc_router`.
class RtlRouter : public RtlBlock<VcRouter, VcRouter::PortConfig, VcRouter::Held> {
 public:
  RtlRouter(const VcRouter::Config& config, bool parity, bool assertions)
      : RtlBlock("vc_router", {config, parity}, VcRouter::Held(config), assertions),
        words_(VcRouter::words(config.num_vc)) {
    note_valid();
  }

  VcRouter::Out out() const {
    return {held().tx.data(), tx_valid_, held().credit.data(), credits_};
  }
  /// Whether a step without flits and credits would change nothing, and nothing is on the outputs.
  bool quiet() const { return at_rest() && silent_; }
  void step(const VcRouter::In& in) {
    if (edge(in)) note_valid();
    silent_ = at_rest() && no_inputs(in) && (tx_valid_ | credits_) == 0;
  }

 private:
  void note_valid();
  bool no_inputs(const VcRouter::In& in) const;

  unsigned words_;
  std::uint64_t tx_valid_ = 0, credits_ = 0;
  bool silent_ = false;  // Nothing was on the inputs of the last step or is on the outputs.
};

using CosimRouter = CosimPair<VcRouter, RtlRouter>;

}  // namespace weft
