// Nodes of an emitted network as modules: a router's tile with the interfaces at it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/emit/link_ports.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A router and the interfaces whose links all lead to it and come from it; or a single interface.
struct NodeTile {
  std::uint32_t router = kOpen;      ///< Block of the router; kOpen: a single interface.
  std::vector<std::uint32_t> nodes;  ///< Ranks of the interfaces.
  std::uint32_t kind = 0;            ///< Number of its module.

  bool has_router() const { return router != kOpen; }
  /// The block whose links are those of the tile.
  std::uint32_t outer() const { return has_router() ? router : nodes.front(); }
  /// Whether both ends of a link are in the tile.
  bool has(const Link& link) const;
};

/// Name of the module of nodes of a kind.
std::string node_tile_name(std::uint32_t kind);

/// The nodes of a network, in the order of their lowest ranks; adds the text of the module of each
/// kind to `modules`. `axi`: the interfaces have AXI ports. The ports of a module are those of the
/// interfaces to their nodes, interface 0 lowest; the addresses of the interfaces, `node_i`; the
/// links of the router to other routers, link 0 lowest; and `own_i` or `table_i`, as of a router's
/// tile.
std::vector<NodeTile> node_tiles(const Config& config, const Graph& graph, bool axi,
                                 std::map<std::string, std::string>& modules);

/// Text of the instance of a tile in the top.
std::string node_tile_instance(const Config& config, const Graph& graph, bool axi,
                               const std::vector<LinkSignal>& signals, const NodeTile& tile);

}  // namespace weft
