// The details of a run: each link and node, with its place in the drawing of the network.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/run/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Member `detail` of a result (`weft run --detail`): blocks, links, nodes, latencies, activity and
/// phases, as far as the run has them (sim/report/README.md).
nlohmann::json detail_json(const Result& result, const Graph& graph);

}  // namespace weft
