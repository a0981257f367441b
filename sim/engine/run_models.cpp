// Engine `model` for networks of routers: packets move as runs of flits (sim/runs).
#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/progress.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/runs/nodes.hpp"

namespace weft {
namespace {

// After a dropped packet the workload cannot complete; the run ends when nothing has moved for so
// many cycles.
constexpr std::uint64_t kAfterDrop = 10'000;
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
  bool traffic_over(Cycle cycle, std::uint64_t& last_move) const;
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

// Whether every region is over, or the time limit is reached. While no packet is in flight, no flit
// need move.
template <Endpoint E>
bool RunLoop<E>::traffic_over(Cycle cycle, std::uint64_t& last_move) const {
  const TrafficPlan& plan = *run_.traffic;
  std::uint64_t in_flight = 0;
  bool over = true;
  for (std::size_t region = 0; region < sums_.size(); ++region) {
    const TrafficCounts& counts = sums_.counts(region);
    in_flight += counts.generated - counts.arrived;
    over = over && plan.over(counts, cycle);
  }
  if (in_flight == 0) last_move = cycle;
  return over || cycle >= plan.limit();
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
  for (std::uint32_t n = 0; n < run_.graph.nodes; ++n) {
    outcome.status.push_back(nodes_.status(n));
    outcome.window_flits.push_back(nodes_.window_flits(n));
  }
  outcome.arrivals = nodes_.arrivals();
  const BarrierResult barriers = nodes_.barrier_times().result();
  if (barriers_ || barriers.count != 0) outcome.barriers = barriers;
}

template <Endpoint E>
Outcome RunLoop<E>::run() {
  const Config& config = run_.config;
  Outcome outcome;
  std::uint64_t last_move = 0;
  std::uint32_t running = run_.graph.nodes;
  const std::uint64_t measured_end =
      run_.probes.regions() != nullptr ? run_.traffic->end() : ~std::uint64_t{0};
  const auto start = Clock::now();
  Cycle cycle = 0;
  for (;; ++cycle) {
    last_move = std::max<std::uint64_t>(last_move, std::min(cycle, network_.moves_until()));
    if (nodes_.running() != running) last_move = cycle;
    running = nodes_.running();
    if (cycle == measured_end) add_region_digests(cycle);
    if (running == 0 || (run_.traffic != nullptr && traffic_over(cycle, last_move))) break;
    if (config.max_cycles != 0 && cycle >= config.max_cycles) {
      outcome.stopped = true;
      break;
    }
    if (nodes_.dropped() && cycle - last_move >= kAfterDrop) break;
    if (cycle - last_move >= config.watchdog) {
      // Which packets wait for which, the flit engine tells.
      if (!network_.empty() || !nodes_.any_pauses(cycle)) throw NotByRuns("no progress");
      last_move = cycle;
    }
    if (cycle >= kMostCycles) throw NotByRuns("too many cycles");
    if ((cycle & 0xff) == 0 && run_.progress) run_.progress(cycle, run_.graph.nodes - running);
    step(cycle);
  }
  outcome.wall_s = seconds_since(start);
  outcome.cycles = cycle;
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
