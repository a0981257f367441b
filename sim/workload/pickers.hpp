// Pickers: entries that stand for a kind of result, and choose the algorithm that suits the network
// and the length.
#pragma once

#include <span>
#include <string>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// A picker.
struct Picker {
  const char* name;         ///< Name in `workload.collective`.
  weft_kind kind;           ///< What each of its algorithms leaves in the memories.
  const char* description;  ///< One line for `weft list`.
  /// Returns the name of the algorithm; may set `config.workload.array.order` for it, and keys that
  /// are not given. `network`: that of the configuration, with one send controller.
  const char* (*pick)(Config& config, const Graph& network, const Given& given);
};

/// All pickers, sorted by name.
std::span<const Picker> pickers();

/// Algorithm that a picker chooses for a configuration whose keys are all read. Throws ConfigError
/// if the network cannot be built.
std::string pick(const Picker& picker, Config& config, const Given& given);

}  // namespace weft
