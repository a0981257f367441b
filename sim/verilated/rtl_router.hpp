// Verilated router behind the model's interface, alone and beside its model.
#pragma once

#include <vector>

#include "sim/router/fast/vc_router.hpp"
#include "sim/verilated/rtl_links.hpp"

namespace weft {

/// Verilated `vc_router`.
class RtlRouter {
 public:
  RtlRouter(const VcRouter::Config& config, bool parity, bool assertions);

  VcRouter::Out out() const { return {tx_.data(), tx_valid_, credit_.data(), credit_ports_}; }
  bool quiet() const { return false; }
  void step(const VcRouter::In& in);
  /// What shows on out-port `i`, also where no flit stands there: all 0 then.
  const Flit& shown(unsigned i) const { return tx_[i]; }

 private:
  void sample();

  unsigned num_ports_, num_vc_, words_;
  RtlInstance rtl_;
  RtlFlits port_rx_, port_tx_;
  RtlPort port_rx_credit_, port_tx_credit_;
  std::vector<Flit> tx_;
  std::uint64_t rx_before_ = 0, tx_valid_ = 0, credit_ports_ = 0;
  std::vector<std::uint64_t> credit_;
};

/// Throws Difference for the first port in which the outputs of a router and its model differ.
void compare(const RtlRouter& rtl, const VcRouter::Out& model, const VcRouter::Config& config);

/// Model and RTL of a router; shows the model's outputs.
class BothRouter {
 public:
  BothRouter(const VcRouter::Config& config, bool parity)
      : model_(config), rtl_(config, parity, true) {
    compare(rtl_, model_.out(), model_.config());
  }
  VcRouter::Out out() const { return model_.out(); }
  bool quiet() const { return false; }
  void step(const VcRouter::In& in) {
    model_.step(in);
    rtl_.step(in);
    compare(rtl_, model_.out(), model_.config());
  }
  const VcRouter& model() const { return model_; }

 private:
  VcRouter model_;
  RtlRouter rtl_;
};

}  // namespace weft
