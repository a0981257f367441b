// Estimated time of the collectives between all pairs at once (sw/collectives/direct_steps.h),
// which the pickers compare with that of others.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"

namespace weft {

/// Cycles of `algorithm`, one of these collectives, on the network of a configuration; the greatest
/// number where it refuses that or the network is too large to follow all messages. Throws
/// ConfigError if the network cannot be built.
std::uint64_t direct_cycles(const Config& config, const char* algorithm);

}  // namespace weft
