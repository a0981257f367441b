// Ports of rtl/link/weft_credit_gate.sv.
#pragma once

#include "sim/link/credit_gate.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CreditGate::ports() {
  return port_table(
      input("rx_*_i", kWordFields, &In::rx).link(), output("rx_full_o", 1, &Out::full).link(),
      output("tx_*_o", kFlitFields, &Out::tx).link(), input("tx_credit_i", 1, &In::credit).link());
}

}  // namespace weft
