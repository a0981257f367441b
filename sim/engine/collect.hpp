// The result of a run, from the outcome of its engine and the state of its endpoints.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/result.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Checks the nodes' memories after the run and fills in the parts of the result that follow from
/// the outcome. `states`: also the arrays of aggregation units.
void collect(const Config& config, const Graph& graph, const Workload& workload,
             Endpoints& endpoints, const Outcome& outcome, const Probes& probes, bool states,
             Result& result);

}  // namespace weft
