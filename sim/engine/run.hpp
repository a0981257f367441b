// One run of a configuration on one of the engines.
#pragma once

#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Runs `config` on `graph`, which was built from it (sim/engine/prepare.hpp says whether it is fit
/// for that), and checks what it left in the nodes' memories. Throws ConfigError, CheckError or
/// NoProgressError; errors found in the data are in the result.
Result run(const Config& config, const Graph& graph, const RunOptions& options);

}  // namespace weft
