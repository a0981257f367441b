// What every cycle loop does.
#include "sim/engine/loop.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "sim/engine/checkpoint.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/thread_barrier.hpp"

namespace weft {

/// The threads that share a cycle with the calling thread.
class Loop::Workers {
 public:
  explicit Workers(Loop& loop)
      : loop_(loop), publishes_(loop.publishes()), barrier_(loop.run_.threads - 1) {
    const auto work = [this](unsigned thread) {
      for (;;) {
        barrier_.pass();  // The cycle and `stop_` are set.
        if (stop_) return;
        loop_.step(thread);
        if (!publishes_) continue;
        barrier_.pass();  // All have read what others drive.
        loop_.publish(thread);
      }
    };
    try {
      for (unsigned i = 1; i < loop.run_.threads; ++i) threads_.emplace_back(work, i);
    } catch (...) {
      barrier_.await_only(static_cast<std::uint32_t>(threads_.size()));
      stop();
      throw;
    }
    if (!threads_.empty()) barrier_.await();
  }
  ~Workers() { stop(); }
  /// One cycle, on all threads.
  void step() {
    if (threads_.empty()) {
      loop_.step(0);
      if (publishes_) loop_.publish(0);
      return;
    }
    barrier_.open();
    loop_.step(0);
    barrier_.await();
    if (!publishes_) return;
    barrier_.open();
    loop_.publish(0);
    barrier_.await();
  }

 private:
  // Ends the threads, which wait for the next cycle.
  void stop() {
    if (threads_.empty()) return;
    stop_ = true;
    barrier_.open();
    threads_.clear();
  }

  Loop& loop_;
  const bool publishes_;
  bool stop_ = false;
  ThreadBarrier barrier_;
  std::vector<std::jthread> threads_;
};

Loop::Loop(const EngineInputs& run) : run_(run), running_(run.graph.nodes), end_(run) {
  if (run.share.alone()) return;
  shared_.emplace(run.share.processes(),
                  run.traffic != nullptr ? run.traffic->partition().regions() : 0);
}

// The sums over all processes; all processes call it together.
LoopTotals Loop::shared_totals() {
  LoopTotals now = totals();
  if (!shared_) return now;
  now.quiet = QuietCycles::before(now.active != 0 ? 0 : next_event(~std::uint64_t{0}) - cycle_);
  write(shared_->to());
  for (std::uint32_t region = 0; region < shared_->regions(); ++region) {
    shared_->set_counts(region, own_counts(region));
  }
  read(shared_->exchange(now));
  return now;
}

// Handles that nothing has moved for too long. Returns whether an endpoint acts later; `acted`: it
// was so the last time.
bool Loop::stalled(bool acted) {
  const bool acts = waits_for_endpoint();
  if (!acts && !acted) no_progress(end_.still(cycle_));
  return acts;
}

// Skips to the next cycle in which something may happen, if that is a later one; returns whether it
// is.
bool Loop::skips(const LoopTotals& now, bool missing) {
  if (now.active != 0) return false;
  const std::uint64_t limit = end_.next(cycle_, missing);
  const std::uint64_t next =
      shared_ ? std::min(limit, cycle_ + now.quiet.cycles()) : next_event(limit);
  if (next <= cycle_) return false;
  skip_to(next);
  cycle_ = next;
  return true;
}

template <class Archive>
void Loop::archive_all(Archive& state) {
  state(cycle_, running_, progress_, end_);
  archive(state);
}

Outcome Loop::run() {
  const auto state = [this](auto& archive) { archive_all(archive); };
  Outcome outcome;
  if (run_.checkpoint != nullptr) {
    run_.checkpoint->load(state);
    outcome.hops_before = flit_hops();
  }
  begin_ = cycle_;
  {
    Workers workers(*this);
    const auto start = Clock::now();
    for (;;) {
      const LoopTotals now = shared_totals();
      if (now.errors != 0) throw_first(run_.share.processes(), first_error());
      save_if_due(run_, cycle_, end_.stops(cycle_, now.interrupts != 0), state);
      if (now.moving != 0 || now.progress != progress_ || now.running != running_) {
        end_.moved(cycle_);
      }
      progress_ = now.progress;
      running_ = now.running;
      if (prepare(now)) end_.moved(cycle_);
      const bool missing = now.missing != 0;
      if (end_.reached(
              cycle_, static_cast<std::uint32_t>(running_), missing,
              [this](std::uint32_t region) { return counts(region); },
              [this](bool acted) { return stalled(acted); })) {
        break;
      }
      if (skips(now, missing)) continue;
      workers.step();
      ++cycle_;
    }
    outcome.wall_s = seconds_since(start);
  }
  outcome.cycles = cycle_;
  outcome.stopped = end_.stopped();
  collect(outcome);
  if (std::string note = end_.note(); !note.empty()) outcome.notes.push_back(std::move(note));
  return outcome;
}

}  // namespace weft
