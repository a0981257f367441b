// Selects between the way by a waypoint and the direct way, model of
// rtl/router/weft_route_phase.sv (rtl/router/README.md, route_phase; Valiant 1982, UGAL: Singh
// 2005).
#pragma once

#include <cstdint>

#include "sim/router/route/route_class.hpp"
#include "sim/router/route/route_load.hpp"

namespace weft {

/// Whether a packet goes by its waypoint or on to its destination. No state.
class RoutePhase {
 public:
  static constexpr const char* kBlock = "route_phase";  ///< As in rtl/.

  struct In {
    bool local = false;          ///< The packet is from a local port.
    bool cls = false;            ///< Its class.
    RouteOut way = {}, on = {};  ///< Answers of the route unit: by the waypoint, directly.
    std::uint32_t stamp = 0;     ///< Of the packet; the low bits, as of RouteClass.
    LinkLoads loads = {};        ///< Of all links; only with `ugal`.
  };
  struct Out {
    RouteOut way;
    bool cls = false;  ///< Class of the packet from here on.
  };
  struct Config {
    unsigned num_vc = 2;           ///< As of RouteClass.
    unsigned low_vc = num_vc / 2;  ///< As of RouteClass.
    unsigned num_links = 4;        ///< Ports to neighbours; local ports follow.
    unsigned num_local = 1;        ///< Local ports.
    unsigned load_w = 8;           ///< Bits of a load.
    bool ugal = false;             ///< Packets may go directly, by load.

    unsigned num_ports() const { return num_links + num_local; }
    unsigned port_w() const { return index_width(num_ports()); }
  };
  using PortConfig = Config;
  static constexpr auto ports() {
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

  /// Throws ConfigError as RouteClass.
  explicit RoutePhase(const Config& config)
      : config_(config), class_({config.num_vc, config.low_vc}) {}

  Out eval(const In& in) const {
    const bool direct = goes_on(in);
    const RouteOut& taken = direct ? in.on : in.way;
    if (is_local(taken)) return {{taken.port, VcSet::kAny}, direct};
    return {{taken.port, class_.eval({direct, taken.set, in.stamp}).set}, direct};
  }

 private:
  bool is_local(const RouteOut& way) const { return way.port >= config_.num_links; }
  bool goes_on(const In& in) const {
    if ((!in.local && in.cls) || is_local(in.way)) return true;
    if (!config_.ugal || !in.local) return false;
    if (is_local(in.on) || (in.loads.busy >> in.on.port & 1) == 0) return true;
    return in.loads.high[in.on.port] <= in.loads.low[in.way.port];
  }

  Config config_;
  RouteClass class_;
};

}  // namespace weft
