// A run whose blocks are stepped one by one.
#pragma once

#include "sim/engine/any_blocks.hpp"
#include "sim/engine/engine.hpp"
#include "sim/fabric/switch_array.hpp"

namespace weft {

/// Makes the switching blocks of a run that are stepped together.
using MakeSwitchArray = std::unique_ptr<SwitchArray> (*)(const EngineInputs& run);

/// Runs a network of AnyRouter or AnyCrossbar; `registers`: drivers of RV32 processors use the
/// Verilated register block; `make_array`: makes all switching blocks, in place of `make_switch`.
template <class Switch>
Outcome run_blocks(const EngineInputs& run, AnyNic::Make make_nic,
                   typename Switch::Make make_switch, const AnyUnits& make_unit, bool registers,
                   MakeSwitchArray make_array = nullptr);

extern template Outcome run_blocks<AnyRouter>(const EngineInputs&, AnyNic::Make, AnyRouter::Make,
                                              const AnyUnits&, bool, MakeSwitchArray);
extern template Outcome run_blocks<AnyCrossbar>(const EngineInputs&, AnyNic::Make,
                                                AnyCrossbar::Make, const AnyUnits&, bool,
                                                MakeSwitchArray);

}  // namespace weft
