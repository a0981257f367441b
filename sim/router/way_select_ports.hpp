// Ports of rtl/router/weft_way_select.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/way_select.hpp"

namespace weft {

constexpr auto WaySelect::ports() {
  constexpr auto kWay = std::make_tuple(
      port_field(
          "port", [](const Config& c) { return index_width(c.num_ports); }, &RouteOut::port),
      port_field("set", kVcSetW, &RouteOut::set));
  return port_table(input("head_i", &Config::num_req, &In::head),
                    input("len_i", kLenW, &In::len, &Config::num_req),
                    input("minimal_i", &Config::num_ports, &In::minimal, &Config::num_req),
                    input("*_i", kWay, &In::way, &Config::num_req),
                    input("credits_i", &PortConfig::credit_w, &In::credits, &Config::links),
                    input("loads_i", &PortConfig::load_w, &In::loads, &Config::links),
                    input("pop_i", &Config::num_req, &In::pop),
                    output("*_o", kWay, &Out::way, &Config::num_req).held_in(&Held::way));
}

}  // namespace weft
