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

/// When one transfer of `workload.transfers` completed.
struct TransferResult {
  std::uint32_t from = 0, to = 0;
  std::uint64_t start = 0;           ///< Cycle of the descriptor.
  std::optional<std::uint64_t> end;  ///< Cycle of its last flit on the wire into `to`; none if
                                     ///< it did not arrive or was dropped.
};

/// One region of a partitioned network.
struct RegionResult {
  std::uint32_t nodes = 0;
  std::uint64_t digest = 0;  ///< As the run's, of its links up to the end of the measuring phase.
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

/// When the program of a node worked.
struct JobTimes {
  std::optional<std::uint64_t> begin;  ///< Cycle after the start-up; none: it has not begun, or
                                       ///< the program is loaded before cycle 0.
  std::optional<std::uint64_t> end;    ///< Cycle in which it returned; none: it has not.
};

/// What a run leaves that fails with an error.
struct FailedRun {
  std::vector<ProgramValue> values;  ///< As in Result.
};

/// What happened to the faults of a configuration.
struct FaultResult {
  std::uint64_t put = 0;       ///< Faults that changed something.
  std::uint64_t missed = 0;    ///< Faults that never did.
  std::uint64_t hits = 0;      ///< Cycles of links in which a fault changed something.
  std::uint64_t seen = 0;      ///< Of these, found by the check of the link or of an interface;
  std::uint64_t repaired = 0;  ///< of these, repaired by the link.
  /// Wrong words that the checks of protected links accept; without protection the hits that no
  /// interface has found.
  std::uint64_t passed = 0;
};

/// What was lost in a run whose packets are acknowledged.
struct Resends {
  std::uint64_t restarts = 0;  ///< Of the network.
  std::uint64_t cycles = 0;    ///< In which no packet was issued for that.
  std::uint64_t resent = 0;    ///< Packets issued again.
  std::uint64_t repeated = 0;  ///< Packets that had come before, and were dropped.
  std::uint64_t missing = 0;   ///< Messages of a program of the user's that had not come when it
                               ///< returned, though packets were dropped.
  std::string dead;            ///< Links that were given up, joined by "; ".
};

/// The result of a run. sim/report writes it; each member has one entry in its table of fields.
struct Result {
  Config config;  ///< As resolved.
  std::string engine;
  std::string picked;                ///< Algorithm that the run's picker chose; empty: none did.
  std::uint64_t cycles = 0;          ///< First cycle in which every endpoint was done.
  std::uint64_t startup_cycles = 0;  ///< Cycle in which the first node started its job; 0: loaded.
  std::uint64_t messages = 0;        ///< Messages received.
  std::uint64_t packets = 0;         ///< Packets that entered the fabric.
  std::uint64_t flits = 0;           ///< Flits that entered the fabric, headers included.
  std::uint64_t flit_hops = 0;       ///< Sum over all links of the flits on each.
  std::uint64_t hops_before = 0;     ///< Of them, those before the checkpoint that was resumed.
  std::uint64_t digest = 0;          ///< Hash of every flit with its link and cycle.
  std::uint64_t data_errors = 0;     ///< Wrong words in the nodes' memories.
  std::optional<WrongData> wrong_data;   ///< Where; none without, and of traffic.
  std::uint64_t order_errors = 0;        ///< Packets that a receiver refused.
  std::uint64_t parity_errors = 0;       ///< Packets dropped for parity.
  std::uint64_t bound_cycles = 0;        ///< Lower bound of the cycles of any schedule; 0: none.
  std::string bound_by;                  ///< What takes that long.
  std::uint64_t injection_bound = 0;     ///< With the links of this run's interfaces; 0: none.
  std::vector<std::uint64_t> link_load;  ///< Flits on each link, by its number in the graph.
  std::uint64_t max_link_load = 0;       ///< On the busiest.
  /// Slots of a VC with which one VC keeps any link busy; none: a network of crossbars.
  std::optional<std::uint64_t> full_rate_depth;
  std::optional<FaultResult> faults;  ///< None where the configuration has none.
  std::optional<LinkCounts> links;    ///< Of protected links; none without.
  bool stopped = false;  ///< Ended before the workload completed: `max_cycles`, Ctrl-C.
  double wall_s = 0;
  std::optional<Resends> resends;  ///< Of packets; none where they are not acknowledged.
  std::vector<TransferResult> transfers;
  std::vector<ProgramValue> values;       ///< By node, those of a node in its order.
  std::vector<PhaseResult> phases;        ///< By node, those of a node in their order.
  std::optional<BarrierResult> barriers;  ///< None without barrier units and barriers.
  std::optional<TrafficResult> traffic;
  std::vector<RegionResult> regions;      ///< Empty without a partition.
  std::optional<BoardFlits> board_flits;  ///< Of a collective on arrays, on boards.
  std::vector<UnitArray> states;          ///< Of aggregation units, by rank; empty: not asked for.
  std::vector<JobTimes> jobs;             ///< By rank; empty without programs.
  std::optional<LossSums> losses;         ///< None: not asked for.
  std::vector<LinkLosses> link_losses;    ///< With the losses; links between routers.
  std::optional<Activity> activity;       ///< With the losses.
  std::vector<std::string> notes;         ///< What was verified, in words.
  /// Why engine `model` stepped every flit; empty: packets moved as spans, or another engine.
  std::string stepped;

  /// Cycles of the job alone; `bound_cycles` is their lower bound.
  std::uint64_t job_cycles() const { return cycles - startup_cycles; }
  /// What is wrong: words, and packets that were lost for good.
  std::uint64_t errors() const {
    const std::uint64_t lost = order_errors + parity_errors + (links ? links->lost : 0);
    return data_errors + (resends ? resends->missing : lost);
  }
  /// Whether the workload completed without errors.
  bool verified() const { return errors() == 0 && !stopped; }
};

}  // namespace weft
