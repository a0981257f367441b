// The Verilated blocks of a fabric: instances of their port templates, and the masks that the
// model's outputs have besides the values.
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

template class RtlBlock<Nic, Nic::Config, Nic::Out>;
template class RtlBlock<BarrierUnit, BarrierUnit::Config, BarrierUnit::Out>;
template class RtlBlock<Crossbar, Crossbar::PortConfig, Crossbar::Held>;
template class RtlBlock<VcRouter, VcRouter::PortConfig, VcRouter::Held>;

void RtlRouter::note_valid() {
  tx_valid_ = credits_ = 0;
  for (std::size_t p = 0; p < held().tx.size(); ++p) {
    tx_valid_ |= std::uint64_t{held().tx[p].valid} << p;
    std::uint64_t any = 0;
    for (unsigned w = 0; w < words_; ++w) any |= held().credit[p * words_ + w];
    credits_ |= std::uint64_t{any != 0} << p;
  }
}

void RtlCrossbar::note_valid() {
  std::fill(tx_valid_.begin(), tx_valid_.end(), 0);
  for (std::size_t i = 0; i < held().tx.size(); ++i) {
    tx_valid_[i / 64] |= std::uint64_t{held().tx[i].valid} << i % 64;
  }
  for (std::size_t w = 0; w < rx_full_.size(); ++w) {
    rx_full_changed_[w] = held().rx_full[w] ^ rx_full_[w];
    rx_full_[w] = held().rx_full[w];
  }
}

}  // namespace weft
