// Shared by networks of routers: settings of the routers and interfaces; complete mesh and torus
// networks.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/addresses.hpp"

namespace weft {

/// A network of these sizes with the interfaces and VCs that `config` asks for, without routers
/// yet.
Graph router_nodes(const Config& config, const std::vector<std::uint32_t>& dims);

/// A router with its route unit, as `config` and the network's interfaces ask for; `route` holds
/// what only the kind of network knows, and the number of local ports.
RouterTileConfig router_shape(const Config& config, const Graph& graph, RouteKind kind,
                              RouteConfig route);

/// Adds router r_<rank> of shape `shape`, connected to its interface by as many links in each
/// direction as the interface has send controllers. Call it in the order of ranks, so that the
/// router of rank n is block `graph.nodes` + n.
void add_router_at(Graph& graph, std::uint32_t rank, const RouterTileConfig& shape);

/// Adds a router of shape `shape` for each rank, connected as by add_router_at.
void add_router_for_each_node(Graph& graph, const RouterTileConfig& shape);

/// A dimension of a network's ranks.
struct RankDimension {
  std::uint32_t size;
  std::uint32_t stride;  ///< Difference in rank from one node to the next.
  std::uint32_t link_class = 0;
};

/// Connects the router of `rank` and the next one in the dimension in both directions: up by port
/// `port` of each, and down by the following port. The last router has no next one, unless `wraps`:
/// then it is the first.
void join_next(Graph& graph, std::uint32_t rank, const RankDimension& dimension, std::uint32_t port,
               bool wraps);

/// The keys of a mesh or torus.
KeyTable router_network_keys();
/// Send controllers of a mesh or torus where `by_links` of them keep the links between routers
/// busy.
CalledControllers grid_controllers(const Config& config, unsigned by_links);

/// Builds a mesh or torus: a router at each node; ports in the order of rtl/README.md, route_mesh.
/// Dimensions of size 1 have no ports. With `wraps`, the last router of a dimension is the
/// neighbour of the first (at size 2 both links lead to the same neighbour). Throws ConfigError.
Graph router_network(const Config& config, RouteKind kind, bool wraps);

}  // namespace weft
