// Ports of rtl/reduce/weft_mean_div.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/mean_div.hpp"

namespace weft {

constexpr auto MeanDiv::ports() {
  constexpr auto type_is = [](ReduceType type) {
    return EachElement{[type](const In& in, unsigned, unsigned) { return in.type == type; }};
  };
  return port_table(input("divide_i", 1, &In::divide), input("fp_i", 1, type_is(ReduceType::kFp32)),
                    input("wide_i", 1, type_is(ReduceType::kInt64)),
                    input("count_i", kMeanCountW, &In::count), input("word_i", 64, &In::word),
                    output("result_o", 64, Itself{}));
}

}  // namespace weft
