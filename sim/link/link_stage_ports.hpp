// Ports of rtl/link/weft_link_stage.sv.
#pragma once

#include "sim/link/link_stage.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto LinkStage::ports() {
  return port_table(
      input("rx_*_i", kFlitFields, &In::rx).link(),
      input("rx_check_i", &Config::check_w, &In::check).link().when(&Config::checked),
      output("rx_back_o", &Config::lines, &Out::back).held_in(&Held::back).link(),
      output("tx_*_o", kFlitFields, &Out::tx).held_in(&Held::tx).link().without_flit(),
      output("tx_check_o", &Config::check_w, &Out::check)
          .held_in(&Held::check)
          .link()
          .when(&Config::checked),
      input("tx_back_i", &Config::lines, &In::back).link());
}

}  // namespace weft
