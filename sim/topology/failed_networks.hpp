// Networks of which links or routers have failed before cycle 0: what is left of them as networks
// that route by tables.
#pragma once

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/topology/table_network.hpp"

namespace weft {

/// `config` without `topology.failed`, and with the routing and VCs with which any kind of network
/// can be described. Its workload and interfaces are the same.
Config without_failed(const Config& config);

/// The routers, nodes and links of any network of routers. Throws ConfigError naming
/// /topology/failed where links of a node lead to several routers.
TableNetwork as_table_network(const Config& config, const Graph& graph);

/// Takes the links and routers that `config.topology.failed` names or draws out of the network, and
/// says which nodes are left connected. Where a collective runs and nodes are cut off, it leaves
/// the nodes of the largest component alone, with ranks of their own. Nothing has failed without
/// `topology.failed`. Throws ConfigError for a name that the network does not have, or if no two
/// nodes are left to a collective.
Failures remove_failed(const Config& config, TableNetwork& network);

/// Shortest ways if `vcs` VCs suffice for them, else up*/down*; with `vcs` 0 the one that needs
/// fewer VCs. Throws ConfigError where links lead one way and neither is possible.
TableRouting failed_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// The VC sets that such routes may have on links to neighbours (set_mask).
std::uint32_t failed_sets(unsigned vcs);

}  // namespace weft
