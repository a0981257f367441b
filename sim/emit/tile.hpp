// The tiles of an emitted network: a router with a route unit beside each in-port.
#pragma once

#include <cstdint>
#include <string>

#include "sim/emit/instance.hpp"
#include "sim/router/router_tile.hpp"

namespace weft {

/// Name of the module for routers of shape number `shape` of a graph.
std::string tile_name(std::uint32_t shape);

/// Text of that module. Its ports are those of the router but for `route_*_i`, and what tells its
/// route units where they are: `own_i`, or `table_i`, the tables of all in-ports, in-port 0 lowest.
std::string tile_module(const RouterTileConfig& config, bool parity, std::uint32_t shape);

/// Text of instance u_`name` of it, for a router with its own address; `to`: of its links.
std::string tile_instance(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                          const std::string& name, const Connections& to);

}  // namespace weft
