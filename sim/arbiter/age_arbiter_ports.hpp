// Ports of rtl/arbiter/weft_age_arbiter.sv.
#pragma once

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto AgeArbiter::ports() {
  return port_table(input("now_i", kStampW, &In::now), input("req_i", &Config::num_req, &In::req),
                    input("stamp_i", kStampW, &In::stamps, &Config::num_req),
                    output("oldest_o", &Config::num_req, &Out::oldest));
}

}  // namespace weft
