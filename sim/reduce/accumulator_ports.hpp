// Ports of rtl/reduce/weft_accumulator.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/accumulator.hpp"

namespace weft {

constexpr auto Accumulator::ports() {
  return port_table(
      input("mem_wen_i", 1, &In::mem_wen), input("mem_reduce_i", 1, &In::mem_reduce),
      input("hold_i", 1, &In::hold), input("mem_waddr_i", kMemAddrW, &In::mem_waddr),
      input("mem_wdata_i", kDataWidth, &In::mem_wdata),
      input("rx_count_i", kCountW, &In::rx_count, kNumRxCounts),
      input("reduce_*_i", kReductionFields, &In::reduction),
      output("mem_ren_o", 1, &Shown::mem_ren), output("mem_raddr_o", kMemAddrW, &Shown::mem_raddr),
      input("mem_rdata_i", kDataWidth, &In::mem_rdata), output("mem_wen_o", 1, &Out::mem_wen),
      output("mem_waddr_o", kMemAddrW, &Out::mem_waddr),
      output("mem_wdata_o", kDataWidth, &Out::mem_wdata),
      output("rx_count_o", kCountW, &Out::rx_count, kNumRxCounts),
      output("operates_o", 1, &Shown::operates),
      input("look_addr_i", kMemAddrW, &PortIn::look_addr, &Config::links),
      output("busy_o", &Config::links, &Shown::busy).apart(),
      output("reduced_o", &Config::links, &Shown::reduced).apart());
}

}  // namespace weft
