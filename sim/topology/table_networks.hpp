// Networks of any graph whose routers route by tables, built from their description: the choice of
// their routing, and the graph.
#pragma once

#include "sim/topology/table_network.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// Builds the network with the routing that `config.router.routing` names. The ports of a router
/// are first those to its neighbours, then `nic.controllers` for each of its nodes in the order of
/// ranks. A packet that came by port p from a neighbour arrives by link p mod controllers of its
/// node's interface; a packet from a node of the same router arrives by the link with the number of
/// that by which it left. Throws ConfigError.
Graph table_network(const Config& config, TableNetwork network);

/// For `Topology::controllers`: one for each port to a neighbour, at the router of a node that has
/// most of them; at most kMostControllers, and as many as there are ports for.
CalledControllers table_controllers(const TableNetwork& network);

/// Number of VCs that the routing needs, for `Topology::vcs`. Throws ConfigError.
unsigned table_vcs(const Config& config, TableNetwork network);

}  // namespace weft
