// A route unit of any kind. Only this file and rtl/router/weft_vc_router.sv name all kinds.
#pragma once

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <variant>

#include "sim/router/route/route.hpp"
#include "sim/router/route/route_board.hpp"
#include "sim/router/route/route_dce.hpp"
#include "sim/router/route/route_mesh.hpp"
#include "sim/router/route/route_omega.hpp"
#include "sim/router/route/route_table.hpp"
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
      case RouteKind::kTable:
        return function(std::type_identity<RouteTable>());
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

  /// The VC sets that it gives packets on links to neighbours (set_mask).
  std::uint32_t sets() const {
    return std::visit([](const auto& unit) { return unit.sets(); }, unit_);
  }

  /// What routes from router `own` on depend on besides in-port and destination: a number below
  /// `RouteTraits::phases`.
  unsigned phase(std::uint32_t own, std::uint32_t src, std::uint32_t dst, bool other_way) const {
    return std::visit(
        [&](const auto& unit) -> unsigned {
          if constexpr (requires { unit.phase(own, src, dst, other_way); }) {
            return unit.phase(own, src, dst, other_way);
          }
          return 0;
        },
        unit_);
  }
  /// Bits of an address: routes remain the same if some of these are inverted in the addresses of
  /// all nodes and routers.
  std::uint32_t invariant_bits() const {
    return std::visit(
        [](const auto& unit) -> std::uint32_t {
          if constexpr (requires { unit.invariant_bits(); }) return unit.invariant_bits();
          return 0;
        },
        unit_);
  }
  /// Of router `own`, if the unit's routes remain the same but for that; otherwise none.
  std::optional<Inverted> inverted(std::uint32_t own, std::uint32_t bits) const {
    return std::visit(
        [&](const auto& unit) -> std::optional<Inverted> {
          if constexpr (requires { unit.inverted(own, bits); }) return unit.inverted(own, bits);
          return {};
        },
        unit_);
  }

 private:
  using Unit =
      std::variant<RouteMesh, RouteTorus, RouteDce, RouteTree, RouteOmega, RouteBoard, RouteTable>;

  static Unit make(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return Unit(U(config)); });
  }

  Unit unit_;
};

}  // namespace weft
