// Ports of rtl/router/weft_vc_alloc.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/vc_alloc.hpp"

namespace weft {

constexpr auto VcAlloc::ports() {
  constexpr auto vc_w = [](const Config& c) { return index_width(c.num_vc); };
  constexpr auto count_w = [](const Config& c) { return std::bit_width(c.depth); };
  return port_table(input("*_i",
                          std::make_tuple(port_field("idle", 1, &Vc::idle),
                                          port_field("credits", count_w, &Vc::credits)),
                          &In::vcs, &Config::num_vc),
                    output("*_o",
                           std::make_tuple(port_field("vc", vc_w, &Choice::vc),
                                           port_field("credits", count_w, &Choice::credits)),
                           &Out::sets, 3));
}

}  // namespace weft
