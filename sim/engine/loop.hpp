// What every cycle loop does: threads, the end of the run, errors, sums over processes,
// checkpoints.
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

/// Runs a network with its endpoints from cycle to cycle, on one thread or several; other parts of
/// the network may be in other processes. What a cycle is, a derived class says. A virtual call is
/// made for each thread and cycle, not for each block.
class Loop {
 public:
  virtual ~Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs to the end. Throws the error that a single thread would have met first.
  Outcome run();

 protected:
  explicit Loop(const EngineInputs& run);

  /// Before `cycle()`: the counts of this process.
  virtual LoopTotals totals() = 0;
  /// The error of the cycle before, which is there, or that of no part of this process.
  virtual StepError first_error() const = 0;
  /// Packets of traffic so far, of this process.
  virtual TrafficCounts own_counts(std::uint32_t region) const = 0;
  /// With other processes: what they are told of the cycle before,
  virtual void write(std::vector<Parcel>& to) = 0;
  /// and what they tell, by process.
  virtual void read(std::vector<Parcel>& from) = 0;
  /// What is done before each cycle that is no part of it; `now`: of all processes. Returns whether
  /// the network is held back, so that nothing need move.
  virtual bool prepare(const LoopTotals& now) = 0;
  /// While no part is active: the first cycle from this one on in which something may happen in
  /// this process, or `limit` if that is earlier.
  virtual std::uint64_t next_event(std::uint64_t limit) = 0;
  /// In place of the cycles before `next`, in which nothing happens.
  virtual void skip_to(std::uint64_t next) = 0;
  /// The share of a thread in a cycle. It keeps its error: the threads wait for each other.
  virtual void step(unsigned thread) = 0;
  /// Whether there is more to do in a cycle once all threads have stepped,
  virtual bool publishes() const = 0;
  /// namely this.
  virtual void publish(unsigned thread) = 0;
  /// Nothing has moved for too long: whether nothing need move, as an endpoint acts later.
  virtual bool waits_for_endpoint() = 0;
  /// The same, and `still` cycles are too many: throws why.
  [[noreturn]] virtual void no_progress(std::uint64_t still) = 0;
  /// The state beside that of the loop: what a checkpoint keeps.
  virtual void archive(SaveArchive& archive) = 0;
  virtual void archive(LoadArchive& archive) = 0;
  /// On all links of this process, so far.
  virtual std::uint64_t flit_hops() const = 0;
  /// The run is over: adds what is known of it.
  virtual void collect(Outcome& outcome) = 0;

  std::uint64_t cycle() const { return cycle_; }
  /// The cycle that the run began with.
  std::uint64_t begin() const { return begin_; }

  const EngineInputs& run_;
  std::optional<SharedCounts> shared_;  // With other processes.

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
  // As of the cycle before.
  std::uint64_t running_, progress_ = 0;
  EndOfRun end_;
};

}  // namespace weft
