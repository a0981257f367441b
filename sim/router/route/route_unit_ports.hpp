// Ports of rtl/router/weft_route_unit.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_unit.hpp"

namespace weft {

constexpr auto RouteUnit::ports() {
  constexpr auto width = &PortConfig::width, port_w = &PortConfig::port_w;
  return port_table(
      input("port_i", port_w, &In::port),
      input(
          "own_i", [](const PortConfig& c) { return c.has_table() ? 0 : c.width(); }, &In::own),
      input("src_i", width, &In::src), input("dst_i", width, &In::dst),
      input("other_way_i", 1, &In::other_way), input("reverse_i", 1, &In::reverse),
      input(
          "table_i",
          [](const PortConfig& c) {
            return c.has_table() ? c.config.tables->addresses() * (c.port_w() + kVcSetW) : 0;
          },
          &In::table),
      output("port_o", port_w, &Out::port), output("set_o", kVcSetW, &Out::set));
}

}  // namespace weft
