// Pickers: collectives that stand for a kind of result, and choose the algorithm that suits the
// network and the length.
#pragma once

#include <span>
#include <string>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// One picker.
struct Picker {
  const char* name;         ///< In `workload.collective`.
  weft_kind kind;           ///< What every algorithm that it may choose leaves in the memories.
  const char* description;  ///< One line for `weft list`.
  /// The name of the algorithm; may set `config.workload.array.order` for it, and what is not
  /// given. `network`: that of the configuration, with one send controller.
  const char* (*pick)(Config& config, const Graph& network, const Given& given);
};

/// All pickers, by rising name.
std::span<const Picker> pickers();

/// The algorithm that a picker chooses for a configuration whose keys are all read. Throws
/// ConfigError if the network cannot be built.
std::string pick(const Picker& picker, Config& config, const Given& given);

}  // namespace weft
