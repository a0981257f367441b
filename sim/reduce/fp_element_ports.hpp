// Ports of rtl/reduce/weft_fp_element.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/fp_element.hpp"

namespace weft {

constexpr auto FpElement::ports() {
  return port_table(input("prod_i", 1, &In::prod), input("a_i", 32, &In::a),
                    input("b_i", 32, &In::b), output("result_o", 32, Itself{}));
}

}  // namespace weft
