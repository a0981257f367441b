// Ports of rtl/router/weft_route_class.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/route/route_class.hpp"

namespace weft {

constexpr auto RouteClass::ports() {
  return port_table(input("class_i", 1, &In::cls), input("set_i", kVcSetW, &In::set),
                    input("stamp_i", kStampBits, &In::stamp), output("set_o", kVcSetW, &Out::set));
}

}  // namespace weft
