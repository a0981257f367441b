// Ports of rtl/reduce/weft_multiplier.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/multiplier.hpp"

namespace weft {

constexpr auto Multiplier::ports() {
  return port_table(input("a_i", &Config::factor_w, &In::a),
                    input("b_i", &Config::factor_w, &In::b),
                    output("product_o", &Config::prod_w, Itself{}));
}

}  // namespace weft
