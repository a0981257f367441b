// The result of a run, from the outcome of its engine and the ends of its endpoints.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/engine/probes.hpp"
#include "sim/run/node_ends.hpp"
#include "sim/run/result.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Values that the programs of all nodes have reported, by node.
std::vector<ProgramValue> reported_values(const NodeEnds& ends);

/// Fills in the parts of the result that follow from the outcome and the ends of all nodes.
void collect(const Config& config, const Graph& graph, const Workload& workload,
             const NodeEnds& ends, const Outcome& outcome, const Probes& probes, Result& result);

}  // namespace weft
