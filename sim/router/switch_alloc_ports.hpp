// Ports of rtl/router/weft_switch_alloc.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/switch_alloc.hpp"

namespace weft {

constexpr auto SwitchAlloc::ports() {
  constexpr auto vc_w = [](const Config& c) { return index_width(c.num_vc); };
  return port_table(
      input("now_i", kStampW, &In::now), input("req_i", &Config::num_req, &In::req),
      input("vc_i", vc_w, &In::vc, &Config::num_req), input("head_i", &Config::num_req, &In::head),
      input("last_i", &Config::num_req, &In::last),
      input("stamp_i", kStampW, &In::stamps, &Config::num_req),
      output("gnt_o", std::make_tuple(port_field("", &Config::num_req, GrantLines{})), Itself{}),
      output(
          "idx_o", [](const Config& c) { return index_width(c.num_req); }, &Out::idx));
}

}  // namespace weft
