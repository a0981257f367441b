// Networks of any graph, whose routers route by tables, from their description: the choice of
// their routing, and the network built with it.
#pragma once

#include "sim/topology/table_network.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// Builds it with the routing that `config.router.routing` names. A router's ports are those to its
/// neighbours, then `nic.controllers` for each of its nodes in the order of ranks; a packet from
/// the neighbours' port p arrives by link p mod controllers of its node's interface, one from a
/// node of the same router by the link of the number by which it has left. Throws ConfigError.
Graph table_network(const Config& config, TableNetwork network);

/// For `Topology::controllers`: one for each link between routers at a node's router, which its
/// nodes share, where they have most; at most kMostControllers, and as many as there are ports for.
CalledControllers table_controllers(const TableNetwork& network);

/// The VCs that the routing needs, for `Topology::vcs`. Throws ConfigError.
unsigned table_vcs(const Config& config, TableNetwork network);

}  // namespace weft
