// The result of a run, from what its engine hands back and what its endpoints hold.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/result.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Checks what the run left in the nodes' memories and fills in all of the result that the outcome
/// tells. `states`: also the arrays of aggregation units.
void collect(const Config& config, const Graph& graph, const Workload& workload,
             Endpoints& endpoints, const Outcome& outcome, const Probes& probes, bool states,
             Result& result);

}  // namespace weft
