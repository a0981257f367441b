// Whether a router fits its route units.
#include "sim/router/tile_config.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/router/route/route_load.hpp"
#include "sim/router/route/route_unit.hpp"

namespace weft {

unsigned RouterTileConfig::load_w() const {
  return RouteLoad::Config::width(num_ports, num_vc, depth);
}

RouteTraits RouterTileConfig::traits() const {
  return RouteUnit::traits(route_kind);
}

void RouterTileConfig::check() const {
  const unsigned links = RouteUnit::links(route_kind, route);
  if (num_ports != links + num_local) {
    throw ConfigError(
        fmt::format("router: num_ports is {}, expected: {}, {} to neighbours and num_local",
                    num_ports, links + num_local, links));
  }
  if (route.num_local != num_local) {
    throw ConfigError(fmt::format("router: num_local of the route unit is {}, expected: {}",
                                  route.num_local, num_local));
  }
  const bool by_rule = route.dateline != DatelineRule::kFixed;
  if (by_rule && !RouteUnit::traits(route_kind).datelines) {
    throw ConfigError("router: a dateline by another rule than fixed, expected: on a torus");
  }
  if (adaptive != (routing == Routing::kMinimalAdaptive)) {
    throw ConfigError("router: adaptive, expected: with minimal adaptive routing");
  }
  if (by_waypoint(routing) && !stamps) {
    throw ConfigError("router: no stamps, expected: stamps, which determine waypoints");
  }
  const bool grid = RouteUnit::traits(route_kind).dimension_order;
  if (!grid && (routing == Routing::kO1turn || routing == Routing::kMinimalAdaptive)) {
    throw ConfigError("router: o1turn or minimal adaptive routing, expected: on a mesh or torus");
  }
  if (has_classes(routing) && route.per_dest) {
    throw ConfigError("router: per_dest, expected: with direct routing");
  }
  if (by_rule && !by_own_way(routing)) {
    throw ConfigError(
        "router: a dateline by another rule than fixed, expected: with the route unit's own way");
  }
  std::uint64_t nodes = 1;
  for (const std::uint32_t last : route.max_coords) nodes *= std::uint64_t{last} + 1;
  if (route.per_dest && nodes > num_vc) {
    throw ConfigError(fmt::format(
        "router: num_vc is {}, expected: {} or more, one for each destination", num_vc, nodes));
  }
}

}  // namespace weft
