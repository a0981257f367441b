// Ports of rtl/nic/weft_inject_unit.sv.
#pragma once

#include "sim/nic/inject_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto InjectUnit::ports() {
  return port_table(input("*_i", kWordFields, &In::offer), output("ready_o", 1, &Out::ready),
                    output("tx_*_o", kFlitFields, &Out::tx),
                    input("tx_credit_i", &Config::num_vc, &In::credit));
}

}  // namespace weft
