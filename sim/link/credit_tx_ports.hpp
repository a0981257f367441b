// Ports of rtl/link/weft_credit_tx.sv.
#pragma once

#include "sim/link/credit_tx.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CreditTx::ports() {
  return port_table(input("credit_i", &Config::num_vc, &In::credit),
                    input("add_vc_i", &Config::index_w, &In::add_vc),
                    input("add_i", &Config::count_w, &In::add),
                    input("more_i", &Config::more_port_w, &In::more),
                    output("back_o", &Config::back_w, &Out::back).held_in(&Held::back).link());
}

}  // namespace weft
