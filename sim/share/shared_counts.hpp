// What the end of a run depends on, of all processes that share the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/processes/processes.hpp"
#include "sim/share/quiet.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// What a loop knows before a cycle: sums over all threads, and over all processes. Of counts of
/// threads or processes 0 says that it is so in none of them.
struct LoopTotals {
  std::uint64_t running = 0;   ///< Nodes that are not done.
  std::uint64_t moved = 0;     ///< Grows with what moves.
  std::uint64_t progress = 0;  ///< Likewise, but not with flits that circle for ever.
  std::uint64_t moving = 0;    ///< Parts in which flits are certain to move in this cycle.
  std::uint64_t active = 0;    ///< Parts in which this cycle may not be left out.
  std::uint64_t missing = 0;   ///< Parts in which packets were dropped or lost for good.
  std::uint64_t errors = 0, interrupts = 0;
  QuietCycles quiet;  ///< Only with other processes.
};

/// The sums of LoopTotals and of traffic, and parcels: what processes tell each other in a cycle.
class SharedCounts {
 public:
  /// `processes` must outlive it. `regions`: of traffic.
  SharedCounts(Processes& processes, std::uint32_t regions);

  std::vector<Parcel>& to() { return to_; }  ///< By process: what is sent next.
  /// Sets the counts of traffic of this process.
  void set_counts(std::uint32_t region, const TrafficCounts& own);
  std::uint32_t regions() const { return static_cast<std::uint32_t>(counts_.size()); }
  /// A step of all processes: `totals` and the counts of traffic become those of all. Returns the
  /// parcels that came, by process.
  std::vector<Parcel>& exchange(LoopTotals& totals);
  /// The same without counts.
  std::vector<Parcel>& exchange(std::span<std::uint64_t> sums = {});
  const TrafficCounts& counts(std::uint32_t region) const { return counts_[region]; }

 private:
  Processes& processes_;
  std::vector<Parcel> to_, from_;
  std::vector<std::uint64_t> sums_;
  std::vector<TrafficCounts> counts_;  // By region.
};

}  // namespace weft
