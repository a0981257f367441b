// Shared by networks of stages of 2 x 2 switches (seed 001 table 1): each send controller of an
// interface has a network (plane) of its own, of the same form; planes are not connected.
#pragma once

#include <cstdint>

#include "sim/topology/router_networks.hpp"

namespace weft {

/// The keys of such a network.
KeyTable staged_keys();
/// Reads `topology.levels`; 2^levels nodes. Throws ConfigError.
std::uint32_t read_levels(const Config& config);

/// The nodes of such a network, one dimension of 2^levels.
Graph staged_nodes(const Config& config, std::uint32_t levels);

/// Sets the translations of a complete network, in which all stages of one plane precede those of
/// the next.
void add_stage_classes(Graph& graph);

/// A switch: 4 ports and no interface, or with `edge` 2 interfaces and the ports that its route
/// unit then has.
RouterTileConfig stage_switch(const Config& config, const Graph& graph, RouteKind kind, bool edge);

}  // namespace weft
