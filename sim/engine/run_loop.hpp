// The cycle loop of engine `model`: packets that move as runs (sim/runs).
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

#include "sim/base/interrupt.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/end_of_run.hpp"
#include "sim/engine/fabric_cut.hpp"
#include "sim/engine/gate.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/quiet.hpp"
#include "sim/engine/rank_part.hpp"
#include "sim/engine/shared_counts.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/runs/crossbars.hpp"
#include "sim/runs/network.hpp"
#include "sim/runs/nodes.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

// In a parcel, in place of the number of a part: what units of trees show follows.
constexpr unsigned kTrees = ~0u;

// Cycles are numbers of 32 bits.
constexpr Cycle kMostCycles = kNever - (1u << 20);

// A network with an endpoint at each node, on one thread or several, each with a part of it, or
// more where the run was resumed; other parts may be in other processes.
template <Endpoint E, class Net>
class RunLoop {
 public:
  // `more`: further arguments of the network's state.
  template <class... More>
  RunLoop(const RunParts& run, PartArray<E>& endpoints, More... more);
  ~RunLoop() { stop(); }
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  Outcome run();

 private:
  using Barriers = BarrierTree<BarrierUnit>;
  using Combines = CombineTree<CombineUnit>;

  // Of all errors of a cycle, that of least rank is reported, of equals that of the lowest node,
  // and else of the first part. An error of a node comes before the network's step.
  enum class Rank : std::uint8_t { kNotByRuns, kOfNode, kLater };
  struct alignas(64) PartState {
    PartState(RunLoop& loop, unsigned part);

    Powers powers;
    Packets packets;
    Net network;
    RunNodes<E, Net> nodes;
    RegionSums sums;
    Counters counters;
    std::exception_ptr error;
    Rank rank = Rank::kOfNode;
    std::uint64_t order() const { return static_cast<std::uint64_t>(rank) << 32 | nodes.failed(); }
  };
  // What the end of a run depends on, before a cycle: sums over all parts.
  struct Totals {
    std::uint64_t running = 0, combined = 0;
    std::uint64_t moves = 0, dropped = 0, errors = 0, interrupts = 0;  // 0: no part has any.
    QuietCycles quiet;                                                 // Only with other processes.
  };

  static std::optional<Barriers> make_barriers(const RunParts& run) {
    if (!run.config.barrier_units) return {};
    Barriers barriers(run.graph);
    barriers.leave_out(run.startup_barrier ? 1 : 0);
    return barriers;
  }
  static Division division_of(const RunParts& run) {
    if (run.part != nullptr) return run.part->division();
    return {run.graph,
            run.checkpoint != nullptr ? run.checkpoint->shares() : Sharing{1, run.threads}};
  }
  static std::optional<Combines> make_combines(const RunParts& run) {
    if (!run.config.combine_units) return {};
    return Combines(run.graph);
  }
  static Cycle limit_of(const Config& config) {
    return config.max_cycles != 0 && config.max_cycles < kMostCycles
               ? static_cast<Cycle>(config.max_cycles)
               : kMostCycles;
  }
  bool trees() const { return barriers_ || combines_; }
  Cycle next_event(Cycle limit);
  void skip_to(Cycle cycle);
  void start_threads();
  void work(unsigned thread);
  void stop();
  PartState& own(unsigned part) { return *parts_[part - division_.first_own]; }
  bool alone() const { return mail_.parts() == 1; }
  Totals totals() const;
  void share(Totals& totals);
  void write_mail(std::vector<Parcel>& to);
  void read_mail(std::vector<Parcel>& from);
  TrafficCounts counts(std::uint32_t region) const;
  TrafficCounts own_counts(std::uint32_t region) const;
  [[noreturn]] void throw_error() const;
  bool stalled(bool acted);
  void step_all();
  void step(unsigned part);
  void step_trees(unsigned part);
  void take_mail(unsigned part);
  void take_all_mail();
  void publish(unsigned part);
  template <class Use>
  void each_port(Use use);
  void settle();
  void settle(std::uint32_t packet);
  void settle_apart();
  void add_region_digests();
  void end();
  void collect(Outcome& outcome);
  // Saves or loads what parts, blocks and nodes have.
  template <class Archive>
  void archive_state(Archive& archive);
  template <class Archive>
  void archive_packets(Archive& archive);
  void check_loaded();

  const RunParts& run_;
  PartArray<E>& endpoints_;
  const Nic::Config nic_;
  const Division division_;
  std::shared_ptr<PacketStore> store_;
  typename Net::State network_;
  std::optional<Barriers> barriers_;
  std::optional<Combines> combines_;
  NodeStates nodes_;
  Mailboxes mail_;
  std::vector<std::unique_ptr<PartState>> parts_;  // Of the own parts, in order.
  std::optional<SharedCounts<Totals>> shared_;     // With other processes.
  TreeCut tree_cut_;
  Cycle cycle_ = 0, begin_ = 0;
  bool stops_ = false;
  Gate gate_;
  std::vector<std::uint64_t> region_digests_;
  std::vector<std::jthread> workers_;  // Of all threads but the first.
};

template <Endpoint E, class Net>
RunLoop<E, Net>::PartState::PartState(RunLoop& loop, unsigned part)
    : packets(loop.run_.config.link.parity,
              loop.run_.traffic != nullptr ? loop.run_.traffic->partition().regions() : 1,
              loop.store_, &loop.division_, part, loop.run_.graph.header.flit_words()),
      network(loop.network_, packets, powers),
      nodes(loop.run_.graph, loop.nic_, loop.nodes_, loop.division_.nodes[part],
            limit_of(loop.run_.config), network, packets, loop.endpoints_,
            loop.barriers_ ? &*loop.barriers_ : nullptr,
            loop.combines_ ? &*loop.combines_ : nullptr) {
  if (loop.run_.part != nullptr) packets.set_apart();
  nodes.inject(loop.run_.config.faults, loop.run_.config.link.parity);
  nodes.watch(loop.run_.watch);
}

template <Endpoint E, class Net>
template <class... More>
RunLoop<E, Net>::RunLoop(const RunParts& run, PartArray<E>& endpoints, More... more)
    : run_(run),
      endpoints_(endpoints),
      nic_(nic_config(run.config, run.graph)),
      division_(division_of(run)),
      store_(std::make_shared<PacketStore>(division_.shares.parts(),
                                           run.checkpoint != nullptr && division_.parts() > 1)),
      network_(run.graph, division_, more...),
      barriers_(make_barriers(run)),
      combines_(make_combines(run)),
      nodes_(run.graph, nic_, division_.own, !E::kTimed, run.record_arrivals),
      mail_(division_.parts(), division_.first_own, division_.end_own),
      gate_(run.threads - 1) {
  if (run.part != nullptr) store_->use(least_of(run.part->ranks(), store_->room()));
  for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
    parts_.push_back(std::make_unique<PartState>(*this, part));
  }
  if (run.part == nullptr) return;
  shared_.emplace(run.part->ranks(),
                  run.traffic != nullptr ? run.traffic->partition().regions() : 0);
  if (trees()) tree_cut_ = TreeCut(*run.part, run.graph);
}

}  // namespace weft

#include "sim/engine/run_loop_parts.hpp"
#include "sim/engine/run_loop_state.hpp"
