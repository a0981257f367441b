// Ports of rtl/reduce/weft_fp_round.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/reduce/fp_round.hpp"

namespace weft {

constexpr auto FpRound::ports() {
  return port_table(input("sign_i", 1, &In::sign), input("exp_i", 10, &In::exp),
                    input("sig_i", &Config::sig_w, &In::sig), output("result_o", 32, Itself{}));
}

}  // namespace weft
