// The result of a run of synthetic traffic.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/run/result.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/traffic_plan.hpp"

namespace weft {

struct NodeEnds;

/// Inputs of the functions that make a result.
struct RunEnd {
  const Graph& graph;
  const Outcome& outcome;
  const NodeEnds& ends;
};

/// Adds rates, latencies and notes; with a partition also the results of each region.
void add_traffic(const RunEnd& s, const TrafficPlan& plan, Result& result);

}  // namespace weft
