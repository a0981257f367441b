// What was measured of synthetic traffic.
#pragma once

#include <cstdint>
#include <optional>

namespace weft {

/// What was measured of synthetic traffic: the packets born in the measuring phase.
struct TrafficResult {
  std::uint64_t measured_cycles = 0;  ///< Cycles of the phase that were run, all rates' divisor.
  bool cut = false;                   ///< The run ended (max_cycles) before the phase did.
  double offered_rate = 0;            ///< Flits born in the phase, per node and cycle.
  double accepted_rate = 0;       ///< Flits that came to nodes in the phase, per node and cycle.
  std::uint64_t packets = 0;      ///< Measured packets born,
  std::uint64_t arrived = 0;      ///< and those of them that arrived, whose latency is known.
  double latency_mean = 0;        ///< Birth to last flit on the wire into the node, cycles.
  std::uint64_t latency_p50 = 0;  ///< The least latency that half of the packets do not exceed,
  std::uint64_t latency_p99 = 0;  ///< and that 99 % of them do not.
  std::uint64_t latency_max = 0;
  /// Offered more than the network takes: accepted below 95 % of offered, or measured packets
  /// still under way after a drain that is as long as the measuring phase or longer. That
  /// max_cycles ends the run is no sign of it.
  bool saturated = false;
  std::optional<std::uint64_t> rounds;  ///< Closed loop: rounds that are over at every node.
};

}  // namespace weft
