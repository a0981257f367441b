// Whether traffic is in a steady state while it is measured, or saturates the network.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/workload/traffic_result.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// Most windows at the beginning that `Steadiness` may leave out.
inline constexpr unsigned kMostUnsettled = kWindows / 2;

/// Windows of a phase that was run to its end.
struct WindowsOfPhase {
  std::span<const TrafficWindow, kWindows> windows;
  std::uint64_t cycles = 0;  ///< Cycles of all windows together.
  double packet_flits = 1;   ///< Mean length of packets.
  std::uint64_t lost = 0;    ///< Flits that cannot arrive any more.
  bool fills_up = false;     ///< The network may still fill up: then it is not reported as
                             ///< saturated.
};

/// Steadiness of a phase; none if there are too few packets to tell: fewer than 10 offered in a
/// window. It says nothing of latency if fewer than 10 packets of a window were delivered, as in a
/// saturated network when the run ends.
std::optional<Steadiness> steadiness(const WindowsOfPhase& phase);

}  // namespace weft
