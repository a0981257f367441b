// Ports of rtl/crossbar/weft_switch_unit.sv.
#pragma once

#include "sim/crossbar/switch_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto SwitchUnit::ports() {
  return port_table(input("*_i", kWordFields, &In::offers, &Config::num_in),
                    output("ready_o", &Config::num_in, &Out::ready),
                    output("*_o", kWordFields, &Out::word), input("ready_i", 1, &In::ready));
}

}  // namespace weft
