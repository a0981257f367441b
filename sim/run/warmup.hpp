// The warm-up that traffic needs, found by runs.
#pragma once

#include <string>

#include "sim/config/config.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Puts the length that it finds in the place of a `warmup` of "auto", and says in words how; empty
/// where a length is given. Runs `config` on `graph`, with another seed and without faults, from an
/// empty network on engine `model`, with phases twice as long each time, until the part of one that
/// is not like the rest (sim/run/steady.hpp) is less than half. Where processes share the
/// network each does that, alone.
std::string find_warmup(Config& config, const Graph& graph, const RunOptions& options);

}  // namespace weft
