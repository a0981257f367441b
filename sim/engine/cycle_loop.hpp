// The cycle loop: a fabric and its nodes, on one thread or several.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/difference.hpp"
#include "sim/engine/end_of_run.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/fabric_cut.hpp"
#include "sim/engine/faults.hpp"
#include "sim/engine/gate.hpp"
#include "sim/engine/make_blocks.hpp"
#include "sim/engine/nodes.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/quiet.hpp"
#include "sim/engine/rank_part.hpp"
#include "sim/engine/recovery.hpp"
#include "sim/engine/shared_counts.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/observe/waits.hpp"

namespace weft {

/// What threads and processes count each for themselves.
struct LoopCounts {
  Counters counters;
  RegionSums sums;
  bool dropped = false;
  FaultCounts faults;
  LinkCounts links;             ///< Counted before the last restart.
  std::vector<Digest> regions;  ///< Empty without a partition.

  LoopCounts& operator+=(const LoopCounts& other) {
    counters += other.counters;
    sums += other.sums;
    dropped |= other.dropped;
    faults += other.faults;
    links += other.links;
    for (std::size_t r = 0; r < other.regions.size(); ++r) regions[r] += other.regions[r];
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(counters, sums, dropped, faults, links, regions);
  }
};

/// A fabric (`Fabric<...>` or `RtlTop`) with an endpoint at each node, or the part of it that this
/// process has.
template <class Net, Endpoint E>
class CycleLoop {
 public:
  /// Has the fabric restarted in a cycle, with the routers of a graph.
  using Rewire = std::function<void(Net& fabric, const Graph& graph, std::uint64_t cycle)>;

  /// `fabric` and `endpoints` must outlive it.
  CycleLoop(const RunParts& run, Net& fabric, PartArray<E>& endpoints, Rewire rewire = {})
      : run_(run),
        graph_(run.graph),
        net_(fabric),
        nodes_(run.graph, fabric, endpoints, run.own_nodes(), run.watch),
        faults_(run.config, run.graph, run.owns_block()),
        recovery_(run),
        rewire_(std::move(rewire)) {}

  Outcome run();

  /// The state: what a checkpoint keeps. Where processes share the network, saving is a step of
  /// all.
  template <class Archive>
  void serialize(Archive& archive);

 private:
  struct Thread {
    std::vector<Part> parts;
    PartCounts counts;
    std::exception_ptr error;
    std::uint64_t order = 0;  // Of the error: the block, or behind all blocks.
  };
  // What the end of a run depends on, before a cycle: sums over all parts.
  struct Totals {
    std::uint64_t moved = 0, running = 0;
    std::uint64_t progress = 0;  // Grows with what moves, but not with flits that circle for ever.
    std::uint64_t dropped = 0, errors = 0, lost = 0, interrupts = 0;  // 0: no part has any.
    std::uint64_t stepped = 0;  // Blocks that were not idle, so far.
    QuietCycles quiet;          // Only with other processes.
  };
  class Workers;
  // Cycles between two looks at what links have lost.
  static constexpr std::uint64_t kLostEvery = 1024;

  void step(Thread& thread, std::uint64_t cycle);
  void publish(Thread& thread, std::uint64_t cycle);
  // Of a block, or behind the blocks of a link.
  std::string name_of(std::uint32_t at) const {
    const std::size_t blocks = graph_.blocks.size();
    if (at < blocks) return graph_.blocks[at].name;
    return "link " + graph_.link_name(static_cast<std::uint32_t>(at - blocks));
  }
  void show(std::uint64_t cycle);
  void divide();
  Totals totals(std::uint64_t cycle) const;
  bool skips(std::uint64_t& cycle, const Totals& now, std::uint64_t limit);
  std::uint64_t next_event(std::uint64_t cycle, std::uint64_t limit) const;
  void share(Totals& totals);
  void share_after_faults();
  template <std::size_t N>
  std::array<std::uint64_t, N> sum(std::array<std::uint64_t, N> own) const;
  [[noreturn]] void throw_error() const;
  LoopCounts loop_counts() const;
  void go_on(const LoopCounts& counts);
  TrafficCounts counts(std::uint32_t region) const;
  TrafficCounts own_counts(std::uint32_t region) const;
  void collect(Outcome& outcome) const;
  std::uint64_t delivered() const;
  std::uint64_t not_delivered() const;
  bool waits_for_endpoint(std::uint64_t cycle) const;
  Recovery::Trouble trouble() const;
  void recover(std::uint64_t cycle, bool moved);
  [[noreturn]] void no_progress(std::uint64_t cycle, std::uint64_t still) const;

