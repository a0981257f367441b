// Ports of rtl/link/weft_check_code.sv.
#pragma once

#include "sim/link/check_code.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto CheckCode::ports() {
  return port_table(input("data_i", &Config::width, &In::data),
                    output("check_o", &Config::check_w, &Out::check));
}

}  // namespace weft
