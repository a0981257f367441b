// The cycle loop of engine `model`: packets that move as spans (sim/spans).
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "sim/base/interrupt.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/loop.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/share/fabric_cut.hpp"
#include "sim/share/network_share.hpp"
#include "sim/spans/crossbars.hpp"
#include "sim/spans/network.hpp"
#include "sim/spans/part_nodes.hpp"

namespace weft {

// In a parcel, in place of the number of a part: signals of tree units follow.
constexpr unsigned kTrees = ~0u;

// Cycles are numbers of 32 bits.
constexpr Cycle kMostCycles = kNever - (1u << 20);

// A network with an endpoint at each node, on one thread or several. Each thread has one part, or
// more where the run was resumed; other parts may be in other processes.
template <class Net>
class SpanLoop final : public Loop {
 public:
  // `more`: further arguments of the network's state.
  template <class... More>
  explicit SpanLoop(const EngineInputs& run, More... more);

 private:
  using Barriers = BarrierTree<BarrierUnit>;
  using Combines = CombineTree<CombineUnit>;

  // Precedence of errors in one cycle: the lowest is reported; of equals that of the lowest node,
  // then that of the first part. An error of a node comes before the network's step.
  enum class ErrorPrecedence : std::uint8_t { kNotBySpans, kOfNode, kLater };
  struct alignas(64) PartState {
    PartState(SpanLoop& loop, const AllNodes& nodes, unsigned part);

    Powers powers;
    Packets packets;
    Net network;
    std::unique_ptr<PartNodes> nodes;
    RegionSums sums;
    Counters counters;
    std::exception_ptr error;
    ErrorPrecedence precedence = ErrorPrecedence::kOfNode;
    std::uint64_t order() const {
      return static_cast<std::uint64_t>(precedence) << 32 | nodes->failed();
    }
  };

  static std::optional<Barriers> make_barriers(const EngineInputs& run) {
    if (!run.config.derived.barrier_units) return {};
    Barriers barriers(run.graph);
    barriers.leave_out(run.startup_barrier ? 1 : 0);
    return barriers;
  }
  static std::optional<Combines> make_combines(const EngineInputs& run) {
    if (!run.config.derived.combine_units) return {};
    return Combines(run.graph);
  }
  static Cycle limit_of(const Config& config) {
    return config.max_cycles != 0 && config.max_cycles < kMostCycles
               ? static_cast<Cycle>(config.max_cycles)
               : kMostCycles;
  }

  LoopTotals totals() override;
  StepError first_error() const override;
  TrafficCounts own_counts(std::uint32_t region) const override;
  void write(std::vector<Parcel>& to) override;
  void read(std::vector<Parcel>& from) override;
  bool prepare(const LoopTotals& now) override;
  std::uint64_t next_event(std::uint64_t limit) override;
  void skip_to(std::uint64_t next) override;
  void step(unsigned thread) override;
  bool publishes() const override { return trees(); }
  void publish(unsigned thread) override;
  bool waits_for_endpoint() override;
  // The flit engine tells which packets wait for which: it repeats the run.
  [[noreturn]] void no_progress(std::uint64_t) override { throw NotBySpans("no progress"); }
  void archive(SaveArchive& archive) override { archive_state(archive); }
  void archive(LoadArchive& archive) override { archive_state(archive); }
  std::uint64_t flit_hops() const override;
  void collect(Outcome& outcome) override;

  // The present cycle in the parts' type.
  Cycle now() const { return static_cast<Cycle>(cycle()); }
  bool trees() const { return barriers_ || combines_; }
  Barriers* barriers() { return barriers_ ? &*barriers_ : nullptr; }
  Combines* combines() { return combines_ ? &*combines_ : nullptr; }
  PartState& own(unsigned part) { return *parts_[part - division_.first_own]; }
  bool alone() const { return mail_.parts() == 1; }
  void write_mail(std::vector<Parcel>& to, Cycle of);
  void read_mail(std::vector<Parcel>& from, Cycle of);
  void step_part(unsigned part);
  void step_trees(unsigned part);
  void publish_part(unsigned part);
  void take_mail(unsigned part, Cycle cycle);
  void take_all_mail(Cycle cycle);
  template <class Use>
  void each_port(Use use);
  void settle();
  void settle(std::uint32_t packet);
  void settle_apart();
  void add_region_digests();
  void end();
  // Saves or loads the state of parts, blocks and nodes.
  template <class Archive>
  void archive_state(Archive& archive);
  template <class Archive>
  void archive_packets(Archive& archive);
  void check_loaded();

  const Nic::Config nic_;
  const Division& division_;
  std::shared_ptr<PacketStore> store_;
  typename Net::State network_;
  std::optional<Barriers> barriers_;
  std::optional<Combines> combines_;
  NodeStates nodes_;
  Mailboxes mail_;
  std::vector<std::unique_ptr<PartState>> parts_;  // Own parts, in order.
  TreeCut tree_cut_;                               // Tree links between processes.
  std::vector<std::uint64_t> region_digests_;
};

template <class Net>
SpanLoop<Net>::PartState::PartState(SpanLoop& loop, const AllNodes& all, unsigned part)
    : packets(loop.run_.config.link.parity,
              loop.run_.traffic != nullptr ? loop.run_.traffic->partition().regions() : 1,
              loop.store_, &loop.division_, part, loop.run_.graph.header.flit_words()),
      network(loop.network_, packets, powers),
      nodes(make_part_nodes(all, loop.division_.nodes[part], network, packets)) {
  if (loop.shared_) packets.set_apart();
}

template <class Net>
template <class... More>
SpanLoop<Net>::SpanLoop(const EngineInputs& run, More... more)
    : Loop(run),
      nic_(nic_config(run.config, run.graph)),
      division_(run.share.division()),
      store_(std::make_shared<PacketStore>(division_.shares.parts(),
                                           run.checkpoint != nullptr && division_.parts() > 1)),
      network_(run.graph, division_, more...),
      barriers_(make_barriers(run)),
      combines_(make_combines(run)),
      nodes_(run.graph, nic_, division_.own, run.traffic == nullptr, run.record_arrivals),
      mail_(division_.parts(), division_.first_own, division_.end_own) {
  if (shared_) store_->use(least_of(run.share.processes(), store_->room()));
  const AllNodes all{run.graph,  nic_,       run.endpoints, nodes_, limit_of(run.config),
                     barriers(), combines(), run.watch};
  for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
    parts_.push_back(std::make_unique<PartState>(*this, all, part));
  }
  if (run.checkpoint != nullptr) run.checkpoint->set_cut(division_.hash());
  if (shared_ && trees()) tree_cut_ = TreeCut(run.share, run.graph);
}

}  // namespace weft

#include "sim/engine/span_loop_parts.hpp"
#include "sim/engine/span_loop_state.hpp"
#include "sim/share/together.hpp"
