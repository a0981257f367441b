// Ports of rtl/reduce/weft_reduce_lanes.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/reduce_lanes.hpp"

namespace weft {

constexpr auto ReduceLanes::ports() {
  constexpr auto links = &Config::links;
  return port_table(input("mem_wen_i", links, &In::mem_wen).apart(),
                    input("mem_reduce_i", links, &In::mem_reduce).apart(),
                    input("mem_waddr_i", kMemAddrW, &In::mem_waddr, links),
                    input("mem_wdata_i", kDataWidth, &In::mem_wdata, links),
                    output("mem_wready_o", links, &Shown::mem_wready).apart(),
                    input("rx_count_i", kCountW, &In::rx_count, &Config::counts),
                    input("reduce_*_i", kReductionFields, &In::reduction),
                    output("mem_ren_o", links, &Shown::mem_ren).apart(),
                    output("mem_raddr_o", kMemAddrW, &Shown::mem_raddr, links),
                    input("mem_rdata_i", kDataWidth, &In::mem_rdata, links),
                    output("mem_wen_o", links, &Shown::mem_wen).apart(),
                    output("mem_waddr_o", kMemAddrW, &Shown::mem_waddr, links),
                    output("mem_wdata_o", kDataWidth, &Shown::mem_wdata, links),
                    output("rx_count_o", kCountW, &Shown::rx_count, &Config::counts));
}

}  // namespace weft
