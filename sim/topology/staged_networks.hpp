// What networks of stages of 2 x 2 switches share (seed 001 table 1): each send controller of an
// interface has a network of its own, of the same form; these planes do not touch.
#pragma once

#include <cstdint>

#include "sim/topology/router_networks.hpp"

namespace weft {

/// The keys of such a network.
KeyTable staged_keys();
/// Reads `topology.levels`; 2^levels nodes. Throws ConfigError.
std::uint32_t read_levels(const JsonCursor& topology);

/// The nodes of such a network, one dimension of 2^levels.
Graph staged_nodes(const Config& config, std::uint32_t levels);

/// Says of a complete network, all stages of one plane before those of the next, what looks alike.
void add_stage_classes(Graph& graph);

/// A switch: 4 ports and no interface, or with `edge` 2 interfaces behind as many ports as its
/// route unit has then.
VcRouter::Config stage_switch(const Config& config, const Graph& graph, RouteKind kind, bool edge);

}  // namespace weft
