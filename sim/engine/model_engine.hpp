// Engine `model`, by sort of network.
#pragma once

#include "sim/engine/engine.hpp"

namespace weft {

// Each is compiled by itself: they are the cycle loop with all that it inlines.
Outcome run_router_models(const RunParts& run);
Outcome run_crossbar_models(const RunParts& run);

}  // namespace weft
