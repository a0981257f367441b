// RV32 processors whose drivers use the interface through the register block in RTL, for engines
// with Verilated blocks.
#pragma once

#include <memory>

#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/engine.hpp"

namespace weft {

/// Endpoints of any type, and what keeps those that the run does not have.
struct KeptEndpoints {
  std::shared_ptr<void> kept;
  PartArray<AnyEndpoint> endpoints;
};

/// One for each endpoint of the run, by rank; RV32 cores are beside their register blocks in RTL.
KeptEndpoints endpoints_with_registers(const EngineInputs& run);

}  // namespace weft
