// Ports of rtl/reduce/weft_reduce_unit.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/reduce_unit.hpp"

namespace weft {

constexpr auto ReduceUnit::ports() {
  return port_table(input("valid_i", 1, &In::valid), input("mean_i", 1, &In::mean),
                    input("op_i", kReduceOpW, &In::op), input("type_i", kReduceTypeW, &In::type),
                    input("count_i", kMeanCountW, &In::count), input("held_i", 64, &In::held),
                    input("word_i", 64, &In::word), output("valid_o", 1, &Out::valid),
                    output("word_o", 64, &Out::word));
}

}  // namespace weft
