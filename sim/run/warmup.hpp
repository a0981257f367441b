// The warm-up that traffic needs, found by runs.
#pragma once

#include <string>

#include "sim/config/config.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Replaces a `warmup` of "auto" in `config` by the length that it finds, and returns in words how;
/// empty if a length is given. Runs `config` on `graph` from an empty network on engine `model`,
/// with another seed and without faults. Each run has phases twice as long as the one before, until
/// less than half of a phase differs from the rest (sim/run/steady.hpp). Where processes share the
/// network each does this by itself.
std::string find_warmup(Config& config, const Graph& graph, const RunOptions& options);

}  // namespace weft
