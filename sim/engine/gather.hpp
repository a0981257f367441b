// The outcomes of the processes that share a network, put together.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/share/network_share.hpp"

namespace weft {

/// Adds to the outcome of process 0 what the others have; a step of all processes.
void gather(const NetworkShare& share, const Graph& graph, Outcome& outcome);

}  // namespace weft
