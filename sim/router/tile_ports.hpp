// The route units of a tile, as their port table and parameters see them.
#pragma once

#include "sim/router/route/route_unit.hpp"
#include "sim/router/tile_config.hpp"

namespace weft {

inline RouteUnit::PortConfig route_ports(const RouterTileConfig& router) {
  return {router.route_kind, router.route, router.header.addr_w};
}

}  // namespace weft
