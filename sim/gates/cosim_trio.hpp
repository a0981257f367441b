// A block three times: its model, its Verilated RTL, and what Yosys makes of the RTL.
#pragma once

#include "sim/gates/gate_check.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

/// As CosimPair, with the RTL as gates beside the two: all outputs of all three are compared in
/// every cycle, and the registers of RTL and gates. Its outputs are the model's.
template <class Model, class Rtl>
class CosimTrio {
 public:
  using In = typename Model::In;
  using BlockModel = Model;

  /// As CosimPair's; the last argument of the RTL's constructor is an RtlForm, with registers.
  template <class Config, class... More>
  explicit CosimTrio(const Config& config, const More&... more)
      : model_(config), rtl_(config, more...), gates_(rtl_.instance()) {
    compare();
  }

  decltype(auto) out() const { return model_.out(); }
  const Model& model() const { return model_; }
  // Always false: all are compared in every cycle.
  template <class... Ins>
  bool idle(const Ins&...) const {
    return false;
  }
  bool quiet() const { return false; }
  bool status_changed() const { return true; }

  /// Continues from the state of `model`; `now`: as for RtlState::load. Throws Difference for the
  /// first output in which they differ, CheckError for a flop that has no register in the RTL.
  void load(const Model& model, std::uint32_t now) {
    model_ = model;
    rtl_.load(model, now);
    gates_.load(rtl_.instance());
    compare();
  }
  decltype(auto) step(const typename Model::In& in) {
    model_.step(in);
    rtl_.step(in);
    gates_.step();
    compare();
    return model_.out();
  }
  /// The gates, to force nets.
  GateBlock& gates() { return gates_.gates(); }

 private:
  void compare() {
    try {
      rtl_.check(model_.out());
    } catch (const Difference& difference) {
      gates_.explain(difference);
    }
    gates_.check();
  }

  Model model_;
  Rtl rtl_;
  GateCheck gates_;
};

}  // namespace weft
