// Engine `model` for networks of routers: packets move as runs of flits (sim/runs).
#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "sim/engine/end_of_run.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/runs/nodes.hpp"

namespace weft {
namespace {

// Cycles are numbers of 32 bits.
constexpr Cycle kMostCycles = kNever - (1u << 20);

// A network with an endpoint at each node.
template <Endpoint E>
class RunLoop {
 public:
  RunLoop(const RunParts& run, std::vector<E>& endpoints)
      : run_(run),
        packets_(run.config.link.parity,
                 run.traffic != nullptr ? run.traffic->partition().regions() : 1),
        network_(run.graph, packets_, powers_),
        barriers_(make_barriers(run)),
        nodes_(run.graph, nic_config(run.config, run.graph), network_, packets_, endpoints,
               barriers_ ? &*barriers_ : nullptr, run.record_arrivals) {
    nodes_.inject(run.config.faults, run.config.link.parity);
  }

  Outcome run();

 private:
  using Barriers = BarrierTree<BarrierUnit>;

  static std::optional<Barriers> make_barriers(const RunParts& run) {
    if (!run.config.barrier_units) return {};
    Barriers barriers(run.graph.nodes, run.graph.links.size());
    barriers.leave_out(run.startup_barrier ? 1 : 0);
    return barriers;
  }
  void step(Cycle cycle);
  void settle();
  void add_region_digests(Cycle cycle);
  void collect(Outcome& outcome);

  const RunParts& run_;
  Packets packets_;
  Powers powers_;
  RunNetwork network_;
  std::optional<Barriers> barriers_;
  RunNodes<E> nodes_;
  RegionSums sums_;
  Counters counters_;
  std::vector<std::uint64_t> region_digests_;
};

template <Endpoint E>
void RunLoop<E>::step(Cycle cycle) {
  powers_.begin(cycle);
  if (barriers_) {
    std::uint32_t at = 0;
    barriers_->step(0, run_.graph.nodes, at);
  }
  nodes_.step(cycle, sums_);
  network_.step(cycle);
  nodes_.take_news(cycle, sums_);
  if (barriers_) {
    barriers_->publish(0, run_.graph.nodes, cycle + 1, counters_,
                       [&](std::uint32_t n) { nodes_.released(n, cycle + 1); });
  }
}

template <Endpoint E>
void RunLoop<E>::settle() {
  for (std::uint32_t i = 0; i < packets_.size(); ++i) {
    if (packets_[i].flits != 0) packets_.settle(packets_[i], nodes_.region_of(packets_[i]));
  }
}

// The digests of the regions before a cycle's step.
template <Endpoint E>
void RunLoop<E>::add_region_digests(Cycle cycle) {
  network_.count_before(cycle, false);
  settle();
  for (std::uint32_t r = 0; r < run_.traffic->partition().regions(); ++r) {
    region_digests_.push_back(packets_.digest(r));
  }
  network_.count_before(cycle, true);
}

template <Endpoint E>
void RunLoop<E>::collect(Outcome& outcome) {
  const auto end = static_cast<Cycle>(outcome.cycles);
  outcome.faults_put = nodes_.faults_put(end);
  nodes_.end(end, sums_);
  if (run_.probes.regions() != nullptr && region_digests_.empty()) add_region_digests(end);
  outcome.region_digests = region_digests_;
  network_.end(end);
  settle();
  counters_.digest.add_value(packets_.digest());
  outcome.link_load = network_.load();
  counters_.flit_hops =
      std::accumulate(outcome.link_load.begin(), outcome.link_load.end(), std::uint64_t{0});
  for (std::uint32_t p = 0; p < run_.graph.nodes * run_.graph.nic_links; ++p) {
    counters_.flits += outcome.link_load[run_.graph.out_link[p]];
  }
  counters_.packets = network_.packets();
  outcome.counters = counters_;
  outcome.sums = sums_;
  outcome.arrivals = nodes_.arrivals();
  collect_nodes(
      run_.graph.nodes, [&](std::uint32_t n) { return nodes_.status(n); },
      [&](std::uint32_t n) { return nodes_.window_flits(n); }, nodes_.barrier_times(),
      barriers_.has_value(), outcome);
}

template <Endpoint E>
Outcome RunLoop<E>::run() {
  Outcome outcome;
  EndOfRun end(run_);
  std::uint32_t running = run_.graph.nodes;
  const std::uint64_t measured_end =
      run_.probes.regions() != nullptr ? run_.traffic->end() : ~std::uint64_t{0};
  const auto start = Clock::now();
  Cycle cycle = 0;
  const auto counts = [&](std::uint32_t region) -> TrafficCounts { return sums_.of(region); };
  const auto stalled = [&] {
    // Which packets wait for which, the flit engine tells.
    if (!network_.empty() || !nodes_.any_pauses(cycle)) throw NotByRuns("no progress");
  };
  for (;; ++cycle) {
    end.moved(std::min(cycle, network_.moves_until()));
    if (nodes_.running() != running) end.moved(cycle);
    running = nodes_.running();
    if (cycle == measured_end) add_region_digests(cycle);
    if (end.reached(cycle, running, nodes_.dropped(), counts, stalled)) break;
    if (cycle >= kMostCycles) throw NotByRuns("too many cycles");
    step(cycle);
  }
  outcome.wall_s = seconds_since(start);
  outcome.cycles = cycle;
  outcome.stopped = end.stopped();
  collect(outcome);
  return outcome;
}

}  // namespace

std::string steps_for(const RunParts& run) {
  if (run.every_flit) return "for the report of what does not move";
  if (const std::string asked = run.probes.asked(); !asked.empty()) return asked;
  if (run.threads != 1) return "threads";
  if (run.config.router.hold == "flit") return "router.hold is \"flit\"";
  return {};
}

Outcome run_by_runs(const RunParts& run) {
  return std::visit(
      [&]<class E>(std::vector<E>& endpoints) { return RunLoop<E>(run, endpoints).run(); },
      run.endpoints);
}

}  // namespace weft
