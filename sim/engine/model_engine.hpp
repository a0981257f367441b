// Engine `model`: how it moves packets.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"

namespace weft {

/// Why packets do not move as runs of flits; empty: they do.
std::string steps_for(const RunParts& run);
/// Moves packets as runs of flits. Throws NotByRuns.
Outcome run_by_runs(const RunParts& run);
/// Steps every flit through the models of the blocks, as engine `flit` does.
Outcome run_by_flits(const RunParts& run);

}  // namespace weft
