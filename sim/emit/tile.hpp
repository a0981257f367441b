// The tiles of an emitted network: a router with a route unit beside each in-port.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/emit/instance.hpp"
#include "sim/router/tile_config.hpp"

namespace weft {

/// Name of the module for routers of shape number `shape` of a graph.
std::string tile_name(std::uint32_t shape);

/// Whether the tables of a tile may be memories beside it, because all that it asks them is the
/// way to the destination of the header that arrives.
bool tables_beside(const RouterTileConfig& config);

/// Text of the module for routers of shape number `shape`. Its ports are those of the router except
/// `route_*_i`, and the position of its route units: `own_i`, or `table_i`, the tables of all
/// in-ports, in-port 0 lowest. `beside`: in place of the tables `entry_i`, by in-port the entry
/// for the destination in the header that arrives there; only if `tables_beside`.
std::string tile_module(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                        bool beside = false);

/// The position of a router for the route units of its tile.
struct RouterPosition {
  std::string port;                  ///< Name of the port: `own_i` or `table_i`.
  unsigned width;                    ///< Width of the port, bits.
  std::string words;                 ///< Description for a comment.
  std::string literal;               ///< Value of the port for one router, in SystemVerilog.
  std::vector<std::uint64_t> value;  ///< That value in words of 64 bits, the lowest first.
};
/// Position of a router with its own address.
RouterPosition tile_position(const RouterTileConfig& config);

/// Text of instance u_`name` of the module, for a router with its own address. `to` connects its
/// links, and may connect its reset (default: rst_ni) and its position (default: a number).
std::string tile_instance(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                          const std::string& name, const Connections& to);

}  // namespace weft
