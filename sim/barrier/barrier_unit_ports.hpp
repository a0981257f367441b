// Ports of rtl/barrier/weft_barrier_unit.sv.
#pragma once

#include "sim/barrier/barrier_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto BarrierUnit::ports() {
  return port_table(
      input("enter_i", 1, &In::enter), output("full_o", 1, &Out::full),
      input(
          "up_i", [](const Config& c) { return c.num_child > 0 ? c.num_child : 1; }, &In::up)
          .link()
          .apart(),
      output("up_o", 1, &Out::up).link(), input("down_i", 1, &In::down).link(),
      output("down_o", 1, &Out::down).link(), output("count_o", kCountW, &Out::count));
}

}  // namespace weft
