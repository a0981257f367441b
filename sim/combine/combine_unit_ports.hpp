// Ports of rtl/combine/weft_combine_unit.sv.
#pragma once

#include "sim/combine/combine_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CombineUnit::ports() {
  constexpr auto up_fields =
      std::make_tuple(port_field("valid", 1, &Up::valid), port_field("some", 1, &Up::some),
                      port_field("word", kDataWidth, &Up::word));
  constexpr auto down_fields = std::make_tuple(port_field("valid", 1, &Down::valid),
                                               port_field("word", kDataWidth, &Down::word));
  return port_table(
      input("post_i", 1, &In::post), input("order_*_i", kOrderFields, &In::order),
      output("full_o", 1, &Out::full), output("done_o", kCountW, &Out::done),
      output("mem_ren_o", 1, &Out::mem_ren), output("mem_raddr_o", kMemAddrW, &Out::mem_raddr),
      input("mem_rdata_i", kDataWidth, &In::mem_rdata), output("mem_wen_o", 1, &Out::mem_wen),
      output("mem_waddr_o", kMemAddrW, &Out::mem_waddr),
      output("mem_wdata_o", kDataWidth, &Out::mem_wdata),
      input("up_*_i", up_fields, &In::up, kMostChild).link(),
      output("up_credit_o", kMostChild, &Out::credit).link().apart(),
      output("up_*_o", up_fields, &Out::up).link(), input("up_credit_i", 1, &In::credit).link(),
      input("down_*_i", down_fields, &In::down).link(),
      output("down_*_o", down_fields, &Out::down).link());
}

}  // namespace weft
