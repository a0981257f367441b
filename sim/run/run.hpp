// One run of a configuration on one of the engines.
#pragma once

#include "sim/config/config.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/run/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Runs `config` on `graph`, which was built from it and checked (sim/run/prepare.hpp), and then
/// checks the nodes' memories. Throws ConfigError, CheckError or NoProgressError; wrong data is
/// counted in the result.
Result run(const Config& config, const Graph& graph, const RunOptions& options);

}  // namespace weft
