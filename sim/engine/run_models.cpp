// Engine `model`: packets move as runs of flits (sim/runs).
#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "sim/engine/checkpoint.hpp"
#include "sim/engine/end_of_run.hpp"
#include "sim/engine/gate.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/run_models_state.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/runs/crossbars.hpp"
#include "sim/runs/network.hpp"
#include "sim/runs/nodes.hpp"

namespace weft {
namespace {

// Cycles are numbers of 32 bits.
constexpr Cycle kMostCycles = kNever - (1u << 20);

// A network with an endpoint at each node, on one thread or several, each with a part of it.
template <Endpoint E, class Net>
class RunLoop {
 public:
  // `more`: further arguments of the network's state.
  template <class... More>
  RunLoop(const RunParts& run, std::vector<E>& endpoints, More... more);
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

  static std::optional<Barriers> make_barriers(const RunParts& run) {
    if (!run.config.barrier_units) return {};
    Barriers barriers(run.graph.nodes, run.graph.links.size());
    barriers.leave_out(run.startup_barrier ? 1 : 0);
    return barriers;
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
  // Ends the threads, which wait for the next cycle.
  void stop() {
    if (workers_.empty()) return;
    stops_ = true;
    gate_.open();
    workers_.clear();
  }
  void step_all();
  void step(unsigned part);
  void take_mail(unsigned part);
  void publish(unsigned part);
  // Calls `use` with the network of each out-port and its number.
  template <class Use>
  void each_port(Use use) {
    for (std::uint32_t b = 0; b < run_.graph.blocks.size(); ++b) {
      const Block& block = run_.graph.blocks[b];
      for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
        use(threads_[division_.of_block[b]]->network, p);
      }
    }
  }
  void settle();
  void add_region_digests();
  bool any_pauses() const {
    return std::any_of(endpoints_.begin(), endpoints_.end(),
                       [this](const E& endpoint) { return endpoint.pauses(cycle_); });
  }
  void end();
  void collect(Outcome& outcome);

