// Engine `model`: how it moves packets.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"

namespace weft {

/// Why packets do not move as spans; empty: they do.
std::string steps_for(const EngineInputs& run);
/// Moves packets as spans. Throws NotBySpans.
Outcome run_spans(const EngineInputs& run);
/// Steps every flit through the models of the blocks, as engine `flit` does.
Outcome run_flits(const EngineInputs& run);

}  // namespace weft
