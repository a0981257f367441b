// What a run reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/fabric/link_counts.hpp"
#include "sim/observe/activity.hpp"
#include "sim/observe/loss_sums.hpp"
#include "sim/workload/array_result.hpp"
#include "sim/workload/traffic_result.hpp"
#include "sim/workload/wrong_data.hpp"

namespace weft {

/// Completion of one transfer of `workload.transfers`.
struct TransferResult {
  std::uint32_t from = 0, to = 0;
  std::uint64_t start = 0;           ///< Cycle of its descriptor.
  std::optional<std::uint64_t> end;  ///< Cycle of its last flit on the wire into `to`; none if
                                     ///< it did not arrive or was dropped.
};

/// One region of a partitioned network.
struct RegionResult {
  std::uint32_t nodes = 0;
  std::uint64_t digest = 0;  ///< Digest of the region's links up to the end of the measuring phase.
  TrafficResult traffic;
};

/// A value that a program has put into the result (weft_result).
struct ProgramValue {
  std::string name;
  std::uint32_t node = 0;
  std::uint64_t cycle = 0;
  std::uint32_t value = 0;
};

/// A phase of a node's program (weft_phase): cycles `begin` up to, not including, `end`.
struct PhaseResult {
  std::uint32_t node = 0;
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

/// Begin and end of the job on a node.
struct JobTimes {
  std::optional<std::uint64_t> begin;  ///< Cycle after the start-up; none: the job has not begun,
                                       ///< or its program is loaded before cycle 0.
  std::optional<std::uint64_t> end;    ///< Cycle in which the program returned; none: it has not.
};

/// What is kept of a run that fails with an error.
struct FailedRun {
  std::vector<ProgramValue> values;  ///< Values that programs reported, as in Result.
};

/// Effects of the faults of a configuration.
struct FaultResult {
  std::uint64_t put = 0;       ///< Faults that changed something.
  std::uint64_t missed = 0;    ///< Faults that never changed anything.
  std::uint64_t hits = 0;      ///< Link cycles in which a fault changed something.
  std::uint64_t seen = 0;      ///< Hits found by the check of the link or of an interface.
  std::uint64_t repaired = 0;  ///< Hits repaired by the link.
  /// Wrong words that the checks of protected links accepted; without protection the hits that no
  /// interface found.
  std::uint64_t passed = 0;
};

/// Losses and resends in a run whose packets are acknowledged.
struct Resends {
  std::uint64_t restarts = 0;  ///< Restarts of the network.
  std::uint64_t cycles = 0;    ///< Cycles in which no packet was issued because of restarts.
  std::uint64_t resent = 0;    ///< Packets issued again.
  std::uint64_t repeated = 0;  ///< Packets that had arrived before, and were dropped.
  std::uint64_t missing = 0;   ///< Messages that had not arrived when a user program returned,
                               ///< though packets were dropped.
  std::string dead;            ///< Links that were given up, joined by "; ".
};

/// The result of a run. sim/report writes it; each member has one entry in its table of fields.
struct Result {
  Config config;  ///< Configuration with all values resolved.
  std::string engine;
  std::string picked;                ///< Algorithm that the run's picker chose; empty: none did.
  std::uint64_t cycles = 0;          ///< First cycle in which every endpoint was done.
  std::uint64_t startup_cycles = 0;  ///< Cycle in which the first node started its job; 0: loaded.
  std::uint64_t messages = 0;        ///< Messages received.
  std::uint64_t packets = 0;         ///< Packets that entered the fabric.
  std::uint64_t flits = 0;           ///< Flits that entered the fabric, headers included.
  std::uint64_t flit_hops = 0;       ///< Sum over all links of the flits on each.
  std::uint64_t hops_before = 0;     ///< Part of `flit_hops` from before the resumed checkpoint.
  std::uint64_t digest = 0;          ///< Hash of every flit with its link and cycle.
  std::uint64_t data_errors = 0;     ///< Wrong words in the nodes' memories.
  std::optional<WrongData> wrong_data;   ///< Where they are; none without errors, and for traffic.
  std::uint64_t order_errors = 0;        ///< Packets that a receiver refused.
  std::uint64_t parity_errors = 0;       ///< Packets dropped for parity.
  std::uint64_t bound_cycles = 0;        ///< Lower bound of the cycles of any schedule; 0: none.
  std::string bound_by;                  ///< What takes `bound_cycles`.
  std::uint64_t injection_bound = 0;     ///< Lower bound with the links of this run's interfaces;
                                         ///< 0: none.
  std::vector<std::uint64_t> link_load;  ///< Flits on each link, by its number in the graph.
  std::uint64_t max_link_load = 0;       ///< Flits on the busiest link.
  /// Slots per VC with which one VC keeps any link busy; none: a network of crossbars.
  std::optional<std::uint64_t> full_rate_depth;
  std::optional<FaultResult> faults;  ///< None if the configuration has no faults.
  std::optional<LinkCounts> links;    ///< Counts of protected links; none without them.
  bool stopped = false;  ///< Ended before the workload completed: `max_cycles`, Ctrl-C.
  double wall_s = 0;
  std::optional<Resends> resends;  ///< Resends of packets; none if packets are not acknowledged.
  std::vector<TransferResult> transfers;
  std::vector<ProgramValue> values;       ///< By node; values of one node in the order in which it
                                          ///< reported them.
  std::vector<PhaseResult> phases;        ///< By node; phases of one node in their order.
  std::optional<BarrierResult> barriers;  ///< None without barriers.
  std::optional<TrafficResult> traffic;
  std::vector<RegionResult> regions;      ///< Empty without a partition.
  std::optional<BoardFlits> board_flits;  ///< For a collective on arrays on boards.
  std::vector<UnitArray> states;          ///< Arrays of aggregation units, by rank; empty: not
                                          ///< asked for.
  std::vector<JobTimes> jobs;             ///< By rank; empty without programs.
  std::optional<LossSums> losses;         ///< None: not asked for.
  std::vector<LinkLosses> link_losses;    ///< Losses of links between routers; with `losses`.
  std::optional<Activity> activity;       ///< Only with `losses`.
  std::vector<std::string> notes;         ///< What was verified, in words.
  /// Why engine `model` stepped every flit; empty: packets moved as spans, or another engine.
  std::string stepped;

  /// Cycles of the job without the start-up; `bound_cycles` is their lower bound.
  std::uint64_t job_cycles() const { return cycles - startup_cycles; }
  /// Number of errors: wrong words, and packets refused or lost for good.
  std::uint64_t errors() const {
    const std::uint64_t lost = order_errors + parity_errors + (links ? links->lost : 0);
    return data_errors + (resends ? resends->missing : lost);
  }
  /// Whether the workload completed without errors.
  bool verified() const { return errors() == 0 && !stopped; }
};

}  // namespace weft
