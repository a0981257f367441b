// Dependencies of escape channels (minimal adaptive routing).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/dependencies.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A cycle of extended dependencies of escape channels, each waiting for the next one and the last
/// for the first; empty: there is none, and the network cannot deadlock (Duato 1993). A packet that
/// holds an escape channel may continue on any number of further paths, and wait for the escape
/// channel of the router that it has reached then.
///
/// `vcs`: VCs of a link that are escape channels, 1 to 64. `destinations`: ranks to which packets
/// go; a cycle may need others, too. For a mesh or torus of routers with one node each.
std::vector<Channel> escape_cycle(const Graph& graph, unsigned vcs,
                                  const std::vector<std::uint32_t>& destinations);

}  // namespace weft
