// Combines the outcomes of the processes that share a network.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/share/network_share.hpp"

namespace weft {

/// Adds the outcomes of the other processes to that of process 0. All processes call it together.
void gather(const NetworkShare& share, const Graph& graph, Outcome& outcome);

}  // namespace weft
