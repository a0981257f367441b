// When a run ends, and the state of the nodes then: common to all cycle loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/engine/engine.hpp"
#include "sim/workload/traffic_endpoint.hpp"

namespace weft {

/// Decides before each cycle whether the run is over.
class EndOfRun {
 public:
  /// `run` must outlive it.
  explicit EndOfRun(const EngineInputs& run) : run_(run) {}

  /// A flit was on a link in `cycle`, or a node had become done.
  void moved(std::uint64_t cycle) {
    last_move_ = std::max(last_move_, cycle);
    acted_ = false;
  }

  /// Whether `max_cycles` or an interrupt stops the run before `cycle`. Call it before each cycle.
  /// `interrupted`: there was an interrupt.
  bool stops(std::uint64_t cycle, bool interrupted) {
    const std::uint64_t most = run_.config.max_cycles;
    stopped_ = interrupted || (most != 0 && cycle >= most);
    return stopped_;
  }
  /// Whether the run ends before `cycle`; call it after `stops`. `running`: nodes that are not
  /// done; `dropped`: a packet was dropped; `counts(region)`: TrafficCounts so far.
  /// `stalled(acted)` is called when nothing has moved for too long: it returns true if an endpoint
  /// will act later, so that nothing need move, and throws if none will and `acted`, its last
  /// result, is false.
  template <class Counts, class Stalled>
  bool reached(std::uint64_t cycle, std::uint32_t running, bool dropped, Counts counts,
               Stalled stalled) {
    if (running == 0 || (run_.traffic != nullptr && traffic_over(cycle, dropped, counts))) {
      stopped_ = false;
      // Packets in flight would have moved: they wait for each other.
      if (running != 0 && !dropped && still(cycle) >= deadlock_cycles()) stalled(false);
      return true;
    }
    if (stopped_ || (dropped && still(cycle) >= kAfterDrop)) return true;
    if (still(cycle) >= run_.watchdog) {
      acted_ = stalled(acted_);
      last_move_ = cycle;
    }
    if (cycle - shown_ >= kShowEvery && run_.progress) {
      shown_ = cycle;
      run_.progress(cycle, run_.graph.nodes - running);
    }
    return false;
  }
  /// First cycle after `cycle` that may end the run, or in which there is something to do, such as
  /// to save the state. For a `cycle` that does not end the run and in which nothing moves;
  /// `dropped`: a packet was dropped.
  std::uint64_t next(std::uint64_t cycle, bool dropped) const;
  /// Cycles before `cycle` in which nothing moved, counted from the last progress.
  std::uint64_t still(std::uint64_t cycle) const { return cycle - last_move_; }
  /// Whether `max_cycles` or an interrupt ended the run.
  bool stopped() const { return stopped_; }
  /// Note for the result on how many packets source queues, which have no limit, held at once;
  /// empty: too few to be worth one.
  std::string note() const { return most_queued_ < kManyQueued ? "" : queued_note(most_queued_); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(last_move_, acted_);
  }

 private:
  // After a dropped packet the workload cannot complete; the run ends after this many cycles in
  // which nothing moves.
  static constexpr std::uint64_t kAfterDrop = 10'000;
  // Cycles without a flit that are a deadlock at the end of traffic: more than links with registers
  // and protection take, and acknowledgements.
  std::uint64_t deadlock_cycles() const {
    constexpr std::uint64_t kStill = 2'000;
    return std::min(run_.watchdog - run_.config.watchdog + kStill, run_.watchdog);
  }
  static constexpr std::uint64_t kShowEvery = 256;  // Cycles between calls of `progress`.

  // Whether every region is over, or the time limit is reached. While no packet is in flight, no
  // flit need move.
  template <class Counts>
  bool traffic_over(std::uint64_t cycle, bool dropped, Counts counts) {
    const TrafficPlan& plan = *run_.traffic;
    std::uint64_t in_flight = 0;
    bool over = true;
    for (std::uint32_t region = 0; region < plan.partition().regions(); ++region) {
      const TrafficCounts now = counts(region);
      in_flight += now.generated - now.arrived;
      over = over && plan.over(now, cycle);
    }
    // Some of the packets that are still counted may have been dropped.
    if (in_flight == 0) {
      last_move_ = cycle;
    } else if (dropped) {
      last_move_ = std::max(last_move_, std::min(cycle, plan.end() - 1));
    }
    if (in_flight > most_queued_) [[unlikely]]
      note_queued(in_flight);
    return over || cycle >= plan.limit();
  }

  // A gigabyte of packets. Those in the network are counted, too, but are few beside them.
  static constexpr std::uint64_t kManyQueued =
      (std::uint64_t{1} << 30) / TrafficEndpoint::kQueuedBytes;
  static std::string queued_note(std::uint64_t packets);
  void note_queued(std::uint64_t packets) {
    const bool passes = most_queued_ < kManyQueued && packets >= kManyQueued;
    most_queued_ = packets;
    if (passes && run_.say) run_.say(note());
  }

  const EngineInputs& run_;
  std::uint64_t last_move_ = 0, most_queued_ = 0, shown_ = 0;
  bool stopped_ = false;
  bool acted_ = false;  // An endpoint acted when nothing had moved for too long.
};

/// Adds the state of `nodes`, from `status(n)` and `window(n)`, and the barriers so far.
template <class Status, class Window>
void collect_nodes(const NodeSet& nodes, Status status, Window window, const BarrierTimes& barriers,
                   Outcome& outcome) {
  for (const std::uint32_t n : nodes) {
    outcome.status.push_back(status(n));
    outcome.window_flits.push_back(window(n));
  }
  outcome.barrier_sums = barriers.sums(nodes);
}

}  // namespace weft