  const RunParts& run_;
  const Graph& graph_;
  Net& net_;
  Nodes<Net, E> nodes_;
  FaultInjector faults_;
  Recovery recovery_;
  Rewire rewire_;
  std::uint64_t discarded_ = 0;  // Flits that were in the fabric at restarts.
  bool circles_ = false;         // A flit moved in the cycle before.
  std::vector<Thread> threads_;
  std::vector<NodeView> views_;
  // With other processes.
  std::optional<SharedCounts<Totals>> shared_;
  std::optional<WireCut> wire_cut_;
  TreeCut tree_cut_;
};

/// The threads that share a cycle's two phases with the calling thread.
template <class Net, Endpoint E>
class CycleLoop<Net, E>::Workers {
 public:
  Workers(CycleLoop& loop, const std::uint64_t& cycle)
      : gate_(static_cast<std::uint32_t>(loop.threads_.size() - 1)) {
    const auto work = [this, &loop, &cycle](std::size_t i) {
      for (;;) {
        gate_.pass();  // `cycle` and `stop_` are set
        if (stop_) return;
        loop.step(loop.threads_[i], cycle);
        gate_.pass();  // all have read the wires
        loop.publish(loop.threads_[i], cycle + 1);
      }
    };
    try {
      for (std::size_t i = 1; i < loop.threads_.size(); ++i) threads_.emplace_back(work, i);
    } catch (...) {
      gate_.await_only(static_cast<std::uint32_t>(threads_.size()));
      stop();
      throw;
    }
    await();
  }
  ~Workers() { stop(); }
  /// Lets the threads begin their next phase.
  void open() {
    if (!threads_.empty()) gate_.open();
  }
  /// Waits until all have ended it.
  void await() {
    if (!threads_.empty()) gate_.await();
  }

 private:
  // Ends the threads, which wait for the next cycle.
  void stop() {
    stop_ = true;
    gate_.open();
  }

