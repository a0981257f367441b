// Ports of rtl/router/weft_packet_order.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/packet_order.hpp"

namespace weft {

constexpr auto PacketOrder::ports() {
  constexpr auto vc_w = [](const Config& c) { return index_width(c.num_vc); };
  return port_table(
      input("req_i", &Config::num_req, &In::req), input("vc_i", vc_w, &In::vc, &Config::num_req),
      input("head_i", &Config::num_req, &In::head),
      input("moves_i", std::make_tuple(port_field("", &Config::num_req, Lines{})), Itself{}),
      output("pick_o", std::make_tuple(port_field("", &Config::num_req, Lines{})), Itself{}));
}

}  // namespace weft
