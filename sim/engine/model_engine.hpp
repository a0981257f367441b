// Engine `model`: how it moves packets.
#pragma once

#include <memory>
#include <string>

#include "sim/engine/engine.hpp"

namespace weft {

class GateNetwork;

/// Why packets do not move as spans; empty: they do.
std::string steps_for(const EngineInputs& run);
/// Moves packets as spans. Throws NotBySpans.
Outcome run_spans(const EngineInputs& run);
/// Steps every flit through the models of the blocks, as engine `flit` does.
Outcome run_flits(const EngineInputs& run);
/// The interfaces and switching blocks of a run as gates (sim/gates), built unless they are in the
/// cache.
/// Throws ConfigError where Yosys or the compiler fails.
std::unique_ptr<GateNetwork> make_gates(const EngineInputs& run);
/// Steps every flit through these and the models of the other blocks.
Outcome run_gates(const EngineInputs& run, GateNetwork& gates);
/// Whether `run_gates` is surely faster than `run_flits`, with the time that it takes to build.
bool gates_pay(const EngineInputs& run);

}  // namespace weft
