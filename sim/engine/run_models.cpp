// Engine `model`: packets move as runs of flits (sim/runs).
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
#include "sim/engine/end_of_run.hpp"
#include "sim/engine/fabric_cut.hpp"
#include "sim/engine/gate.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/rank_part.hpp"
#include "sim/engine/shared_counts.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/runs/crossbars.hpp"
#include "sim/runs/network.hpp"
#include "sim/runs/nodes.hpp"

namespace weft {
namespace {

// In a parcel, in place of the number of a part: what units of trees show follows.
constexpr unsigned kTrees = ~0u;

// Cycles are numbers of 32 bits.
constexpr Cycle kMostCycles = kNever - (1u << 20);

// A network with an endpoint at each node, on one thread or several, each with a part of it; other
// parts may be in other processes.
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

  // Of all errors of a cycle, that of least rank is reported, and of equals the first: that of the
  // part with the lowest nodes. An error of a node comes before the network's step.
  enum class Rank : std::uint8_t { kNotByRuns, kOfNode, kLater };
  struct alignas(64) Thread {
    Thread(RunLoop& loop, unsigned part);

    Powers powers;
    Packets packets;
    Net network;
    RunNodes<E, Net> nodes;
    RegionSums sums;
    Counters counters;
    std::exception_ptr error;
    Rank rank = Rank::kOfNode;
  };
  // What the end of a run depends on, before a cycle: sums over all parts.
  struct Totals {
    std::uint64_t running = 0, combined = 0;
    std::uint64_t moves = 0, dropped = 0, errors = 0, interrupts = 0;  // 0: no part has any.
  };

