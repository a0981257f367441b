// The measurements of synthetic traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

/// Latencies of packets, cycles.
struct LatencyResult {
  std::uint64_t packets = 0;
  double mean = 0;
  std::uint64_t p50 = 0;  ///< The least latency that half of the packets do not exceed,
  std::uint64_t p99 = 0;  ///< and that 99 % of them do not.
  std::uint64_t max = 0;
};

/// What 20 windows of a measuring phase tell (sim/engine/steady.hpp).
struct Steadiness {
  /// In its second half less is accepted than offered, or latency grows from window to window,
  /// either with 99 % confidence.
  bool saturated = false;
  /// Windows at the beginning without which the mean of the others is known best, by latency and by
  /// throughput; 10, the most of them, tell that the phase is too short.
  unsigned latency_transient = 0, throughput_transient = 0;
  /// As many of them, if without them mean latency or throughput is more than 2 % higher, else 0.
  unsigned unsettled = 0;
  double latency_with = 0, latency_without = 0;  ///< Mean latencies, cycles; of no use if 0.
};

/// Measurements of synthetic traffic: of the packets generated in the measuring phase. With
/// replies, a packet and what it offers include the reply that it will have.
struct TrafficResult {
  std::uint64_t measured_cycles = 0;  ///< Cycles of the phase that were run, all rates' divisor.
  bool cut = false;                   ///< The run ended (max_cycles) before the phase did.
  double offered_rate = 0;            ///< Flits generated in the phase, per node and cycle.
  double accepted_rate = 0;           ///< Flits delivered in the phase, per node and cycle.
  std::uint64_t packets = 0;          ///< Packets generated in the phase,
  std::uint64_t arrived = 0;          ///< and those of them that were delivered.
  /// Of those that are no replies: generation to last flit on the wire into the node. No packets:
  /// none was delivered.
  LatencyResult latency;
  std::vector<std::uint32_t> latencies;  ///< By cycles: packets with that latency.
  /// With replies: from a packet's generation to its reply's last flit on the wire into its source.
  std::optional<LatencyResult> round_trip;
  /// The offered load exceeds the saturation throughput: in the second half of the phase accepted
  /// is below 95 % of offered; or measured packets are still in flight after a drain at least as
  /// long as the phase; or, of packets at random, that half tells so (sim/engine/steady.hpp). A run
  /// that max_cycles ends is not saturated for that reason.
  bool saturated = false;
  /// None: too little was measured to tell.
  std::optional<Steadiness> steadiness;
  /// Whether latency and throughput of the phase are those of a longer one.
  std::optional<bool> steady() const {
    if (!steadiness) return {};
    return !saturated && steadiness->unsettled == 0;
  }
  std::optional<std::uint64_t> rounds;  ///< Closed loop: rounds that are over at every node.
};

}  // namespace weft
