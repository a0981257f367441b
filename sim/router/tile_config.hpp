// Configuration of a router with its route units, without their models: the element of a network.
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"
#include "sim/router/route/route.hpp"
#include "sim/router/vc_router_config.hpp"

namespace weft {

/// Routes that packets may take.
enum class Routing : std::uint8_t {
  kDirect = 0,           ///< Routes of the route unit.
  kO1turn = 1,           ///< Dimensions in either order (Seo et al. 2005).
  kValiant = 2,          ///< By a waypoint, a node that is drawn for each packet (Valiant 1982).
  kUgal = 3,             ///< By a waypoint or directly, depending on load (Singh 2005).
  kMinimalAdaptive = 4,  ///< All shortest routes, with escape channels (Duato 1993).
  kMessageClasses = 5,   ///< Routes of the route unit, in VCs of the message's class.
};

/// Whether packets may go to a waypoint, which their stamps determine.
constexpr bool by_waypoint(Routing routing) {
  return routing == Routing::kValiant || routing == Routing::kUgal;
}
/// Whether packets take the route of the route unit from their source on.
constexpr bool by_own_way(Routing routing) {
  return routing == Routing::kDirect || routing == Routing::kMessageClasses;
}
/// Whether each of two classes of packets has half of the VCs.
constexpr bool has_classes(Routing routing) {
  return routing != Routing::kDirect;
}

/// Configuration of the router and route units at a place in a network.
struct RouterTileConfig : VcRouterConfig {
  RouteKind route_kind = RouteKind::kTorus;
  RouteConfig route;       ///< `num_local` is that of the router.
  PacketForm header = {};  ///< Form of the fabric's packets.
  std::uint32_t own = 0;   ///< Own address.
  /// Routes of packets; `adaptive` and `stamps` of the router agree with it.
  Routing routing = Routing::kDirect;
  unsigned low_vc = 1;  ///< VCs of class 0; not with direct routing.

  bool operator==(const RouterTileConfig&) const = default;

  /// Bits of the length of a queue of routing "ugal".
  unsigned load_w() const;
  /// Properties of the route units.
  RouteTraits traits() const;

  /// Throws ConfigError if the router does not fit its route units.
  void check() const;
};

}  // namespace weft
