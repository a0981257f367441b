// A run whose blocks are stepped one by one.
#pragma once

#include "sim/engine/any_blocks.hpp"
#include "sim/engine/engine.hpp"

namespace weft {

class GateNetwork;

/// Runs a network of AnyRouter or AnyCrossbar; `registers`: drivers of RV32 processors use the
/// Verilated register block; `gates`: all interfaces and switching blocks, in place of those of
/// `make_nic` and `make_switch`, or null.
template <class Switch>
Outcome run_blocks(const EngineInputs& run, AnyNic::Make make_nic,
                   typename Switch::Make make_switch, const AnyUnits& make_unit, bool registers,
                   GateNetwork* gates = nullptr);

extern template Outcome run_blocks<AnyRouter>(const EngineInputs&, AnyNic::Make, AnyRouter::Make,
                                              const AnyUnits&, bool, GateNetwork*);
extern template Outcome run_blocks<AnyCrossbar>(const EngineInputs&, AnyNic::Make,
                                                AnyCrossbar::Make, const AnyUnits&, bool,
                                                GateNetwork*);

}  // namespace weft
