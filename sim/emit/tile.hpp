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

/// What tells the route units of a tile where they are.
struct RouterPosition {
  std::string port;     ///< `own_i` or `table_i`.
  unsigned width;       ///< Of the port, bits.
  std::string words;    ///< What it is, for a comment.
  std::string literal;  ///< Its value for one router.
};
/// For a router with its own address.
RouterPosition tile_position(const RouterTileConfig& config);

/// Text of instance u_`name` of the module, for a router with its own address; `to`: of its links,
/// and perhaps its reset, which is otherwise rst_ni, and its position, which is otherwise written
/// as a number.
std::string tile_instance(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                          const std::string& name, const Connections& to);

}  // namespace weft
