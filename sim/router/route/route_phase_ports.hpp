// Ports of rtl/router/weft_route_phase.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_phase.hpp"

namespace weft {

constexpr auto RoutePhase::ports() {
  constexpr auto port_w = &Config::port_w;
  constexpr auto answer = std::make_tuple(port_field("port", port_w, &RouteOut::port),
                                          port_field("set", kVcSetW, &RouteOut::set));
  return port_table(
      input("local_i", 1, &In::local), input("class_i", 1, &In::cls),
      input("way_*_i", answer, &In::way), input("on_*_i", answer, &In::on),
      input("stamp_i", RouteClass::kStampBits, &In::stamp),
      input("low_load_i", &Config::load_w, EachElement{[](const In& in, unsigned l, unsigned) {
              return in.loads.low == nullptr ? 0 : in.loads.low[l];
            }},
            &Config::num_links),
      input("high_load_i", &Config::load_w, EachElement{[](const In& in, unsigned l, unsigned) {
              return in.loads.high == nullptr ? 0 : in.loads.high[l];
            }},
            &Config::num_links),
      input("busy_i", &Config::num_links,
            EachElement{[](const In& in, unsigned, unsigned) { return in.loads.busy; }}),
      output("*_o", answer, &Out::way), output("class_o", 1, &Out::cls));
}

}  // namespace weft
