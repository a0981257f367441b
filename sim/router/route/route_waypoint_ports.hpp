// Ports of rtl/router/weft_route_waypoint.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_waypoint.hpp"

namespace weft {

constexpr auto RouteWaypoint::ports() {
  constexpr auto addr_w = &PortConfig::addr_w;
  return port_table(input("stamp_i", kStampW, &In::stamp), input("src_i", addr_w, &In::src),
                    output("waypoint_o", addr_w, &Out::waypoint));
}

}  // namespace weft
