// Ports of rtl/link/weft_link_tx.sv.
#pragma once

#include "sim/link/link_tx.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto LinkTx::ports() {
  return port_table(
      input("rx_*_i", kFlitFields, &In::rx).link(),
      output("rx_credit_o", &Config::num_vc, &Out::credit).held_in(&Held::credit).link(),
      output("tx_*_o", kFlitFields, &Out::tx).held_in(&Held::tx).link(),
      output("tx_check_o", &Config::check_w, &Out::check).held_in(&Held::check).link(),
      input("tx_back_i", &Config::back_w, &In::back).link(),
      output("errors_o", kCountW, &Out::errors).held_in(&Held::errors),
      output("retries_o", kCountW, &Out::retries).held_in(&Held::retries),
      output("stuck_o", 1, &Out::stuck).held_in(&Held::stuck));
}

}  // namespace weft
