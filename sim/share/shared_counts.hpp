// Sums over the processes that share a network, on which the end of a run depends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/processes/processes.hpp"
#include "sim/share/quiet.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// What a loop knows before a cycle: sums over all threads, and over all processes. A count of
/// parts, threads or processes is 0 if none is concerned.
struct LoopTotals {
  std::uint64_t running = 0;   ///< Nodes that are not done.
  std::uint64_t moved = 0;     ///< Increases when anything moves.
  std::uint64_t progress = 0;  ///< Increases when anything moves, except flits that circle for
                               ///< ever.
  std::uint64_t moving = 0;    ///< Parts in which flits are certain to move in this cycle.
  std::uint64_t active = 0;    ///< Parts in which this cycle must not be skipped.
  std::uint64_t missing = 0;   ///< Parts in which packets were dropped or lost for good.
  std::uint64_t errors = 0, interrupts = 0;
  QuietCycles quiet;  ///< Used only with other processes.
};

/// Per-cycle exchange between processes: sums of LoopTotals and of the traffic counts, plus one
/// parcel to each process.
class SharedCounts {
 public:
  /// `processes` must outlive it. `regions`: number of regions of traffic.
  SharedCounts(Processes& processes, std::uint32_t regions);

  std::vector<Parcel>& to() { return to_; }  ///< By process: the next parcel to it.
  /// Sets the counts of traffic of this process.
  void set_counts(std::uint32_t region, const TrafficCounts& own);
  std::uint32_t regions() const { return static_cast<std::uint32_t>(counts_.size()); }
  /// Exchanges the parcels, and replaces `totals` and the counts of traffic by their sums over all
  /// processes. Returns the received parcels, by process. All processes call it together.
  std::vector<Parcel>& exchange(LoopTotals& totals);
  /// Exchanges the parcels, and replaces `sums` by their sums over all processes. Returns the
  /// received parcels, by process. All processes call it together.
  std::vector<Parcel>& exchange(std::span<std::uint64_t> sums = {});
  const TrafficCounts& counts(std::uint32_t region) const { return counts_[region]; }

 private:
  Processes& processes_;
  std::vector<Parcel> to_, from_;
  std::vector<std::uint64_t> sums_;
  std::vector<TrafficCounts> counts_;  // By region.
};

}  // namespace weft
