// Verilated router with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/router/fast/vc_router.hpp"
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
  bool quiet() const { return false; }
  void step(const VcRouter::In& in) {
    edge(in);
    note_valid();
  }

 private:
  void note_valid();

  unsigned words_;
  std::uint64_t tx_valid_ = 0, credits_ = 0;
};

using CosimRouter = CosimPair<VcRouter, RtlRouter>;

}  // namespace weft
