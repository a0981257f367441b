// Tables of all keys but those of a single topology or traffic pattern.
#pragma once

#include "sim/config/config.hpp"
#include "sim/config/key.hpp"

namespace weft {

/// Keys of the whole configuration: sections are rows with `fields`.
Keys root_keys();
/// Keys of `workload`, without those of a single pattern of traffic.
Keys workload_keys();
/// Keys of an element of `workload.traffic`, without those of its pattern.
Keys pattern_keys();
/// Keys of `topology`, without those of a single kind.
Keys topology_keys();

/// Largest weight in a list from which elements are drawn by weight.
inline constexpr double kMaxWeight = 1e6;

/// Most bytes of a collective's array.
inline constexpr std::uint32_t kMostArrayBytes = 1u << 26;

}  // namespace weft
