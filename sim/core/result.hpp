// What a run reports.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// When one transfer of `workload.transfers` was over.
struct TransferResult {
  std::uint32_t from = 0, to = 0;
  std::uint64_t start = 0;           ///< Cycle of the descriptor.
  std::optional<std::uint64_t> end;  ///< Cycle of its last flit on the wire into `to`; none if
                                     ///< it did not come, or was dropped.
};

/// Barriers of a run, by barrier units or by messages.
struct BarrierResult {
  std::uint64_t count = 0;    ///< Over for all nodes, without that of the start-up.
  double mean_wait = 0;       ///< From entering to going on, mean over nodes, cycles.
  std::uint64_t latency = 0;  ///< The same, the least: of a node that enters last, cycles.
};

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

/// One region of a partitioned network.
struct RegionResult {
  std::uint32_t nodes = 0;
  std::uint64_t digest = 0;  ///< As the run's, of its links up to the end of the measuring phase.
  TrafficResult traffic;
};

/// The result of a run, one JSON object (design, the `weft` command).
struct Result {
  nlohmann::json config;
  std::string engine;
  std::uint64_t cycles = 0;  ///< First cycle in which every processor had ended its program.
  std::uint64_t startup_cycles = 0;  ///< Cycle in which the first node started its job; 0: loaded.
  std::uint64_t messages = 0;        ///< Messages received.
  std::uint64_t packets = 0;         ///< Packets that entered the network.
  std::uint64_t flits = 0;           ///< Flits that entered the network, headers included.
  std::uint64_t flit_hops = 0;       ///< Flits counted on every link.
  std::uint64_t digest = 0;          ///< Hash of every flit with its link and cycle.
  std::uint64_t data_errors = 0;     ///< Words of a node's memory that are not as they must be.
  std::uint64_t order_errors = 0;    ///< Packets that a receiver refused.
  std::uint64_t parity_errors = 0;   ///< Packets dropped for parity.
  std::uint64_t bound_cycles =
      0;  ///< Least cycles any schedule needs: link load, headers included.
  std::uint64_t max_link_load = 0;  ///< Flits on the busiest link, as counted.
  bool stopped = false;             ///< Ended by `max_cycles`, before the work was done.
  double wall_s = 0;
  std::vector<TransferResult> transfers;
  std::optional<BarrierResult> barriers;  ///< None without barrier units and barriers.
  std::optional<TrafficResult> traffic;
  std::vector<RegionResult> regions;  ///< Empty without a partition.
  /// Of a collective on arrays, on boards: flits by what links join: "board", or the dimension.
  nlohmann::json link_flits;
  std::string states;  ///< CSV of aggregation units' arrays, see RunOptions; empty: not asked for.
  nlohmann::json losses;           ///< Why links idled (Losses::to_json); null: not asked for.
  std::vector<std::string> notes;  ///< What was verified, in words.

  /// Cycles of the job alone, which `bound_cycles` is the bound of.
  std::uint64_t job_cycles() const { return cycles - startup_cycles; }
  /// No error was found and the work was done.
  bool verified() const { return data_errors + order_errors + parity_errors == 0 && !stopped; }
};

/// JSON with the field names of the design; `digest` is a string of 16 hexadecimal digits.
nlohmann::json to_json(const Result& result);

}  // namespace weft
