// Ports of the Verilated crossbar.
#include "sim/verilated/rtl_crossbar.hpp"

namespace weft {

RtlCrossbar::RtlCrossbar(const Crossbar::Config& config, bool parity, bool assertions)
    : num_in_(config.num_in),
      num_tx_(config.num_tx()),
      flit_w_(flit_width(parity)),
      rtl_(RtlLibrary::load({"crossbar", rtl_params(config, parity), assertions, {}})),
      port_rx_valid_(rtl_.port("rx_valid_i")),
      port_rx_last_(rtl_.port("rx_last_i")),
      port_rx_data_(rtl_.port("rx_data_i")),
      port_rx_full_(rtl_.port("rx_full_o")),
      port_tx_valid_(rtl_.port("tx_valid_o")),
      port_tx_last_(rtl_.port("tx_last_o")),
      port_tx_data_(rtl_.port("tx_data_o")),
      port_tx_full_(rtl_.port("tx_full_i")),
      tx_(num_tx_),
      rx_before_((num_in_ + 63) / 64),
      tx_valid_((num_tx_ + 63) / 64),
      rx_full_((num_in_ + 63) / 64),
      rx_full_changed_((num_in_ + 63) / 64) {
  rtl_.port("own_i").set(config.own);
  sample();
}

void RtlCrossbar::step(const Crossbar::In& in) {
  for (unsigned w = 0; w * 64 < num_in_; ++w) {
    const unsigned count = std::min(64u, num_in_ - w * 64);
    std::uint64_t last = 0;
    // Links that carry nothing show 0: those that carried a word before are set back.
    for (std::uint64_t m = in.rx_valid[w] | rx_before_[w]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const bool valid = (in.rx_valid[w] >> i & 1) != 0;
      const Flit flit = valid ? in.rx[w * 64 + i] : Flit{};
      last |= std::uint64_t{flit.last} << i;
      port_rx_data_.set_bits((w * 64 + i) * flit_w_, 64, flit.data);
      if (flit_w_ > 64) port_rx_data_.set_bits((w * 64 + i) * flit_w_ + 64, 1, flit.parity);
    }
    port_rx_valid_.set_bits(w * 64, count, in.rx_valid[w]);
    port_rx_last_.set_bits(w * 64, count, last);
    rx_before_[w] = in.rx_valid[w];
  }
  for (unsigned w = 0; w * 64 < num_tx_; ++w) {
    port_tx_full_.set_bits(w * 64, std::min(64u, num_tx_ - w * 64), in.tx_full[w]);
  }
  rtl_.tick();
  sample();
}

void RtlCrossbar::sample() {
  for (unsigned w = 0; w * 64 < num_tx_; ++w) {
    const unsigned count = std::min(64u, num_tx_ - w * 64);
    const std::uint64_t valid = port_tx_valid_.bits(w * 64, count);
    const std::uint64_t last = port_tx_last_.bits(w * 64, count);
    for (std::uint64_t m = valid | tx_valid_[w]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      const unsigned lsb = (w * 64 + i) * flit_w_;
      tx_[w * 64 + i] = {.data = port_tx_data_.bits(lsb, 64),
                         .last = (last >> i & 1) != 0,
                         .parity = flit_w_ > 64 && port_tx_data_.bits(lsb + 64, 1) != 0,
                         .valid = (valid >> i & 1) != 0};
    }
    tx_valid_[w] = valid;
  }
  for (unsigned w = 0; w * 64 < num_in_; ++w) {
    const std::uint64_t full = port_rx_full_.bits(w * 64, std::min(64u, num_in_ - w * 64));
    rx_full_changed_[w] = full ^ rx_full_[w];
    rx_full_[w] = full;
  }
}

void RtlCrossbar::check_silent_links() const {
  for (unsigned i = 0; i < num_tx_; ++i) {
    if ((tx_valid_[i / 64] >> i % 64 & 1) != 0) continue;
    check_equal(fmt::format("tx_last_o[{}]", i), port_tx_last_.bits(i, 1), 0);
    check_equal(fmt::format("tx_data_o[{}]", i), port_tx_data_.bits(i * flit_w_, 64), 0);
    if (flit_w_ > 64) {
      check_equal(fmt::format("tx_data_o[{}] (parity)", i), port_tx_data_.bits(i * flit_w_ + 64, 1),
                  0);
    }
  }
}

void compare(const Crossbar::Out& rtl, const Crossbar::Out& model, const Crossbar::Config& config) {
  for (unsigned w = 0; w * 64 < config.num_tx(); ++w) {
    check_equal(fmt::format("tx_valid_o[{}+:64]", w * 64), rtl.tx_valid[w], model.tx_valid[w]);
    for (std::uint64_t m = rtl.tx_valid[w]; m != 0; m &= m - 1) {
      const unsigned i = w * 64 + static_cast<unsigned>(std::countr_zero(m));
      check_equal("tx", i, rtl.tx[i], model.tx[i]);
    }
  }
  for (unsigned w = 0; w * 64 < config.num_in; ++w) {
    check_equal(fmt::format("rx_full_o[{}+:64]", w * 64), rtl.rx_full[w], model.rx_full[w]);
  }
}

}  // namespace weft
