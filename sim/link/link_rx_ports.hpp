// Ports of rtl/link/weft_link_rx.sv.
#pragma once

#include "sim/link/link_rx.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto LinkRx::ports() {
  return port_table(input("rx_*_i", kFlitFields, &In::rx).link(),
                    input("rx_check_i", &Config::check_w, &In::check).link(),
                    output("rx_back_o", &Config::back_w, &Out::back).held_in(&Held::back).link(),
                    output("tx_*_o", kFlitFields, &Out::tx).held_in(&Held::tx).link(),
                    input("tx_credit_i", &Config::num_vc, &In::credit).link(),
                    output("errors_o", kCountW, &Out::errors).held_in(&Held::errors));
}

}  // namespace weft
