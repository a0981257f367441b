// RV32 processors whose drivers use the interface through the register block in RTL, for engines
// with Verilated blocks.
#pragma once

#include <memory>

#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/engine.hpp"

namespace weft {

/// Endpoints of any type, and the owner of those that are not the run's own.
struct KeptEndpoints {
  std::shared_ptr<void> kept;
  PartArray<AnyEndpoint> endpoints;
};

/// Endpoints of the run by rank; each RV32 core is beside its register block in RTL.
KeptEndpoints endpoints_with_registers(const EngineInputs& run);

}  // namespace weft
