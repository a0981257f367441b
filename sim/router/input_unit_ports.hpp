// Ports of rtl/router/weft_input_unit.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/input_unit.hpp"

namespace weft {

constexpr auto InputUnit::ports() {
  constexpr auto each = [](auto show) {
    return EachElement{[show](const InputUnit& unit, unsigned vc, unsigned) {
      return unit.valid(vc) ? show(unit, vc) : decltype(show(unit, vc)){};
    }};
  };
  constexpr auto port_w = [](const PortConfig& c) { return index_width(c.num_ports); };
  constexpr auto vc_w = [](const PortConfig& c) { return index_width(c.num_vc); };
  constexpr auto set_w = index_width(kVcSets);
  constexpr auto num_vc = &Config::num_vc;
  return port_table(
      input("rx_*_i", kFlitFields, &In::rx),
      input(
          "rx_port_i", port_w, [](auto& in) -> auto& { return in.way.port; }),
      input(
          "rx_set_i", set_w, [](auto& in) -> auto& { return in.way.set; }),
      input("rx_minimal_i", &PortConfig::num_ports, &In::minimal),
      input("pop_i", num_vc, &In::pops), input("vc_i", vc_w, &In::given, num_vc),
      input("port_i", port_w, &In::to, num_vc),
      output("valid_o", 1, each([](auto&, unsigned) { return true; }), num_vc),
      output("head_o", 1, each([](auto& u, unsigned v) { return u.head(v); }), num_vc),
      output("last_o", 1, each([](auto& u, unsigned v) { return u.word(v).last; }), num_vc),
      output("whole_o", 1, EachElement{[](auto& u, unsigned v, unsigned) { return u.whole(v); }},
             num_vc),
      output("data_o", std::make_tuple(port_field("", kFlitWidth, FlitWord{})),
             each([](auto& u, unsigned v) { return u.word(v); }), num_vc),
      output("stamp_o", kStampW, each([](auto& u, unsigned v) { return u.word(v).stamp; }), num_vc),
      output("port_o", port_w, each([](auto& u, unsigned v) { return u.port(v); }), num_vc),
      output("set_o", set_w, each([](auto& u, unsigned v) { return u.set(v); }), num_vc),
      output("minimal_o", &PortConfig::num_ports,
             each([](auto& u, unsigned v) { return u.minimal(v); }), num_vc),
      output("vc_o", vc_w, each([](auto& u, unsigned v) { return u.given_vc(v); }), num_vc),
      output("credit_o", num_vc,
             EachElement{[](auto& u, unsigned, unsigned) { return u.credit(); }}));
}

}  // namespace weft
