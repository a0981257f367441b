// Shared by networks of stages of 2 x 2 switches (seed 001 table 1). Each send controller of an
// interface has its own network (plane), all of the same form; planes are not connected.
#pragma once

#include <cstdint>

#include "sim/topology/router_networks.hpp"

namespace weft {

/// The keys of a network of stages.
KeyTable staged_keys();
/// Reads `topology.levels` of a network with 2^levels nodes. Throws ConfigError.
std::uint32_t read_levels(const Config& config);

/// The nodes of a network of stages: one dimension of 2^levels.
Graph staged_nodes(const Config& config, std::uint32_t levels);

/// Sets the translations of a complete network, in which all stages of one plane precede those of
/// the next.
void add_stage_classes(Graph& graph);

/// A switch: 4 ports and no interface, or with `edge` 2 interfaces and the ports that its route
/// unit then has.
RouterTileConfig stage_switch(const Config& config, const Graph& graph, RouteKind kind, bool edge);

}  // namespace weft
