// Estimated time of the collectives between all pairs at once (sw/collectives/direct_steps.h),
// which the pickers compare with that of others.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Cycles of `algorithm`, one of these collectives, on the network of a configuration; the greatest
/// number where it refuses that, the network is too large to follow all messages, or these cannot
/// be less than `limit`, so that they are of no interest. `network`: with one send controller.
/// Throws ConfigError if the network cannot be built.
std::uint64_t direct_cycles(const Config& config, const Graph& network, const char* algorithm,
                            std::uint64_t limit);

}  // namespace weft
