// A run whose blocks are stepped one by one.
#pragma once

#include "sim/engine/any_blocks.hpp"
#include "sim/engine/engine.hpp"
#include "sim/fabric/switch_array.hpp"

namespace weft {

/// Runs a network of AnyRouter or AnyCrossbar; `registers`: drivers of RV32 processors use the
/// Verilated register block; `array`: all switching blocks, in place of those of `make_switch`, or
/// null.
template <class Switch>
Outcome run_blocks(const EngineInputs& run, AnyNic::Make make_nic,
                   typename Switch::Make make_switch, const AnyUnits& make_unit, bool registers,
                   std::unique_ptr<SwitchArray> array = nullptr);

extern template Outcome run_blocks<AnyRouter>(const EngineInputs&, AnyNic::Make, AnyRouter::Make,
                                              const AnyUnits&, bool, std::unique_ptr<SwitchArray>);
extern template Outcome run_blocks<AnyCrossbar>(const EngineInputs&, AnyNic::Make,
                                                AnyCrossbar::Make, const AnyUnits&, bool,
                                                std::unique_ptr<SwitchArray>);

}  // namespace weft
