// Estimated time of the collectives between all pairs at once (sw/collectives/direct_steps.h),
// which the pickers compare with that of others.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// Cycles of `allreduce_direct`, `reduce_scatter_direct` or `allgather_direct`, whichever is of
/// this kind, on the network of a configuration; the greatest number where they refuse it or the
/// network is too large to follow all messages. Throws ConfigError if the network cannot be built.
std::uint64_t direct_cycles(const Config& config, weft_kind kind);

}  // namespace weft