  const RunParts& run_;
  std::vector<E>& endpoints_;
  const Nic::Config nic_;
  const Division division_;
  std::shared_ptr<PacketStore> store_;
  typename Net::State network_;
  std::optional<Barriers> barriers_;
  std::optional<Combines> combines_;
  NodeStates nodes_;
  Mailboxes mail_;
  std::vector<std::unique_ptr<Thread>> threads_;
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
  nodes.inject(loop.run_.config.faults, loop.run_.config.link.parity);
  nodes.watch(loop.run_.watch);
}

template <Endpoint E, class Net>
template <class... More>
RunLoop<E, Net>::RunLoop(const RunParts& run, std::vector<E>& endpoints, More... more)
    : run_(run),
      endpoints_(endpoints),
      nic_(nic_config(run.config, run.graph)),
      division_(run.graph, run.threads),
      store_(std::make_shared<PacketStore>(run.threads)),
      network_(run.graph, division_, more...),
      barriers_(make_barriers(run)),
      combines_(make_combines(run)),
      nodes_(run.graph, nic_, !E::kTimed, run.record_arrivals),
      mail_(run.threads),
      gate_(run.threads - 1) {
  for (unsigned part = 0; part < run.threads; ++part) {
    threads_.push_back(std::make_unique<Thread>(*this, part));
  }
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

template <Endpoint E, class Net>
void RunLoop<E, Net>::step_all() {
  const bool many = !workers_.empty();
  if (many) gate_.open();
  step(0);
  if (many) gate_.await();
  if (trees()) {
    if (many) gate_.open();
    publish(0);
    if (many) gate_.await();
  }
  const Thread* first = nullptr;
  for (const auto& thread : threads_) {
    if (thread->error && (first == nullptr || thread->rank < first->rank)) first = thread.get();
  }
  if (first != nullptr) std::rethrow_exception(first->error);
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::take_mail(unsigned part) {
  Thread& t = *threads_[part];
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
  Thread& t = *threads_[part];
  t.rank = Rank::kOfNode;
  try {
    t.powers.begin(cycle_);
    if (mail_.parts() != 1) take_mail(part);
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
  Thread& t = *threads_[part];
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

template <Endpoint E, class Net>
void RunLoop<E, Net>::settle() {
  for (const auto& thread : threads_) {
    for (std::uint32_t i = thread->packets.first(); i < thread->packets.end(); ++i) {
      Packet& packet = thread->packets[i];
      if (packet.flits == 0) continue;
      threads_[division_.of(packet.header)]->packets.settle(packet,
                                                            thread->nodes.region_of(packet));
    }
  }
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

// What is certain for the end of the run and later is taken back.
template <Endpoint E, class Net>
void RunLoop<E, Net>::end() {
  for (unsigned part = 0; part < mail_.parts(); ++part) {
    if (mail_.parts() != 1) take_mail(part);
  }
  for (const auto& thread : threads_) thread->nodes.end(cycle_, thread->sums);
  if (run_.probes.regions() != nullptr && region_digests_.empty()) add_region_digests();
  each_port([this](Net& network, std::uint32_t p) { network.end(p, cycle_); });
  ++cycle_;
  for (unsigned part = 0; part < mail_.parts(); ++part) {
    if (mail_.parts() != 1) take_mail(part);
  }
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
  for (std::uint32_t p = 0; p < run_.graph.nodes * run_.graph.nic_links; ++p) {
    outcome.counters.flits += outcome.link_load[run_.graph.out_link[p]];
  }
  outcome.region_digests = region_digests_;
  outcome.arrivals = nodes_.arrivals;
  collect_nodes(
      run_.graph.nodes, [&](std::uint32_t n) { return nodes_.nodes[n].status; },
      [&](std::uint32_t n) { return nodes_.nodes[n].window_flits; },
      barriers_ ? barriers_->times() : nodes_.message_barriers, barriers_.has_value(), outcome);
}

template <Endpoint E, class Net>
Outcome RunLoop<E, Net>::run() {
  Outcome outcome;
  EndOfRun end(run_);
  std::uint32_t running = run_.graph.nodes;
  std::uint64_t combined = 0;
  const std::uint64_t measured_end =
      run_.probes.regions() != nullptr ? run_.traffic->end() : ~std::uint64_t{0};
  const auto counts = [&](std::uint32_t region) {
    TrafficCounts sum;
    for (const auto& thread : threads_) {
      if (region < thread->sums.size()) sum += thread->sums.counts(region);
    }
    return sum;
  };
  const auto stalled = [&] {
    // Which packets wait for which, the flit engine tells.
    if (!network_.empty() || !any_pauses()) throw NotByRuns("no progress");
  };
  const auto state = [&](auto& archive) {
    archive(cycle_, running, combined, end, region_digests_, network_, nodes_, mail_);
    archive_parts(archive, barriers_, combines_, threads_, run_.endpoints);
  };
  if (run_.checkpoint != nullptr) run_.checkpoint->load(state);
  start_threads();
  const auto start = Clock::now();
  for (;; ++cycle_) {
    std::uint32_t now_running = 0;
    Cycle moves_until = 0;
    std::uint64_t now_combined = 0;
    bool dropped = false;
    for (const auto& thread : threads_) {
      now_running += thread->nodes.running();
      moves_until = std::max(moves_until, thread->network.moves_until());
      dropped |= thread->nodes.dropped();
      now_combined += thread->counters.combined;
    }
    save_if_due(run_, cycle_, end.stops(cycle_), state);
    end.moved(std::min(cycle_, moves_until));
    if (now_running != running || now_combined != combined) end.moved(cycle_);
    combined = now_combined;
    running = now_running;
    if (cycle_ == measured_end) add_region_digests();
    if (end.reached(cycle_, running, dropped, counts, stalled)) break;
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
    for (unsigned part = 1; part < threads_.size(); ++part) {
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
      [&]<class E>(std::vector<E>& endpoints) {
        if (run.graph.has_routers()) {
          return RunLoop<E, RunNetwork>(run, endpoints, run.config.nic.in_order.value_or(false))
              .run();
        }
        return RunLoop<E, RunCrossbars>(run, endpoints, run.config.nic.controllers).run();
      },
      run.endpoints);
}

}  // namespace weft
