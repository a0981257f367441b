// Ports of rtl/reduce/weft_compare_add.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/compare_add.hpp"

namespace weft {

constexpr auto CompareAdd::ports() {
  return port_table(input("op_i", kReduceOpW, &In::op), input("type_i", kReduceTypeW, &In::type),
                    input("a_i", 64, &In::a), input("b_i", 64, &In::b),
                    output("result_o", 64, &Out::result));
}

}  // namespace weft
