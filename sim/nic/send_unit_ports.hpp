// Ports of rtl/nic/weft_send_unit.sv.
#pragma once

#include "sim/nic/send_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto SendUnit::ports() {
  return port_table(
      input("node_i", kAddrWidth, &In::node), input("desc_valid_i", 1, &In::desc_valid),
      input("desc_*_i", kMessageFields, &In::desc),
      input(
          "desc_more_i", 1, [](auto& in) -> auto& { return in.desc.more; }),
      input("desc_*_i", kStartFields, &In::desc).when(&Config::timed),
      output("desc_ready_o", 1, &Shown::takes), output("empty_o", 1, &Shown::empty),
      output("mem_ren_o", 1, &Out::mem_ren), output("mem_raddr_o", kMemAddrW, &Out::mem_raddr),
      input("mem_rready_i", 1, &In::mem_rready).when(&Config::mem_ready),
      output("mem_rleft_o", kLenW, &Shown::mem_rleft).when(&Config::mem_ready),
      input("mem_rdata_i", kDataWidth, &In::mem_rdata), output("*_o", kWordFields, &Out::offer),
      input("ready_i", 1, &In::ready), output("sent_o", 1, &Out::sent));
}

}  // namespace weft
