// A route unit of any kind. Only this file names all kinds.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/packet/port_shape.hpp"
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
  // The units, in the order of RouteKind.
  using Unit =
      std::variant<RouteMesh, RouteTorus, RouteDce, RouteTree, RouteOmega, RouteBoard, RouteTable>;

  // Bits of a router's own address, if a unit needs more than a node's address.
  struct OwnBits {
    const RouteConfig& config;
    template <class U>
    unsigned operator()(std::type_identity<U>) const {
      if constexpr (requires { U::own_bits(config); }) return U::own_bits(config);
      return 0;
    }
  };

  // Calls `function` with the type of the unit of that kind.
  template <std::size_t kIndex = 0, class Function>
  static constexpr auto of_kind(RouteKind kind, Function function) {
    using U = std::variant_alternative_t<kIndex, Unit>;
    if (static_cast<std::size_t>(kind) == kIndex) return function(std::type_identity<U>());
    if constexpr (kIndex + 1 < std::variant_size_v<Unit>) {
      return of_kind<kIndex + 1>(kind, function);
    }
    throw std::logic_error("route unit of no kind");
  }

 public:
  /// What a unit's module sees of a header in its router. `table`: row of the in-port, as
  /// RouteTables::packed.
  struct In {
    std::uint32_t port = 0, own = 0, src = 0, dst = 0;
    bool other_way = false;
    const std::uint64_t* table = nullptr;
    bool reverse = false;
  };
  using Out = RouteOut;
  struct PortConfig {
    RouteKind kind = RouteKind::kTorus;
    RouteConfig config = {};
    unsigned addr_w = kAddrW;  ///< Width of an address in a packet, bits.

    /// Width of the address ports: the router's own may need more bits.
    unsigned width() const { return std::max(addr_w, of_kind(kind, OwnBits{config})); }
    unsigned port_w() const { return index_width(links(kind, config) + config.num_local); }
    bool has_table() const { return kind == kind_of<RouteTable>(); }
  };
  static constexpr auto ports();  // sim/router/route/route_unit_ports.hpp

  /// Throws ConfigError as the units do.
  RouteUnit(RouteKind kind, const RouteConfig& config) : unit_(make(kind, config)) {}

  /// Number of ports to neighbours.
  static unsigned links(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return U::links(config); });
  }
  /// Name of the block.
  static std::string block(RouteKind kind) {
    return of_kind(kind, []<class U>(std::type_identity<U>) -> std::string { return U::kBlock; });
  }
  static std::vector<RouteParam> params(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return U::params(config); });
  }
  /// The kind of a unit.
  template <class U, std::size_t kIndex = 0>
  static constexpr RouteKind kind_of() {
    if constexpr (std::is_same_v<U, std::variant_alternative_t<kIndex, Unit>>) {
      return static_cast<RouteKind>(kIndex);
    } else {
      return kind_of<U, kIndex + 1>();
    }
  }
  static constexpr RouteTraits traits(RouteKind kind) {
    return of_kind(kind, []<class U>(std::type_identity<U>) { return U::kTraits; });
  }

  /// Route of a packet at router `own` that arrived on in-port `port`. `reverse`: with the
  /// dimensions in reverse order, if the unit has such routes (`RouteTraits::dimension_order`).
  [[gnu::always_inline]] RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                        std::uint32_t dst, bool other_way,
                                        bool reverse = false) const {
    if (const auto* torus = std::get_if<RouteTorus>(&unit_)) {
      return torus->route(port, own, src, dst, other_way, reverse);
    }
    return std::visit(
        [&](const auto& unit) {
          if constexpr (requires { unit.route(port, own, src, dst, other_way, reverse); }) {
            return unit.route(port, own, src, dst, other_way, reverse);
          } else {
            return unit.route(port, own, src, dst, other_way);
          }
        },
        unit_);
  }

  /// Route as of `route`, and for how many following routers it is the same, as far as the unit
  /// knows.
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

  /// VC sets that the unit gives packets on links to neighbours (set_mask).
  std::uint32_t sets() const {
    return std::visit([](const auto& unit) { return unit.sets(); }, unit_);
  }

  /// Number, below `RouteTraits::phases`, that routes from router `own` on depend on besides
  /// in-port and destination.
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
  /// Bits of an address such that routes remain the same if some of these are inverted in the
  /// addresses of all nodes and routers.
  std::uint32_t invariant_bits() const {
    return std::visit(
        [](const auto& unit) -> std::uint32_t {
          if constexpr (requires { unit.invariant_bits(); }) return unit.invariant_bits();
          return 0;
        },
        unit_);
  }
  /// Address and ports of router `own` after `bits` are inverted, if that is the only change in the
  /// unit's routes; otherwise none.
  std::optional<Inverted> inverted(std::uint32_t own, std::uint32_t bits) const {
    return std::visit(
        [&](const auto& unit) -> std::optional<Inverted> {
          if constexpr (requires { unit.inverted(own, bits); }) return unit.inverted(own, bits);
          return {};
        },
        unit_);
  }

 private:
  static Unit make(RouteKind kind, const RouteConfig& config) {
    return of_kind(kind, [&]<class U>(std::type_identity<U>) { return Unit(U(config)); });
  }

  Unit unit_;
};

}  // namespace weft
