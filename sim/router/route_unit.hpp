// Any of the route units, by its kind: the one place besides rtl/router/vc_router.sv that names
// them all.
#pragma once

#include <variant>

#include "sim/router/route.hpp"
#include "sim/router/route_mesh.hpp"
#include "sim/router/route_torus.hpp"

namespace weft {

/// Route unit of a router as its configuration names it.
class RouteUnit {
 public:
  /// Throws ConfigError as the units do.
  RouteUnit(RouteKind kind, const RouteConfig& config)
      : unit_(kind == RouteKind::kMesh ? Unit(RouteMesh(config)) : Unit(RouteTorus(config))) {}

  /// Where a packet goes on that came to router `own` by in-port `port`.
  RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                 bool other_way) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->route(port, own, src, dst, other_way);
    }
    return std::get_if<RouteMesh>(&unit_)->route(port, own, src, dst);
  }

  /// The way that begins in router `own` for a packet from `src` to `dst`.
  Way way(std::uint32_t own, std::uint32_t src, std::uint32_t dst, bool other_way) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->way(own, src, dst, other_way);
    }
    return std::get_if<RouteMesh>(&unit_)->way(own, src, dst);
  }
  /// Its dimension alone.
  unsigned dimension(std::uint32_t own, std::uint32_t dst) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) return torus->dimension(own, dst);
    return std::get_if<RouteMesh>(&unit_)->dimension(own, dst);
  }

 private:
  using Unit = std::variant<RouteMesh, RouteTorus>;
  Unit unit_;
};

}  // namespace weft
