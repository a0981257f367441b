// Verilated crossbar behind the model's interface, alone and beside its model.
#pragma once

#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/verilated/rtl_links.hpp"

namespace weft {

/// Verilated `crossbar`.
class RtlCrossbar {
 public:
  RtlCrossbar(const Crossbar::Config& config, bool parity, bool assertions);

  Crossbar::Out out() const {
    return {tx_.data(), tx_valid_.data(), rx_full_.data(), rx_full_changed_.data()};
  }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in);
  /// Throws Difference where an outgoing link shows anything but 0 beside no word: `out` holds
  /// words only.
  void check_silent_links() const;

 private:
  void sample();

  unsigned num_in_, num_tx_, flit_w_;
  RtlInstance rtl_;
  RtlPort port_rx_valid_, port_rx_last_, port_rx_data_, port_rx_full_;
  RtlPort port_tx_valid_, port_tx_last_, port_tx_data_, port_tx_full_;
  std::vector<Flit> tx_;
  std::vector<std::uint64_t> rx_before_, tx_valid_, rx_full_, rx_full_changed_;
};

/// Throws Difference for the first port in which the outputs of two crossbars of one configuration
/// differ.
void compare(const Crossbar::Out& rtl, const Crossbar::Out& model, const Crossbar::Config& config);

/// Model and RTL of a crossbar; shows the model's outputs.
class BothCrossbar {
 public:
  BothCrossbar(const Crossbar::Config& config, bool parity)
      : model_(config), rtl_(config, parity, true) {
    check();
  }
  Crossbar::Out out() const { return model_.out(); }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in) {
    model_.step(in);
    rtl_.step(in);
    check();
  }

 private:
  void check() const {
    compare(rtl_.out(), model_.out(), model_.config());
    rtl_.check_silent_links();
  }

  Crossbar model_;
  RtlCrossbar rtl_;
};

}  // namespace weft
