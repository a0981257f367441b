// Ports of the Verilated router.
#include "sim/verilated/rtl_router.hpp"

#include <algorithm>
#include <bit>

namespace weft {

RtlRouter::RtlRouter(const VcRouter::Config& config, bool parity, bool assertions)
    : num_ports_(config.num_ports),
      num_vc_(config.num_vc),
      words_(VcRouter::words(config.num_vc)),
      rtl_(RtlLibrary::load({"vc_router", rtl_params(config, parity), assertions, {}})),
      port_rx_(rtl_, "rx", num_ports_, flit_width(parity), num_vc_),
      port_tx_(rtl_, "tx", num_ports_, flit_width(parity), num_vc_),
      port_rx_credit_(rtl_.port("rx_credit_o")),
      port_tx_credit_(rtl_.port("tx_credit_i")),
      tx_(num_ports_),
      credit_(std::size_t{num_ports_} * words_) {
  rtl_.port("own_i").set(config.own);
  sample();
}

void RtlRouter::step(const VcRouter::In& in) {
  // Links that carry nothing show 0: those that carried a flit before are set back.
  for (std::uint64_t m = in.rx_valid | rx_before_; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    port_rx_.drive(i, (in.rx_valid >> i & 1) != 0 ? in.rx[i] : Flit{});
  }
  rx_before_ = in.rx_valid;
  for (unsigned p = 0; p < num_ports_; ++p) {
    for (unsigned w = 0; w < words_; ++w) {
      port_tx_credit_.set_bits(p * num_vc_ + w * 64, std::min(64u, num_vc_ - w * 64),
                               in.credit[p * words_ + w]);
    }
  }
  rtl_.tick();
  sample();
}

void RtlRouter::sample() {
  tx_valid_ = credit_ports_ = 0;
  for (unsigned p = 0; p < num_ports_; ++p) {
    tx_[p] = port_tx_.sample(p);
    tx_valid_ |= std::uint64_t{tx_[p].valid} << p;
    std::uint64_t any = 0;
    for (unsigned w = 0; w < words_; ++w) {
      credit_[p * words_ + w] =
          port_rx_credit_.bits(p * num_vc_ + w * 64, std::min(64u, num_vc_ - w * 64));
      any |= credit_[p * words_ + w];
    }
    credit_ports_ |= std::uint64_t{any != 0} << p;
  }
}

void compare(const RtlRouter& rtl, const VcRouter::Out& model, const VcRouter::Config& config) {
  const VcRouter::Out shown = rtl.out();
  const unsigned words = VcRouter::words(config.num_vc);
  for (unsigned p = 0; p < config.num_ports; ++p) {
    const bool valid = (model.tx_valid >> p & 1) != 0;
    check_equal("tx", p, rtl.shown(p), valid ? model.tx[p] : Flit{});
    for (unsigned w = 0; w < words; ++w) {
      const bool gives = (model.credit_ports >> p & 1) != 0;
      check_equal(fmt::format("rx_credit_o[{}]", p), shown.credit[p * words + w],
                  gives ? model.credit[p * words + w] : 0);
    }
  }
}

}  // namespace weft
