// The cycle loop of a fabric and its nodes: every flit is stepped.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/faults.hpp"
#include "sim/engine/loop.hpp"
#include "sim/engine/make_blocks.hpp"
#include "sim/engine/nodes.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/recovery.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/block_array.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/observe/waits.hpp"
#include "sim/share/difference.hpp"
#include "sim/share/fabric_cut.hpp"
#include "sim/share/network_share.hpp"

namespace weft {

/// Counts that threads and processes keep separately.
struct LoopCounts {
  Counters counters;
  RegionSums sums;
  bool missing = false;
  FaultCounts faults;
  LinkCounts links;             ///< Counted before the last restart.
  std::vector<Digest> regions;  ///< Empty without a partition.

  LoopCounts& operator+=(const LoopCounts& other) {
    counters += other.counters;
    sums += other.sums;
    missing |= other.missing;
    faults += other.faults;
    links += other.links;
    for (std::size_t r = 0; r < other.regions.size(); ++r) regions[r] += other.regions[r];
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(counters, sums, missing, faults, links, regions);
  }
};

/// A fabric (`Fabric<...>` or `RtlTop`) with an endpoint at each node, or this process's share of
/// them.
template <class Net, Endpoint E>
class FlitLoop final : public Loop {
 public:
  /// Restarts the fabric in `cycle`, with the routers of `graph`.
  using Rewire = std::function<void(Net& fabric, const Graph& graph, std::uint64_t cycle)>;

  /// `fabric` and `endpoints` must outlive it.
  FlitLoop(const EngineInputs& run, Net& fabric, PartArray<E>& endpoints, Rewire rewire = {})
      : Loop(run),
        graph_(run.graph),
        net_(fabric),
        nodes_(run.graph, fabric, endpoints, run.share.nodes(), run.watch),
        faults_(run.config, run.graph, run.owns_block()),
        recovery_(run),
        rewire_(std::move(rewire)) {
    divide();
    run.probes.attach(graph_, run.share.alone() ? router_models(graph_, net_) : RouterModels());
  }

 private:
  struct Thread {
    std::vector<BlockRange> ranges;
    PartCounts counts;
    std::exception_ptr error;
    std::uint64_t order = 0;  // Place of the error: the block's number, or one after those of all
                              // blocks.
  };
  // The memories in one cycle; `at` is set to the node that is used.
  class MemoryOf final : public NodeMemory {
   public:
    MemoryOf(Nodes<Net, E>& nodes, std::uint64_t cycle, std::uint32_t& at)
        : nodes_(nodes), cycle_(cycle), at_(at) {}
    void read(std::uint32_t node, std::uint32_t addr, std::uint64_t* words) override {
      at_ = node;
      nodes_.read(node, addr, words);
    }
    void write(std::uint32_t node, unsigned link, std::uint32_t addr,
               const FlitData& data) override {
      at_ = node;
      nodes_.write(node, link, addr, data, cycle_);
    }

   private:
    Nodes<Net, E>& nodes_;
    const std::uint64_t cycle_;
    std::uint32_t& at_;
  };
  // Cycles between two checks for what links have lost.
  static constexpr std::uint64_t kLostEvery = 1024;

  LoopTotals totals() override;
  StepError first_error() const override;
  TrafficCounts own_counts(std::uint32_t region) const override;
  void write(std::vector<Parcel>& to) override;
  void read(std::vector<Parcel>& from) override;
  bool prepare(const LoopTotals& now) override;
  std::uint64_t next_event(std::uint64_t limit) override;
  void skip_to(std::uint64_t next) override { nodes_.skip(cycle(), next); }
  void step(unsigned thread) override;
  bool publishes() const override { return true; }
  void publish(unsigned thread) override;
  bool waits_for_endpoint() override;
  [[noreturn]] void no_progress(std::uint64_t still) override;
  void archive(SaveArchive& archive) override { archive_state(archive); }
  void archive(LoadArchive& archive) override { archive_state(archive); }
  std::uint64_t flit_hops() const override;
  void collect(Outcome& outcome) override;

  // Name of a block or, for numbers after those of blocks, of a link.
  std::string name_of(std::uint32_t at) const {
    const std::size_t blocks = graph_.blocks.size();
    if (at < blocks) return graph_.blocks[at].name;
    return "link " + graph_.link_name(static_cast<std::uint32_t>(at - blocks));
  }
  void show();
  void divide();
  bool sees_every_cycle() const;
  void share_after_faults();
  template <class Archive>
  void archive_state(Archive& archive);
  LoopCounts loop_counts() const;
  void go_on(const LoopCounts& counts);
  std::uint64_t delivered() const;
  std::uint64_t not_delivered() const;
  Recovery::Trouble trouble() const;
  void recover(bool moved);

