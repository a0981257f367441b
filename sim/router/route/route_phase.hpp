// Selects between the route by a waypoint and the direct route, model of
// rtl/router/weft_route_phase.sv (rtl/router/README.md, route_phase; Valiant 1982, UGAL: Singh
// 2005).
#pragma once

#include <cstdint>

#include "sim/packet/port_shape.hpp"
#include "sim/router/route/route_class.hpp"
#include "sim/router/route/route_load.hpp"

namespace weft {

/// Whether a packet goes to its waypoint or on to its destination. No state.
class RoutePhase {
 public:
  static constexpr const char* kBlock = "route_phase";  ///< Name as in rtl/.

  struct In {
    bool local = false;          ///< The packet is from a local port.
    bool cls = false;            ///< Class of the packet.
    RouteOut way = {}, on = {};  ///< Answers of the route unit: to the waypoint, to the
                                 ///< destination.
    std::uint32_t stamp = 0;     ///< Stamp of the packet; the low bits, as in RouteClass.
    LinkLoads loads = {};        ///< Loads of all links; only with `ugal`.
  };
  struct Out {
    RouteOut way;
    bool cls = false;  ///< Class of the packet from here on.
  };
  struct Config {
    unsigned num_vc = 2;           ///< As in RouteClass.
    unsigned low_vc = num_vc / 2;  ///< As in RouteClass.
    unsigned num_links = 4;        ///< Ports to neighbours; local ports follow.
    unsigned num_local = 1;        ///< Local ports.
    unsigned load_w = 8;           ///< Bits of a load.
    bool ugal = false;             ///< Packets may go directly, by load.

    unsigned num_ports() const { return num_links + num_local; }
    unsigned port_w() const { return index_width(num_ports()); }
  };
  using PortConfig = Config;
  static constexpr auto ports();  // sim/router/route/route_phase_ports.hpp

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
