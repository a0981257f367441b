// Whether traffic is in a steady state while it is measured, or saturates the network.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/workload/traffic_result.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// Of all windows of a phase of so many cycles that was run to its end. `fills_up`: a network that
/// still may do so is never saturated. None where there are too few packets to tell: less than 10
/// in a window.
std::optional<Steadiness> steadiness(std::span<const TrafficWindow, kWindows> windows,
                                     std::uint64_t cycles, bool fills_up);

}  // namespace weft