  static std::optional<Barriers> make_barriers(const RunParts& run) {
    if (!run.config.barrier_units) return {};
    Barriers barriers(run.graph.nodes, run.graph.links.size());
    barriers.leave_out(run.startup_barrier ? 1 : 0);
    return barriers;
  }
  static Division division_of(const RunParts& run) {
    return run.part != nullptr ? run.part->division() : Division(run.graph, run.threads);
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
  void start_threads();
  void work(unsigned part);
  void stop();
  Thread& own(unsigned part) { return *threads_[part - division_.first_own]; }
  bool alone() const { return mail_.parts() == 1; }
  Totals totals() const;
  void share(Totals& totals);
  void write_mail(std::vector<Parcel>& to);
  void read_mail(std::vector<Parcel>& from);
  TrafficCounts counts(std::uint32_t region) const;
  TrafficCounts own_counts(std::uint32_t region) const;
  [[noreturn]] void throw_error() const;
  void stalled();
  void step_all();
  void step(unsigned part);
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
  std::vector<std::unique_ptr<Thread>> threads_;  // Of the own parts, in order.
  std::optional<SharedCounts<Totals>> shared_;  // With other processes.
  TreeCut tree_cut_;
  Cycle cycle_ = 0;
  bool stops_ = false;
  Gate gate_;
  std::vector<std::uint64_t> region_digests_;
  std::vector<std::jthread> workers_;  // Of all parts but the first.
};

template <Endpoint E, class Net>
RunLoop<E, Net>::Thread::Thread(RunLoop& loop, unsigned part)
    : packets(loop.run_.config.link.parity,
              loop.run_.traffic != nullptr ? loop.run_.traffic->partition().regions() : 1,
              loop.store_, &loop.division_, part, loop.run_.graph.header.flit_words()),
      network(loop.network_, packets, powers),
      nodes(loop.run_.graph, loop.nic_, loop.nodes_, loop.division_.first_node[part],
            loop.division_.first_node[part + 1], limit_of(loop.run_.config), network, packets,
            loop.endpoints_, loop.barriers_ ? &*loop.barriers_ : nullptr,
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
      store_(std::make_shared<PacketStore>(division_.parts())),
      network_(run.graph, division_, more...),
      barriers_(make_barriers(run)),
      combines_(make_combines(run)),
      nodes_(run.graph, nic_, division_.begin_nodes(), division_.end_nodes(), !E::kTimed,
             run.record_arrivals),
      mail_(division_.parts()),
      gate_(run.threads - 1) {
  for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
    threads_.push_back(std::make_unique<Thread>(*this, part));
  }
  if (run.part == nullptr) return;
  shared_.emplace(run.part->ranks(),
                  run.traffic != nullptr ? run.traffic->partition().regions() : 0);
  if (trees()) tree_cut_ = TreeCut(*run.part, run.graph.nodes);
}

// A thread other than the calling one.
template <Endpoint E, class Net>
void RunLoop<E, Net>::work(unsigned part) {
  for (;;) {
    gate_.pass();
    if (stops_) return;
    step(part);
    if (trees()) {
      gate_.pass();  // All have read the links between the trees' units.
      publish(part);
    }
  }
}

// Ends the threads, which wait for the next cycle.
template <Endpoint E, class Net>
void RunLoop<E, Net>::stop() {
  if (workers_.empty()) return;
  stops_ = true;
  gate_.open();
  workers_.clear();
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::step_all() {
  const bool many = !workers_.empty();
  if (many) gate_.open();
  step(division_.first_own);
  if (many) gate_.await();
  if (trees()) {
    if (many) gate_.open();
    publish(division_.first_own);
    if (many) gate_.await();
  }
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::throw_error() const {
  const Thread* first = nullptr;
  for (const auto& thread : threads_) {
    if (thread->error && (first == nullptr || thread->rank < first->rank)) first = thread.get();
  }
  if (run_.part == nullptr) std::rethrow_exception(first->error);
  throw_first(run_.part->ranks(),
              first == nullptr
                  ? RankError{}
                  : RankError{first->error, static_cast<std::uint64_t>(first->rank)});
}

template <Endpoint E, class Net>
TrafficCounts RunLoop<E, Net>::counts(std::uint32_t region) const {
  return shared_ ? shared_->counts(region) : own_counts(region);
}

template <Endpoint E, class Net>
TrafficCounts RunLoop<E, Net>::own_counts(std::uint32_t region) const {
  TrafficCounts sum;
  for (const auto& thread : threads_) {
    if (region < thread->sums.size()) sum += thread->sums.counts(region);
  }
  return sum;
}

template <Endpoint E, class Net>
auto RunLoop<E, Net>::totals() const -> Totals {
  Totals totals;
  for (const auto& thread : threads_) {
    totals.running += thread->nodes.running();
    totals.combined += thread->counters.combined;
    totals.moves += thread->network.moves_until() >= cycle_;
    totals.dropped += thread->nodes.dropped();
    totals.errors += thread->error != nullptr;
  }
  totals.interrupts = interrupted();
  return totals;
}

// The one thing that processes tell each other in a cycle: the mail of the cycle before, and the
// sums.
template <Endpoint E, class Net>
void RunLoop<E, Net>::share(Totals& totals) {
  if (cycle_ != 0) write_mail(shared_->to());
  std::vector<Parcel>& from =
      shared_->exchange(totals, [this](std::uint32_t region) { return own_counts(region); });
  if (cycle_ != 0) read_mail(from);
}

// What the own parts tell those of other processes in the cycle before.
template <Endpoint E, class Net>
void RunLoop<E, Net>::write_mail(std::vector<Parcel>& to) {
  for (unsigned from = division_.first_own; from < division_.end_own; ++from) {
    const Mail* const outbox = mail_.of(from, cycle_ - 1);
    for (unsigned part = 0; part < mail_.parts(); ++part) {
      if (division_.owns(part) || outbox[part].empty()) continue;
      Parcel& parcel = to[run_.part->rank_of(part)];
      parcel.put(from);
      parcel.put(part);
      own(from).packets.write(outbox[part], parcel);
    }
  }
  if (!trees()) return;
  for (Parcel& parcel : to) parcel.put(kTrees);
  to[run_.part->ranks().number()].clear();
  tree_cut_.write(to, barriers_ ? &*barriers_ : nullptr, combines_ ? &*combines_ : nullptr);
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::read_mail(std::vector<Parcel>& parcels) {
  for (unsigned from = 0; from < mail_.parts(); ++from) {
    if (division_.owns(from)) continue;
    for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
      mail_.of(from, cycle_ - 1)[part].clear();
    }
  }
  for (unsigned rank = 0; rank < parcels.size(); ++rank) {
    Parcel& parcel = parcels[rank];
    while (!parcel.empty()) {
      const auto from = parcel.take<unsigned>();
      if (from == kTrees) {
        tree_cut_.read(rank, parcel, barriers_ ? &*barriers_ : nullptr,
                       combines_ ? &*combines_ : nullptr);
        continue;
      }
      const auto part = parcel.take<unsigned>();
      own(part).packets.read(parcel, mail_.of(from, cycle_ - 1)[part]);
    }
  }
}

// Nothing has moved for too long.
template <Endpoint E, class Net>
void RunLoop<E, Net>::stalled() {
  std::uint64_t held = network_.held(), pauses = 0;
  for (std::uint32_t n = division_.begin_nodes(); n < division_.end_nodes(); ++n) {
    pauses += endpoints_[n].pauses(cycle_);
  }
  if (run_.part != nullptr) {
    std::array<std::uint64_t, 2> sums = {held, pauses};
    run_.part->ranks().add_up(sums);
    std::tie(held, pauses) = std::tie(sums[0], sums[1]);
  }
  // Which packets wait for which, the flit engine tells.
  if (held != 0 || pauses == 0) throw NotByRuns("no progress");
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::take_mail(unsigned part) {
  Thread& t = own(part);
  Mail* const outbox = mail_.of(part, cycle_);
  for (unsigned other = 0; other < mail_.parts(); ++other) {
    outbox[other].clear();
    if (cycle_ == 0 || other == part) continue;
    const Mail& mail = mail_.of(other, cycle_ - 1)[part];
    t.packets.take(mail);
    t.network.take(mail, cycle_);
  }
  t.packets.write_to(outbox);
  t.network.write_to(outbox);
}

// The threads wait for each other, so an error is kept until all of them have ended the cycle.
template <Endpoint E, class Net>
void RunLoop<E, Net>::step(unsigned part) {
  Thread& t = own(part);
  t.rank = Rank::kOfNode;
  try {
    t.powers.begin(cycle_);
    if (!alone()) take_mail(part);
    std::uint32_t at = 0;
    const std::uint32_t first = division_.first_node[part], end = division_.first_node[part + 1];
    if (barriers_) barriers_->step(first, end, at);
    if (combines_) {
      combines_->step(first, end, at, [&](std::uint32_t n, std::uint32_t address, FlitData& word) {
        t.nodes.read(n, address, word, cycle_);
      });
    }
    t.nodes.step(cycle_, t.sums);
    t.rank = Rank::kLater;
    t.network.step(cycle_);
    t.nodes.take_news(cycle_, t.sums);
  } catch (const NotByRuns&) {
    t.error = std::current_exception();
    if (t.rank == Rank::kOfNode) t.rank = Rank::kNotByRuns;
  } catch (...) {
    t.error = std::current_exception();
  }
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::publish(unsigned part) {
  Thread& t = own(part);
  try {
    const std::uint32_t first = division_.first_node[part], end = division_.first_node[part + 1];
    const auto released = [&](std::uint32_t n) { t.nodes.released(n, cycle_ + 1); };
    if (barriers_) barriers_->publish(first, end, cycle_ + 1, t.counters, released);
    const auto write = [&](std::uint32_t n, std::uint32_t address, const FlitData& word) {
      t.nodes.write(n, address, word, cycle_);
    };
    if (combines_) combines_->publish(first, end, cycle_ + 1, t.counters, write, released);
  } catch (...) {
    if (!t.error) t.error = std::current_exception();
  }
}

// Calls `use` with the network of each out-port and its number.
template <Endpoint E, class Net>
template <class Use>
void RunLoop<E, Net>::each_port(Use use) {
  const Graph& graph = run_.graph;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!division_.owns_block(b)) continue;
    const Block& block = graph.blocks[b];
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      use(own(division_.of_block[b]).network, p);
    }
  }
}

// Of a packet that ends in an own part.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle(std::uint32_t number) {
  Packet& packet = threads_[0]->packets[number];
  Thread& thread = own(division_.of(packet.header));
  // Only a process with the whole network keeps digests of regions.
  thread.packets.settle(packet, division_.whole() ? thread.nodes.region_of(packet) : 0);
}

// All packets that are still in the network.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle() {
  if (run_.part != nullptr) return settle_apart();
  for (const auto& thread : threads_) {
    for (std::uint32_t i = thread->packets.first(); i < thread->packets.end(); ++i) {
      if (thread->packets[i].flits != 0) settle(i);
    }
  }
}

// Likewise, where they, their headers and their destinations may be in three processes.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle_apart() {
  const RankPart& part = *run_.part;
  const auto rank_to = [&](std::uint32_t packet) {
    return part.rank_of(division_.of(threads_[0]->packets[packet].header));
  };
  std::vector<std::uint64_t> ends(division_.parts());
  std::vector<std::uint32_t> all;
  for (unsigned p = division_.first_own; p < division_.end_own; ++p) {
    const Packets& packets = own(p).packets;
    ends[p] = packets.end();
    for (std::uint32_t i = packets.first(); i < packets.end(); ++i) {
      if (packets[i].flits == 0) continue;
      const unsigned to = rank_to(i);
      to == part.ranks().number() ? all.push_back(i) : packets.write_made(i, shared_->to()[to]);
    }
  }
  Packets& packets = threads_[0]->packets;
  for (Parcel& parcel : shared_->exchange(ends)) {
    while (!parcel.empty()) all.push_back(packets.read_made(parcel));
  }
  for (unsigned p = 0; p < ends.size(); ++p) {
    for (std::uint32_t i = store_->first(p); i < ends[p]; ++i) {
      if (!packets.has_share(i)) continue;
      const unsigned to = rank_to(i);
      if (to != part.ranks().number()) packets.write_share(i, shared_->to()[to]);
    }
  }
  for (Parcel& parcel : shared_->exchange()) {
    while (!parcel.empty()) packets.read_share(parcel);
  }
  for (const std::uint32_t packet : all) settle(packet);
}

