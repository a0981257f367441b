// Engine `model`, for each kind of fabric.
#pragma once

#include "sim/engine/engine.hpp"

namespace weft {

// Each has a file of its own, because it compiles the whole cycle loop with all models inlined.
Outcome run_router_models(const RunParts& run);
Outcome run_crossbar_models(const RunParts& run);

}  // namespace weft
