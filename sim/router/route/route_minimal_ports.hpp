// Ports of rtl/router/weft_route_minimal.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_minimal.hpp"

namespace weft {

constexpr auto RouteMinimal::ports() {
  constexpr auto addr_w = &PortConfig::addr_w;
  return port_table(input("own_i", addr_w, &In::own), input("dst_i", addr_w, &In::dst),
                    output("mask_o", &PortConfig::links, &Out::mask));
}

}  // namespace weft