// The digests of the regions before this cycle's step.
template <Endpoint E, class Net>
void RunLoop<E, Net>::add_region_digests() {
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, cycle_, false); });
  settle();
  for (std::uint32_t r = 0; r < run_.traffic->partition().regions(); ++r) {
    region_digests_.push_back(threads_[0]->packets.digest(r));
  }
  each_port([this](Net& network, std::uint32_t p) { network.count_before(p, cycle_, true); });
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::take_all_mail() {
  if (alone()) return;
  for (unsigned part = division_.first_own; part < division_.end_own; ++part) take_mail(part);
}

// What is certain for the end of the run and later is taken back.
template <Endpoint E, class Net>
void RunLoop<E, Net>::end() {
  take_all_mail();
  for (const auto& thread : threads_) thread->nodes.end(cycle_, thread->sums);
  if (run_.probes.regions() != nullptr && region_digests_.empty()) add_region_digests();
  each_port([this](Net& network, std::uint32_t p) { network.end(p, cycle_); });
  ++cycle_;
  if (run_.part != nullptr) {
    write_mail(shared_->to());
    read_mail(shared_->exchange());
  }
  take_all_mail();
  settle();
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::collect(Outcome& outcome) {
  end();
  outcome.link_load = network_.load();
  for (const auto& thread : threads_) {
    outcome.counters += thread->counters;
    outcome.counters.digest.add_value(thread->packets.digest());
    outcome.counters.packets += thread->network.packets();
    outcome.sums += thread->sums;
  }
  outcome.counters.flit_hops =
      std::accumulate(outcome.link_load.begin(), outcome.link_load.end(), std::uint64_t{0});
  const NodeRange own_nodes{division_.begin_nodes(), division_.end_nodes()};
  const std::uint32_t links = run_.graph.nic_links;
  for (std::uint32_t p = own_nodes.first * links; p < own_nodes.end * links; ++p) {
    outcome.counters.flits += outcome.link_load[run_.graph.out_link[p]];
  }
  outcome.region_digests = region_digests_;
  if (nodes_.record) {
    for (std::uint32_t n = own_nodes.first; n < own_nodes.end; ++n) {
      outcome.arrivals.push_back(std::move(nodes_.arrivals[n]));
    }
  }
  collect_nodes(
      own_nodes, [&](std::uint32_t n) { return nodes_.nodes[n].status; },
      [&](std::uint32_t n) { return nodes_.nodes[n].window_flits; },
      barriers_ ? barriers_->times() : nodes_.message_barriers, outcome);
}

template <Endpoint E, class Net>
Outcome RunLoop<E, Net>::run() {
  Outcome outcome;
  EndOfRun end(run_);
  std::uint64_t running = run_.graph.nodes;
  std::uint64_t combined = 0;
  const std::uint64_t measured_end =
      run_.probes.regions() != nullptr ? run_.traffic->end() : ~std::uint64_t{0};
  const auto counts_of = [this](std::uint32_t region) { return counts(region); };
  const auto no_progress = [this] { stalled(); };
  start_threads();
  const auto start = Clock::now();
  for (;; ++cycle_) {
    Totals now = totals();
    if (run_.part != nullptr) share(now);
    if (now.errors != 0) throw_error();
    if (now.moves != 0 || now.running != running || now.combined != combined) end.moved(cycle_);
    combined = now.combined;
    running = now.running;
    if (cycle_ == measured_end) add_region_digests();
    if (end.reached(cycle_, static_cast<std::uint32_t>(running), now.dropped != 0,
                    now.interrupts != 0, counts_of, no_progress)) {
      break;
    }
    if (cycle_ >= kMostCycles) throw NotByRuns("too many cycles");
    step_all();
  }
  outcome.wall_s = seconds_since(start);
  outcome.cycles = cycle_;
  outcome.stopped = end.stopped();
  for (const auto& thread : threads_) outcome.faults_put += thread->nodes.faults_put(cycle_);
  outcome.faults_struck = outcome.faults_put;  // Each in one flit.
  stop();
  collect(outcome);
  return outcome;
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::start_threads() {
  if (threads_.size() == 1) return;
  try {
    for (unsigned part = division_.first_own + 1; part < division_.end_own; ++part) {
      workers_.emplace_back([this, part] { work(part); });
    }
  } catch (...) {
    gate_.await_only(static_cast<std::uint32_t>(workers_.size()));
    throw;
  }
  gate_.await();
}

}  // namespace

Outcome run_by_runs(const RunParts& run) {
  return std::visit(
      [&]<class E>(PartArray<E>& endpoints) {
        if (run.graph.has_routers()) {
          return RunLoop<E, RunNetwork>(run, endpoints, run.config.nic.in_order.value_or(false))
              .run();
        }
        return RunLoop<E, RunCrossbars>(run, endpoints, run.config.nic.controllers).run();
      },
      run.endpoints);
}

}  // namespace weft
