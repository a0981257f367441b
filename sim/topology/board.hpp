// What is known of system boards before a network of them is built.
#pragma once

#include <cstdint>

namespace weft {

/// Units of a board where a configuration does not say (seed 003: 8 main, 4 aggregation units).
inline constexpr std::uint32_t kDefaultMains = 8, kDefaultAggregators = 4;

}  // namespace weft
