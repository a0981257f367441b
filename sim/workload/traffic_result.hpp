// The measurements of synthetic traffic.
#pragma once

#include <algorithm>
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

/// What 20 windows of a measuring phase tell (sim/run/steady.hpp).
struct Steadiness {
  /// In its second half less is accepted than offered, or latency grows from window to window,
  /// either with 99 % confidence.
  bool saturated = false;
  /// Windows at the beginning without which mean latency, and throughput, are more than 2 % higher;
  /// 10, the most of them, tell that the phase is too short.
  unsigned latency_unsettled = 0, throughput_unsettled = 0;
  /// Mean latencies with the windows that are left out of both, and without; cycles.
  double latency_with = 0, latency_without = 0;

  unsigned unsettled() const { return std::max(latency_unsettled, throughput_unsettled); }
};

/// Measurements of synthetic traffic: of the packets generated in the measuring phase. With
/// replies, a packet and what it offers include the reply that it will have.
struct TrafficResult {
  std::optional<std::uint64_t> warmup;  ///< Cycles before the measuring phase; none: of a trace.
  std::uint64_t measured_cycles = 0;    ///< Cycles of the phase that were run, all rates' divisor.
  bool cut = false;                     ///< The run ended (max_cycles) before the phase did.
  double offered_rate = 0;              ///< Flits generated in the phase, per node and cycle.
  double accepted_rate = 0;             ///< Flits delivered in the phase, per node and cycle.
  std::uint64_t packets = 0;            ///< Packets generated in the phase,
  std::uint64_t arrived = 0;            ///< and those of them that were delivered.
  /// Of those that are no replies: generation to last flit on the wire into the node. No packets:
  /// none was delivered.
  LatencyResult latency;
  std::vector<std::uint32_t> latencies;  ///< By cycles: packets with that latency.
  /// With replies: from a packet's generation to its reply's last flit on the wire into its source.
  std::optional<LatencyResult> round_trip;
  /// Some were longer on their way than a header tells: the mean is right, p50, p99 and max may be
  /// too low.
  bool beyond_headers = false;
  /// The offered load exceeds the saturation throughput: in the second half of the phase accepted
  /// is below 95 % of offered; or measured packets are still in flight after a drain at least as
  /// long as the phase; or, of packets at random, that half tells so (sim/run/steady.hpp). A run
  /// that max_cycles ends is not saturated for that reason, nor one that ends before a network can
  /// be full.
  bool saturated = false;
  /// Whether latency and throughput of the phase are those of a longer one; none: too little was
  /// measured to tell, or a task was done.
  std::optional<bool> steady;
  std::optional<Steadiness> steadiness;  ///< What tells so; none with several regions.
  std::optional<std::uint64_t> rounds;   ///< Closed loop: rounds that are over at every node.
};

}  // namespace weft
