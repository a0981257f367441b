// Networks whose links or routers have failed before cycle 0: the rest as a network that routes by
// tables.
#pragma once

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/topology/table_network.hpp"

namespace weft {

/// `config` without `topology.failed`, with a routing and a number of VCs that suit any kind of
/// network. Workload and interfaces are the same.
Config without_failed(const Config& config);

/// The routers, nodes and links of any network of routers. Throws ConfigError naming
/// /topology/failed if links of a node lead to several routers.
TableNetwork as_table_network(const Config& config, const Graph& graph);

/// Removes the links and routers that `config.topology.failed` names or draws from the network, and
/// returns which nodes are left connected. If a collective runs and nodes are cut off, only the
/// nodes of the largest component remain, with new ranks. Without `topology.failed` nothing fails.
/// Throws ConfigError for a name that the network does not have, or if a collective has fewer than
/// two nodes left.
Failures remove_failed(const Config& config, TableNetwork& network);

/// Shortest routes if `vcs` VCs suffice for them, else up*/down*; with `vcs` 0 the one that needs
/// fewer VCs. Throws ConfigError if links lead one way and neither is possible.
TableRouting failed_routes(const Config& config, const TableNetwork& network, unsigned vcs);

/// VC sets that the routes around failures may have on links to neighbours (set_mask).
std::uint32_t failed_sets(unsigned vcs);

}  // namespace weft
