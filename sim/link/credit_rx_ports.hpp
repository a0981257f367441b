// Ports of rtl/link/weft_credit_rx.sv.
#pragma once

#include "sim/link/credit_rx.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CreditRx::ports() {
  return port_table(input("back_i", &Config::back_w, &In::back).link(),
                    output("credit_o", &Config::num_vc, &Out::credit).held_in(&Held::credit),
                    output("good_o", 1, &Out::good).held_in(&Held::good),
                    output("more_o", &Config::more_port_w, &Out::more).held_in(&Held::more),
                    output("errors_o", kCountW, &Out::errors).held_in(&Held::errors));
}

}  // namespace weft
