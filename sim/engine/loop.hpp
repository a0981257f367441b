// What every cycle loop does: threads, end of the run, errors, sums over processes, checkpoints.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/engine/end_of_run.hpp"
#include "sim/engine/engine.hpp"
#include "sim/share/network_share.hpp"
#include "sim/share/shared_counts.hpp"
#include "sim/share/together.hpp"

namespace weft {

/// Runs a network with its endpoints from cycle to cycle, on one thread or several; other shares of
/// the network may be in other processes. A derived class says what a cycle is. There is a virtual
/// call for each thread and cycle, not for each block.
class Loop {
 public:
  virtual ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs to the end. Throws the error that a single thread would have met first.
  Outcome run();

 protected:
  explicit Loop(const EngineInputs& run);

  /// Counts of this process before `cycle()`.
  virtual LoopTotals totals() = 0;
  /// First error of this process in the last cycle; null if only other processes have one.
  virtual StepError first_error() const = 0;
  /// Packets of traffic in `region` so far, in this process.
  virtual TrafficCounts own_counts(std::uint32_t region) const = 0;
  /// Writes a parcel to each other process about the last cycle; only with other processes.
  virtual void write(std::vector<Parcel>& to) = 0;
  /// Reads the parcels of the other processes, by process; only with other processes.
  virtual void read(std::vector<Parcel>& from) = 0;
  /// Does what precedes each cycle but is no part of it; `now`: totals of all processes. Returns
  /// whether the network is held back, so that nothing need move.
  virtual bool prepare(const LoopTotals& now) = 0;
  /// First cycle from this one on in which something may happen in this process, or `limit` if that
  /// is earlier. Called while no part is active.
  virtual std::uint64_t next_event(std::uint64_t limit) = 0;
  /// Replaces the cycles before `next`, in which nothing happens.
  virtual void skip_to(std::uint64_t next) = 0;
  /// Steps a thread's share of a cycle. Keeps an error instead of throwing: the threads wait for
  /// each other.
  virtual void step(unsigned thread) = 0;
  /// Whether `publish` is to be called in each cycle once all threads have stepped.
  virtual bool publishes() const = 0;
  /// Second step of a thread in a cycle, once all threads have stepped.
  virtual void publish(unsigned thread) = 0;
  /// Whether nothing need move, as an endpoint acts later. Called when nothing has moved for too
  /// long.
  virtual bool waits_for_endpoint() = 0;
  /// Throws the error of a run without progress: nothing has moved for `still` cycles, too many.
  [[noreturn]] virtual void no_progress(std::uint64_t still) = 0;
  /// Checkpoint state of the derived class.
  virtual void archive(SaveArchive& archive) = 0;
  virtual void archive(LoadArchive& archive) = 0;
  /// Flits on all links of this process so far.
  virtual std::uint64_t flit_hops() const = 0;
  /// Adds to `outcome` what is known of the run at its end.
  virtual void collect(Outcome& outcome) = 0;

  std::uint64_t cycle() const { return cycle_; }
  /// The cycle that the run began with.
  std::uint64_t begin() const { return begin_; }

  const EngineInputs& run_;
  std::optional<SharedCounts> shared_;  // Exchange with other processes; empty in a single process.

 private:
  class Workers;

  TrafficCounts counts(std::uint32_t region) const {
    return shared_ ? shared_->counts(region) : own_counts(region);
  }
  LoopTotals shared_totals();
  bool stalled(bool acted);
  bool skips(const LoopTotals& now, bool missing);
  template <class Archive>
  void archive_all(Archive& archive);

  std::uint64_t cycle_ = 0, begin_ = 0;
  // Totals before the last cycle.
  std::uint64_t running_, progress_ = 0;
  EndOfRun end_;
};

}  // namespace weft
