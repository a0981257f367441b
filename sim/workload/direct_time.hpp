// Estimated time of the collectives that use all pairs at once (sw/collectives/direct_steps.h); the
// pickers compare it with that of others.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Cycles of `algorithm`, one of these collectives, on the network of a configuration. Returns the
/// greatest number if the algorithm refuses the network, the network is too large to follow all
/// messages, or the cycles cannot be below `limit`, so that they do not matter. `network`: with one
/// send controller. Throws ConfigError if the network cannot be built.
std::uint64_t direct_cycles(const Config& config, const Graph& network, const char* algorithm,
                            std::uint64_t limit);

}  // namespace weft
