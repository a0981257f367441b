// What the switching blocks of a fabric put on the wires: functions of Fabric, of
// sim/fabric/fabric.hpp, which includes this file.
#pragma once

#include "sim/fabric/fabric.hpp"

namespace weft {

// Publishes words of the out-ports from 64 w on of block `b`.
template <class NicT, class SwitchT>
[[gnu::always_inline]] inline void Fabric<NicT, SwitchT>::publish_words(
    std::uint32_t b, std::uint32_t w, const Flit* tx, std::uint64_t now, Wires::Writer& writer) {
  const std::uint32_t* const link_of = &graph_.out_link[graph_.blocks[b].first_out + w * 64];
  // A wrong address can lead a packet out at the edge of a network, where it is lost.
  now &= connected_[first_mask_[b] + w];
  std::uint64_t& before = valid_before_[first_mask_[b] + w];
  for (std::uint64_t m = before & ~now; m != 0; m &= m - 1) {
    writer.clear(link_of[std::countr_zero(m)]);
  }
  before = now;
  for (std::uint64_t m = now; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    writer.put(link_of[i], tx[i]);
  }
}

template <class NicT, class SwitchT>
template <class Out>
void Fabric<NicT, SwitchT>::publish_full(std::uint32_t b, const Out& out) {
  const Block& block = graph_.blocks[b];
  for (std::uint32_t w = 0; w * 64 < block.num_in; ++w) {
    for (std::uint64_t m = out.rx_full_changed[w]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      wires_.full[source_port_[block.first_in + w * 64 + i]] = out.rx_full[w] >> i & 1;
    }
  }
}

template <class NicT, class SwitchT>
[[gnu::always_inline]] inline void Fabric<NicT, SwitchT>::publish_credits(
    std::uint32_t b, const VcRouterSignals::Out& out) {
  const Block& block = graph_.blocks[b];
  const std::size_t words = wires_.credit_words;
  for (std::uint64_t m = credit_before_[b] | out.credit_ports; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    std::uint64_t* const wire = &wires_.credit[source_port_[block.first_in + i] * words];
    const bool returned = (out.credit_ports >> i & 1) != 0;
    for (std::size_t w = 0; w < words; ++w) wire[w] = returned ? out.credit[i * words + w] : 0;
  }
  credit_before_[b] = out.credit_ports;
}

}  // namespace weft
