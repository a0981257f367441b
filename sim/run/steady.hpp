// Whether traffic is in a steady state while it is measured, or saturates the network.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/workload/traffic_result.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// Windows at the beginning that `Steadiness` may leave out, the most.
inline constexpr unsigned kMostUnsettled = kWindows / 2;

/// Windows of a phase that was run to its end.
struct WindowsOfPhase {
  std::span<const TrafficWindow, kWindows> windows;
  std::uint64_t cycles = 0;  ///< Of all of them.
  double packet_flits = 1;   ///< Mean length.
  std::uint64_t lost = 0;    ///< Flits that cannot arrive any more.
  bool fills_up = false;     ///< The network may still do so: then it is never saturated.
};

/// None where there are too few packets to tell: less than 10 offered in a window. Of latency
/// nothing is said where less than 10 of a window were delivered, as of a saturated network when
/// the run ends.
std::optional<Steadiness> steadiness(const WindowsOfPhase& phase);

}  // namespace weft
