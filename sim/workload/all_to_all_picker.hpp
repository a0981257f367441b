// The picker of all-to-alls.
#pragma once

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Picks the all-to-all for a configuration whose keys are all read, and returns its name; sets
/// `sync` and `gap` as it needs them, unless they are given. `network`: that of the configuration.
const char* pick_all_to_all(Config& config, const Graph& network, const Given& given);

}  // namespace weft
