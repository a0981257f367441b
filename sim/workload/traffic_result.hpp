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
  std::uint64_t p50 = 0;  ///< Least latency that half of the packets do not exceed.
  std::uint64_t p99 = 0;  ///< Least latency that 99 % of the packets do not exceed.
  std::uint64_t max = 0;
};

/// Findings from 20 windows of a measuring phase (sim/run/steady.hpp).
struct Steadiness {
  /// In the second half of the phase less is accepted than offered, or latency grows from window to
  /// window; each with 99 % confidence.
  bool saturated = false;
  /// Windows at the beginning without which mean latency, and throughput, are more than 2 % higher.
  /// 10 is the most; then the phase is too short.
  unsigned latency_unsettled = 0, throughput_unsettled = 0;
  /// Mean latencies in cycles, with and without the windows that are to be left out for either
  /// reason.
  double latency_with = 0, latency_without = 0;

  unsigned unsettled() const { return std::max(latency_unsettled, throughput_unsettled); }
};

/// Measurements of synthetic traffic: of the packets generated in the measuring phase. With
/// replies, a packet and what it offers include its future reply.
struct TrafficResult {
  std::optional<std::uint64_t> warmup;  ///< Cycles before the measuring phase; none for a trace.
  std::uint64_t measured_cycles = 0;    ///< Cycles of the phase that were run: divisor of all
                                        ///< rates.
  bool cut = false;                     ///< The run ended (max_cycles) before the phase did.
  double offered_rate = 0;              ///< Flits generated in the phase, per node and cycle.
  double accepted_rate = 0;             ///< Flits delivered in the phase, per node and cycle.
  std::uint64_t packets = 0;            ///< Packets generated in the phase.
  std::uint64_t arrived = 0;            ///< Packets generated in the phase that were delivered.
  /// Latencies of packets that are no replies, from generation to the last flit on the wire into
  /// the node. No packets: none was delivered.
  LatencyResult latency;
  std::vector<std::uint32_t> latencies;  ///< By latency in cycles: number of packets.
  /// Latencies with replies, from a packet's generation to its reply's last flit on the wire into
  /// its source.
  std::optional<LatencyResult> round_trip;
  /// Some packets took longer than a header can tell: the mean is right, but p50, p99 and max may
  /// be too low.
  bool beyond_headers = false;
  /// The offered load exceeds the saturation throughput. That is so if less than 95 % of what is
  /// offered is accepted in the second half of the phase; if measured packets are still in flight
  /// after a drain at least as long as the phase; or, for packets at random, if that half shows it
  /// (sim/run/steady.hpp). A run that max_cycles ends is not saturated for the second reason, nor
  /// is one that ends before a network can be full.
  bool saturated = false;
  /// Whether latency and throughput of the phase are those of a longer one; none: too little was
  /// measured to tell, or the traffic is a task to complete.
  std::optional<bool> steady;
  std::optional<Steadiness> steadiness;  ///< What `steady` follows from; none with several regions.
  std::optional<std::uint64_t> rounds;   ///< For a closed loop: rounds that all nodes have
                                         ///< completed.
};

}  // namespace weft
