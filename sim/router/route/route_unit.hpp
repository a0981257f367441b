// Any of the route units, by its kind: the one place besides rtl/router/vc_router.sv that names
// them all.
#pragma once

#include <stdexcept>
#include <variant>

#include "sim/router/route/route.hpp"
#include "sim/router/route/route_board.hpp"
#include "sim/router/route/route_dce.hpp"
#include "sim/router/route/route_mesh.hpp"
#include "sim/router/route/route_omega.hpp"
#include "sim/router/route/route_torus.hpp"
#include "sim/router/route/route_tree.hpp"

namespace weft {

/// Route unit of a router as its configuration names it.
class RouteUnit {
 public:
  /// Throws ConfigError as the units do.
  RouteUnit(RouteKind kind, const RouteConfig& config) : unit_(make(kind, config)) {}

  /// Ports that lead to neighbours.
  static unsigned links(RouteKind kind, const RouteConfig& config) {
    switch (kind) {
      case RouteKind::kMesh:
        return RouteMesh::links(config);
      case RouteKind::kTorus:
        return RouteTorus::links(config);
      case RouteKind::kDce:
        return RouteDce::links(config);
      case RouteKind::kTree:
        return RouteTree::links(config);
      case RouteKind::kOmega:
        return RouteOmega::links(config);
      case RouteKind::kBoard:
        return RouteBoard::links(config);
    }
    throw std::logic_error("route unit of no kind");
  }

  /// Where a packet goes on that came to router `own` by in-port `port`.
  [[gnu::always_inline]] RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                        std::uint32_t dst, bool other_way) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->route(port, own, src, dst, other_way);
    }
    return std::visit([&](const auto& unit) { return unit.route(port, own, src, dst, other_way); },
                      unit_);
  }

  /// Whether it routes in dimension order, so that ways have numbers.
  static bool in_dimension_order(RouteKind kind) {
    return kind == RouteKind::kMesh || kind == RouteKind::kTorus;
  }
  /// In dimension order: the way that begins in router `own` for a packet from `src` to `dst`.
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
  using Unit = std::variant<RouteMesh, RouteTorus, RouteDce, RouteTree, RouteOmega, RouteBoard>;

  static Unit make(RouteKind kind, const RouteConfig& config) {
    switch (kind) {
      case RouteKind::kMesh:
        return RouteMesh(config);
      case RouteKind::kTorus:
        return RouteTorus(config);
      case RouteKind::kDce:
        return RouteDce(config);
      case RouteKind::kTree:
        return RouteTree(config);
      case RouteKind::kOmega:
        return RouteOmega(config);
      case RouteKind::kBoard:
        return RouteBoard(config);
    }
    throw std::logic_error("route unit of no kind");
  }

  Unit unit_;
};

}  // namespace weft
