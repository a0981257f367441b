// Verilated crossbar with the model's interface, and its cosimulation pair.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<Crossbar>;

/// Verilated `crossbar`.
class RtlCrossbar : public RtlBlock<Crossbar> {
 public:
  RtlCrossbar(const Crossbar::Config& config, bool parity, RtlForm form)
      : RtlBlock("crossbar", {config, parity}, form),
        tx_valid_((config.num_tx() + 63) / 64),
        rx_full_(held().rx_full.size()),
        rx_full_changed_(held().rx_full.size()),
        tx_full_(tx_valid_.size()) {
    note_valid();
  }

  Crossbar::Out out() const {
    return {held().tx.data(), tx_valid_.data(), rx_full_.data(), rx_full_changed_.data()};
  }
  bool quiet() const { return false; }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const Crossbar& model, std::uint32_t now) {
    load_state(model, now);
    note_valid();
    had_words_ = true;
  }
  void step(const Crossbar::In& in) {
    if (at_rest() && same_as_last(in)) {
      std::fill(rx_full_changed_.begin(), rx_full_changed_.end(), 0);
      return;
    }
    edge(in);
    note_valid();
    note_inputs(in);
  }

 private:
  void note_valid();
  void note_inputs(const Crossbar::In& in);
  // Whether these inputs and those of the last edge are without words, and equal.
  bool same_as_last(const Crossbar::In& in) const;

  std::vector<std::uint64_t> tx_valid_, rx_full_, rx_full_changed_;
  std::vector<std::uint64_t> tx_full_;  // Buffer-Full inputs of the last edge.
  bool had_words_ = true;               // The inputs of the last edge had words.
};

using CosimCrossbar = CosimPair<Crossbar, RtlCrossbar>;

}  // namespace weft
