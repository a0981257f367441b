// A route unit of any kind. Only this file and rtl/router/weft_vc_router.sv name all kinds.
#pragma once

#include <stdexcept>
#include <type_traits>
#include <variant>

#include "sim/router/route/route.hpp"
#include "sim/router/route/route_board.hpp"
#include "sim/router/route/route_dce.hpp"
#include "sim/router/route/route_mesh.hpp"
#include "sim/router/route/route_omega.hpp"
#include "sim/router/route/route_torus.hpp"
#include "sim/router/route/route_tree.hpp"

namespace weft {

/// The route unit of the kind that the router's configuration names.
class RouteUnit {
  // Calls `function` with the type of the unit of that kind.
  template <class Function>
  static constexpr auto of_kind(RouteKind kind, Function function) {
    switch (kind) {
      case RouteKind::kMesh:
        return function(std::type_identity<RouteMesh>());
      case RouteKind::kTorus:
        return function(std::type_identity<RouteTorus>());
      case RouteKind::kDce:
        return function(std::type_identity<RouteDce>());
      case RouteKind::kTree:
        return function(std::type_identity<RouteTree>());
      case RouteKind::kOmega:
        return function(std::type_identity<RouteOmega>());
      case RouteKind::kBoard:
        return function(std::type_identity<RouteBoard>());
    }
    throw std::logic_error("route unit of no kind");
  }

 public:
  /// Throws ConfigError as the units do.
  RouteUnit(RouteKind kind, const RouteConfig& config) : unit_(make(kind, config)) {}

  /// Ports to neighbours.
  static unsigned links(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return U::links(config); });
  }
  /// Bits of a router's own address, if the unit needs more than a node's address; else 0.
  static unsigned own_bits(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) -> unsigned {
      if constexpr (requires { U::own_bits(config); }) return U::own_bits(config);
      return 0;
    });
  }
  static constexpr RouteTraits traits(RouteKind kind) {
    return of_kind(kind, []<class U>(std::type_identity<U>) { return U::kTraits; });
  }

  /// Route of a packet at router `own` that arrived on in-port `port`.
  [[gnu::always_inline]] RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                        std::uint32_t dst, bool other_way) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->route(port, own, src, dst, other_way);
    }
    return std::visit([&](const auto& unit) { return unit.route(port, own, src, dst, other_way); },
                      unit_);
  }

  /// The same, and for how many routers that follow it is the same, as far as the unit knows.
  RouteOn route_on(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                   bool other_way) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->route_on(port, own, src, dst, other_way);
    }
    return std::visit(
        [&](const auto& unit) -> RouteOn {
          if constexpr (requires { unit.route_on(port, own, src, dst, other_way); }) {
            return unit.route_on(port, own, src, dst, other_way);
          } else {
            return {unit.route(port, own, src, dst, other_way)};
          }
        },
        unit_);
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
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return Unit(U(config)); });
  }

  Unit unit_;
};

}  // namespace weft
