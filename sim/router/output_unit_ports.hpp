// Ports of rtl/router/weft_output_unit.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/output_unit.hpp"

namespace weft {

constexpr auto OutputUnit::ports() {
  constexpr auto count_w = [](const PortConfig& c) { return std::bit_width(c.depth); };
  constexpr auto load_w = [](const PortConfig& c) {
    return std::bit_width(std::uint64_t{c.num_vc} * c.depth);
  };
  constexpr auto num_vc = &Config::num_vc;
  return port_table(
      input("*_i", kFlitFields, &In::word), input("credit_i", num_vc, &In::credit),
      output("idle_o", 1, EachElement{[](auto& u, unsigned v, unsigned) { return u.idle(v); }},
             num_vc),
      output("credits_o", count_w,
             EachElement{[](auto& u, unsigned v, unsigned) { return u.credits(v); }}, num_vc),
      output("load_o", load_w, EachElement{[](auto& u, unsigned, unsigned) { return u.load(); }}),
      output("some_o", 1,
             EachElement{[](auto& u, unsigned v, unsigned) { return u.credits(v) != 0; }}, num_vc),
      output("*_o", kFlitFields, EachElement{[](auto& u, unsigned, unsigned) { return u.out(); }}));
}

}  // namespace weft
