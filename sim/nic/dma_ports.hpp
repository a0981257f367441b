// Ports of rtl/nic/weft_dma.sv.
#pragma once

#include "sim/nic/dma.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto Dma::ports() {
  return port_table(input("start_i", 1, &In::start), input("addr_i", kMemAddrW, &In::addr),
                    input("len_i", kLenW, &In::len), input("ready_i", 1, &In::ready),
                    output("idle_o", 1, &Shown::free), output("req_o", 1, &Out::req),
                    output("addr_o", kMemAddrW, &Out::addr), output("last_o", 1, &Out::last),
                    output("left_o", kLenW, &Shown::left));
}

}  // namespace weft
