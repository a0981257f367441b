// Ports of rtl/router/weft_route_load.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_load.hpp"

namespace weft {

constexpr auto RouteLoad::ports() {
  constexpr auto vc_w = [](const Config& c) { return index_width(c.num_vc); };
  constexpr auto port_w = [](const Config& c) { return index_width(c.num_ports()); };
  constexpr auto rx = std::make_tuple(
      port_field("valid", 1, &Arrival::valid), port_field("last", 1, &Arrival::last),
      port_field("vc", vc_w, &Arrival::vc), port_field("len", kLenW, &Arrival::len),
      port_field("port", port_w, &Arrival::port), port_field("class", 1, &Arrival::cls));
  constexpr auto num_links = &Config::num_links;
  return port_table(
      input("rx_*_i", rx, &In::rx, &Config::num_ports),
      input("tx_credit_i", &Config::num_vc, &In::credit, num_links),
      output("low_load_o", &Config::load_w,
             EachElement{[](const Out& out, unsigned l, unsigned) { return out.low[l]; }},
             num_links)
          .held_in(&Held::low),
      output("high_load_o", &Config::load_w,
             EachElement{[](const Out& out, unsigned l, unsigned) { return out.high[l]; }},
             num_links)
          .held_in(&Held::high),
      output("busy_o", num_links,
             EachElement{[](const Out& out, unsigned, unsigned) { return out.busy; }})
          .held_in(&Held::busy));
}

}  // namespace weft
