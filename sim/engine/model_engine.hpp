// Engine `model`, for each kind of fabric.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"

namespace weft {

// Each has a file of its own, because it compiles the whole cycle loop with all models inlined.
/// Why packets do not move as runs of flits; empty: they do.
std::string steps_for(const RunParts& run);
/// Throws NotByRuns.
Outcome run_by_runs(const RunParts& run);
Outcome run_router_models(const RunParts& run);
Outcome run_crossbar_models(const RunParts& run);

}  // namespace weft