  bool stop_ = false;
  Gate gate_;
  std::vector<std::jthread> threads_;
};

template <class Net, Endpoint E>
void CycleLoop<Net, E>::step(Thread& thread, std::uint64_t cycle) {
  auto* const barriers = net_.barriers();
  auto* const combines = net_.combines();
  std::uint32_t at = 0;
  try {
    for (const Part& part : thread.parts) {
      if (barriers != nullptr) barriers->step(part.first_node, part.end_node, cycle, at);
      if (combines == nullptr) continue;
      combines->step(
          part.first_node, part.end_node, cycle, at,
          [&](std::uint32_t n, std::uint32_t addr, FlitData& word) { nodes_.read(n, addr, word); });
    }
    for (const Part& part : thread.parts) {
      for (at = part.first_node; at < part.end_node; ++at) nodes_.step(at, cycle, thread.counts);
    }
    for (const Part& part : thread.parts) {
      thread.counts.stepped += net_.step_switches(part, cycle, at);
    }
  } catch (const Difference& difference) {
    thread.error = std::make_exception_ptr(DifferenceAt(cycle, name_of(at), difference));
  } catch (const CheckError& error) {
    const std::string where = at < graph_.nodes ? fmt::format("node {}", at) : name_of(at);
    thread.error = std::make_exception_ptr(
        CheckError(fmt::format("{}, cycle {}: {}", where, cycle, error.what())));
  } catch (...) {
    thread.error = std::current_exception();
  }
  thread.order = at;
}

// The threads wait for each other, so an error, like one in `step`, is kept until all of them have
// ended the cycle.
template <class Net, Endpoint E>
void CycleLoop<Net, E>::publish(Thread& thread, std::uint64_t cycle) {
  try {
    Counters& counters = thread.counts.counters;
    const auto released = [&](std::uint32_t n) { nodes_.released(n); };
    const auto write = [&](std::uint32_t n, std::uint32_t addr, const FlitData& word) {
      nodes_.write(n, addr, word, cycle - 1);
    };
    for (const Part& part : thread.parts) {
      net_.publish(part, cycle, counters);
      const std::uint32_t first = part.first_node, end = part.end_node;
      if (auto* const barriers = net_.barriers()) {
        barriers->publish(first, end, cycle, counters, released);
      }
      if (auto* const combines = net_.combines()) {
        combines->publish(first, end, cycle, counters, write, released);
      }
    }
  } catch (...) {
    if (!thread.error) {
      thread.error = std::current_exception();
      thread.order = graph_.blocks.size() + graph_.links.size();
    }
  }
}

template <class Net, Endpoint E>
void CycleLoop<Net, E>::show(std::uint64_t cycle) {
  if (run_.probes.draws(cycle)) nodes_.view(cycle, views_);
  if (auto* const sends = run_.probes.sends()) nodes_.view(*sends);
  run_.probes.sample(cycle, net_.wires(), views_);
}

template <class Net, Endpoint E>
TrafficCounts CycleLoop<Net, E>::counts(std::uint32_t region) const {
  return shared_ ? shared_->counts(region) : own_counts(region);
}

template <class Net, Endpoint E>
TrafficCounts CycleLoop<Net, E>::own_counts(std::uint32_t region) const {
  TrafficCounts counts;
  for (const Thread& t : threads_) {
    const RegionSums& sums = t.counts.sums;
    if (region < sums.size()) counts += sums.counts(region);
  }
  return counts;
}

template <class Net, Endpoint E>
void CycleLoop<Net, E>::collect(Outcome& outcome) const {
  for (const Thread& t : threads_) {
    outcome.counters += t.counts.counters;
    outcome.sums += t.counts.sums;
  }
  outcome.link_load = net_.wires().load;
  const NodeSet& own = nodes_.own();
  if (const auto& arrivals = net_.arrivals(); !arrivals.empty()) {
    for (const std::uint32_t n : own) outcome.arrivals.push_back(arrivals[n]);
  }
  if (run_.probes.regions() != nullptr) outcome.region_digests = run_.probes.regions()->values();
  collect_nodes(
      own, [&](std::uint32_t n) { return net_.output(n).status; },
      [&](std::uint32_t n) { return net_.input(n).windows.size[0]; }, nodes_.barrier_times(),
      outcome);
}

template <class Net, Endpoint E>
Outcome CycleLoop<Net, E>::run() {
  divide();
  run_.probes.attach(graph_, run_.part == nullptr ? router_models(graph_, net_) : RouterModels());

  Outcome outcome;
  std::uint64_t cycle = 0;
  Workers workers(*this, cycle);
  const bool watched = run_.probes.any();
  bool lost = false;  // A packet, on a link.
  EndOfRun end(run_);
  std::uint64_t moved = 0, progress = 0, running = graph_.nodes, stepped = ~std::uint64_t{0};
  const auto start = Clock::now();
  const auto counts_of = [&](std::uint32_t region) { return counts(region); };
  const auto stalled = [&](bool acted) {
    const bool acts = waits_for_endpoint(cycle);
    if (!acts && !acted) no_progress(cycle, end.still(cycle));
    return acts;
  };
  const auto state = [&](auto& archive) {
    archive(*this, cycle, moved, progress, running, lost, end);
  };
  if (run_.checkpoint != nullptr) {
    run_.checkpoint->load(state);
    for (const Thread& t : threads_) outcome.hops_before += t.counts.counters.flit_hops;
  }
  for (;;) {
    Totals now = totals(cycle);
    const bool quiet = std::exchange(stepped, now.stepped) == now.stepped;
    if (run_.part != nullptr) {
      now.quiet = QuietCycles::before(quiet ? next_event(cycle, ~std::uint64_t{0}) - cycle : 0);
      share(now);
    }
    if (now.errors != 0) throw_error();
    save_if_due(run_, cycle, end.stops(cycle, now.interrupts != 0), state);
    if (now.progress != progress || now.running != running) end.moved(cycle);
    if (recovery_.on()) {
      recover(cycle, now.moved != moved);
      if (recovery_.busy()) end.moved(cycle);
    }
    circles_ = now.moved != moved;
    moved = now.moved;
    progress = now.progress;
    running = now.running;
    lost = lost || now.lost != 0;
    run_.probes.count(cycle, net_.wires());
    if (!faults_.empty()) {
      faults_.put(cycle, *net_.links());
      if (run_.part != nullptr) share_after_faults();
    }
    if (watched) show(cycle);
    // What is lost comes again where packets are acknowledged.
    const bool misses = (now.dropped != 0 || lost) && !recovery_.on();
    if (end.reached(cycle, static_cast<std::uint32_t>(running), misses, counts_of, stalled)) break;
    if (quiet && skips(cycle, now, end.next(cycle, misses))) continue;

    workers.open();
    step(threads_[0], cycle);
    workers.await();
    workers.open();
    publish(threads_[0], cycle + 1);
    workers.await();
    ++cycle;
  }
  outcome.wall_s = seconds_since(start);
  outcome.cycles = cycle;
  outcome.stopped = end.stopped();
  outcome.faults = faults_.counts();
  if (net_.links() != nullptr) outcome.links = net_.links()->counts();
  recovery_.end(cycle);
  outcome.restarts = recovery_.restarts();
  outcome.notes = recovery_.notes();
  if (std::string note = end.note(); !note.empty()) outcome.notes.push_back(std::move(note));
  collect(outcome);
  return outcome;
}

/// What the fabric of a run records of packets.
inline ArrivalMonitor arrival_monitor(const RunParts& run) {
  return {run.graph, run.record_arrivals, run.config.link.parity};
}

/// Runs `fabric` with `endpoints`, with barrier units and combine units if the run has them;
/// `rewire`: as of CycleLoop; `unit`: further arguments of the units' constructors.
template <class Net, Endpoint E, class... Unit>
Outcome run_cycles(const RunParts& run, Net fabric, PartArray<E>& endpoints,
                   typename CycleLoop<Net, E>::Rewire rewire, Unit... unit) {
  if (run.config.barrier_units) {
    fabric.add_barriers(unit...);
    fabric.barriers()->leave_out(run.startup_barrier ? 1 : 0);
  }
  if (run.config.combine_units) fabric.add_combines(unit...);
  fabric.add_links(run.config.link.parity, unit.link...);
  return CycleLoop<Net, E>(run, fabric, endpoints, std::move(rewire)).run();
}

}  // namespace weft

#include "sim/engine/cycle_loop_parts.hpp"
#include "sim/engine/cycle_loop_state.hpp"
#include "sim/engine/cycle_loop_trouble.hpp"
