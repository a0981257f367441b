// Ports of rtl/router/weft_vc_router.sv.
#pragma once

#include "sim/packet/ports.hpp"
#include "sim/router/vc_router_signals.hpp"

namespace weft {

constexpr auto VcRouterSignals::ports() {
  return port_table(
      input("rx_*_i", kFlitFields, EachElement{[](const In& in, unsigned p, unsigned) {
              return (in.rx_valid >> p & 1) != 0 ? in.rx[p] : Flit{};
            }},
            &Config::num_ports)
          .link(),
      input("route_*_i",
            std::make_tuple(port_field(
                                "port", [](const Config& c) { return index_width(c.num_ports); },
                                &RouteOut::port),
                            port_field("set", kVcSetW, &RouteOut::set)),
            EachElement{[](const In& in, unsigned p, unsigned) {
              return (in.rx_valid >> p & 1) != 0 ? in.route[p] : RouteOut{};
            }},
            &Config::num_ports),
      input("route_minimal_i", &Config::num_ports,
            EachElement{[](const In& in, unsigned p, unsigned) -> std::uint64_t {
              return (in.rx_valid >> p & 1) != 0 && in.minimal != nullptr ? in.minimal[p] : 0;
            }},
            &Config::num_ports),
      output("rx_credit_o", &Config::num_vc,
             EachElement{[](const Out& out, unsigned p, unsigned of_port) {
               return (out.credit_ports >> p & 1) != 0 ? out.credit + p * of_port : nullptr;
             }},
             &Config::num_ports)
          .held_in(&Held::credit)
          .link(),
      output("tx_*_o", kFlitFields, EachElement{[](const Out& out, unsigned p, unsigned) {
               return (out.tx_valid >> p & 1) != 0 ? out.tx[p] : Flit{};
             }},
             &Config::num_ports)
          .held_in(&Held::tx)
          .link(),
      input("tx_credit_i", &Config::num_vc, &In::credit, &Config::num_ports).link());
}

}  // namespace weft
