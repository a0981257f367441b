// Ports of rtl/nic/weft_pacer.sv.
#pragma once

#include "sim/nic/pacer.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto Pacer::ports() {
  return port_table(input("start_i", 1, &In::start), input("flits_i", kLenW + 1, &In::flits),
                    input("gap_i", kGapW, &In::gap), output("ready_o", 1, &Out::ready));
}

}  // namespace weft
