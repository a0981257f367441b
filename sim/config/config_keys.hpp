// The tables of all keys but those of a single topology or traffic pattern.
#pragma once

#include "sim/config/config.hpp"
#include "sim/config/key.hpp"

namespace weft {

/// Of the whole configuration: sections are rows with `fields`.
Keys root_keys();
/// Of `workload`, beside what a pattern of traffic alone knows.
Keys workload_keys();
/// Of an element of `workload.traffic`, beside what its pattern alone knows.
Keys pattern_keys();
/// Of `topology`, beside what a kind alone knows.
Keys topology_keys();

/// Largest weight in a list of things that are drawn by weight.
inline constexpr double kMaxWeight = 1e6;

/// Length of a collective's array, bytes.
inline constexpr std::uint32_t kMostArrayBytes = 1u << 26;

}  // namespace weft
