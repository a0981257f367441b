// Ports of rtl/link/weft_credit_fifo.sv.
#pragma once

#include "sim/link/credit_fifo.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CreditFifo::ports() {
  return port_table(
      input("rx_*_i", kFlitFields, &In::rx).link(), output("rx_credit_o", 1, &Out::credit).link(),
      output("tx_*_o", kWordFields, &Out::tx).link(), input("tx_full_i", 1, &In::full).link());
}

}  // namespace weft
