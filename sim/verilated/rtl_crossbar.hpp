// Verilated crossbar with the model's interface, and its cosimulation pair.
#pragma once

#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<Crossbar, Crossbar::PortConfig, Crossbar::Held>;

/// Verilated `crossbar`.
class RtlCrossbar : public RtlBlock<Crossbar, Crossbar::PortConfig, Crossbar::Held> {
 public:
  RtlCrossbar(const Crossbar::Config& config, bool parity, bool assertions)
      : RtlBlock("crossbar", {config, parity}, Crossbar::Held(config), assertions),
        tx_valid_((config.num_tx() + 63) / 64),
        rx_full_(held().rx_full.size()),
        rx_full_changed_(held().rx_full.size()) {
    note_valid();
  }

  Crossbar::Out out() const {
    return {held().tx.data(), tx_valid_.data(), rx_full_.data(), rx_full_changed_.data()};
  }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in) {
    edge(in);
    note_valid();
  }

 private:
  void note_valid();

  std::vector<std::uint64_t> tx_valid_, rx_full_, rx_full_changed_;
};

using CosimCrossbar = CosimPair<Crossbar, RtlCrossbar>;

}  // namespace weft
