// Ports of rtl/crossbar/weft_crossbar.sv.
#pragma once

#include "sim/crossbar/crossbar.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto Crossbar::ports() {
  constexpr auto shows = [](const std::uint64_t* valid, unsigned i) {
    return (valid[i / 64] >> i % 64 & 1) != 0;
  };
  return port_table(
      config_input("own_i", kAddrWidth, &Config::own),
      input("rx_*_i", kWordFields, EachElement{[shows](const In& in, unsigned i, unsigned) {
              return shows(in.rx_valid, i) ? in.rx[i] : Flit{};
            }},
            &Config::num_in)
          .held_in(&Held::rx)
          .link(),
      output("rx_full_o", &Config::num_in, &Out::rx_full).held_in(&Held::rx_full).link().apart(),
      output("tx_*_o", kWordFields, EachElement{[shows](const Out& out, unsigned i, unsigned) {
               return shows(out.tx_valid, i) ? out.tx[i] : Flit{};
             }},
             &Config::num_tx)
          .held_in(&Held::tx)
          .link(),
      input("tx_full_i", &Config::num_tx, &In::tx_full).held_in(&Held::tx_full).link().apart());
}

}  // namespace weft