  const Graph& graph_;
  Net& net_;
  Nodes<Net, E> nodes_;
  FaultInjector faults_;
  Recovery recovery_;
  Rewire rewire_;
  std::uint64_t moved_ = 0;                    // LoopTotals::moved before the last cycle.
  bool circles_ = false;                       // A flit moved in the last cycle.
  std::uint64_t discarded_ = 0;                // Flits that were in the fabric at restarts.
  std::uint64_t stepped_ = ~std::uint64_t{0};  // Blocks that were not idle, up to the last cycle.
  std::vector<Thread> threads_;
  std::vector<NodeView> views_;
  // Wires between processes; empty in a single process.
  std::optional<WireCut> wire_cut_;
  TreeCut tree_cut_;
};

template <class Net, Endpoint E>
void FlitLoop<Net, E>::step(unsigned number) {
  Thread& thread = threads_[number];
  const std::uint64_t cycle = this->cycle();
  auto* const barriers = net_.barriers();
  auto* const combines = net_.combines();
  std::uint32_t at = 0;
  try {
    for (const BlockRange& range : thread.ranges) {
      if (barriers != nullptr) barriers->step(range.first_node, range.end_node, cycle, at);
      if (combines == nullptr) continue;
      combines->step(
          range.first_node, range.end_node, cycle, at,
          [&](std::uint32_t n, std::uint32_t addr, FlitData& word) { nodes_.read(n, addr, word); });
    }
    MemoryOf memory(nodes_, cycle, at);
    if (BlockArray* const array = net_.together()) {
      for (const BlockRange& range : thread.ranges) array->read_memory(range, memory);
    }
    for (const BlockRange& range : thread.ranges) {
      for (at = range.first_node; at < range.end_node; ++at) nodes_.step(at, cycle, thread.counts);
    }
    if (BlockArray* const array = net_.together()) {
      for (const BlockRange& range : thread.ranges) array->write_memory(range, memory);
    }
    for (const BlockRange& range : thread.ranges) {
      thread.counts.stepped += net_.step_switches(range, cycle, at);
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

template <class Net, Endpoint E>
void FlitLoop<Net, E>::publish(unsigned number) {
  Thread& thread = threads_[number];
  const std::uint64_t cycle = this->cycle() + 1;  // The cycle that begins.
  try {
    Counters& counters = thread.counts.counters;
    const auto released = [&](std::uint32_t n) { nodes_.released(n); };
    const auto write = [&](std::uint32_t n, std::uint32_t addr, const FlitData& word) {
      nodes_.write(n, addr, word, cycle - 1);
    };
    for (const BlockRange& range : thread.ranges) {
      net_.publish(range, cycle, counters);
      const std::uint32_t first = range.first_node, end = range.end_node;
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
void FlitLoop<Net, E>::show() {
  net_.refresh();
  if (run_.probes.draws(cycle())) nodes_.view(cycle(), views_);
  if (auto* const sends = run_.probes.sends()) nodes_.view(*sends);
  run_.probes.sample(cycle(), net_.wires(), views_);
}

template <class Net, Endpoint E>
TrafficCounts FlitLoop<Net, E>::own_counts(std::uint32_t region) const {
  TrafficCounts counts;
  for (const Thread& t : threads_) {
    const RegionSums& sums = t.counts.sums;
    if (region < sums.size()) counts += sums.counts(region);
  }
  return counts;
}

template <class Net, Endpoint E>
std::uint64_t FlitLoop<Net, E>::flit_hops() const {
  std::uint64_t hops = 0;
  for (const Thread& t : threads_) hops += t.counts.counters.flit_hops;
  return hops;
}

template <class Net, Endpoint E>
void FlitLoop<Net, E>::collect(Outcome& outcome) {
  outcome.faults = faults_.counts();
  if (net_.links() != nullptr) outcome.links = net_.links()->counts();
  recovery_.end(cycle());
  outcome.restarts = recovery_.restarts();
  outcome.notes = recovery_.notes();
  for (const Thread& t : threads_) {
    outcome.counters += t.counts.counters;
    outcome.sums += t.counts.sums;
  }
  outcome.link_load = net_.wires().load;
  const NodeSet& own = nodes_.own();
  net_.refresh();
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
bool FlitLoop<Net, E>::prepare(const LoopTotals& now) {
  if (recovery_.on()) recover(now.moved != moved_);
  circles_ = now.moved != moved_;
  moved_ = now.moved;
  run_.probes.count(cycle(), net_.wires());
  if (!faults_.empty()) {
    faults_.put(cycle(), *net_.links());
    if (shared_) share_after_faults();
  }
  if (run_.probes.any()) show();
  return recovery_.on() && recovery_.busy();
}

/// Monitor that records the packets of a run, as its inputs say.
inline ArrivalMonitor arrival_monitor(const EngineInputs& run) {
  return {run.graph, run.record_arrivals, run.config.link.parity};
}

/// Runs `fabric` with `endpoints`, with barrier units and combine units if the run has them;
/// `rewire`: as of FlitLoop; `unit`: further arguments of the units' constructors.
template <class Net, Endpoint E, class... Unit>
Outcome run_cycles(const EngineInputs& run, Net fabric, PartArray<E>& endpoints,
                   typename FlitLoop<Net, E>::Rewire rewire, Unit... unit) {
  if (run.config.derived.barrier_units) {
    fabric.add_barriers(unit...);
    fabric.barriers()->leave_out(run.startup_barrier ? 1 : 0);
  }
  if (run.config.derived.combine_units) fabric.add_combines(unit...);
  fabric.add_links(run.config.link.parity, unit.link...);
  return FlitLoop<Net, E>(run, fabric, endpoints, std::move(rewire)).run();
}

}  // namespace weft

#include "sim/engine/flit_loop_parts.hpp"
#include "sim/engine/flit_loop_state.hpp"
#include "sim/engine/flit_loop_trouble.hpp"
