// Engine `gates`: the interfaces and the routers or crossbars of a network are what Yosys makes of
// their RTL, all of a kind stepped at once. Trees and blocks in links are models.
#include "sim/base/error.hpp"
#include "sim/engine/gate_network.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/run_blocks.hpp"
#include "sim/share/network_share.hpp"

namespace weft {
namespace {

// Cycles in which a run has traffic; 0 if it has other work.
std::uint64_t cycles_of_traffic(const Config& config) {
  if (!config.workload.is(kTraffic)) return 0;
  return config.workload.known_warmup() + config.workload.measure;
}

class GatesEngine : public Engine {
 public:
  Outcome run(const EngineInputs& run) const override { return run_gates(run, *make_gates(run)); }
};

}  // namespace

std::unique_ptr<GateNetwork> make_gates(const EngineInputs& run) {
  std::vector<std::vector<BlockRange>> threads;
  for (unsigned t = 0; t < run.threads; ++t) {
    threads.push_back(run.share.ranges_of_thread(run.graph, t));
  }
  return std::make_unique<GateNetwork>(run.config, run.graph, threads, run.probes.any(),
                                       run.checkpoint != nullptr, run.liberty);
}

Outcome run_gates(const EngineInputs& run, GateNetwork& gates) {
  const AnyUnits units{AnyBarrierUnit::model, AnyCombineUnit::model, make_link_model};
  return run.graph.has_routers()
             ? run_blocks<AnyRouter>(run, AnyNic::model, AnyRouter::model, units, false, &gates)
             : run_blocks<AnyCrossbar>(run, AnyNic::model, AnyCrossbar::model, units, false,
                                       &gates);
}

// Measured on tori of 16 x 16 and more at rates of 0.1 and up (scripts/bench_engines.sh): models
// take 0.6 us for a router and cycle, gates 0.1 to 0.13; half a minute builds the kernel of a
// shape.
bool gates_pay(const EngineInputs& run) {
  constexpr std::uint64_t kFewestRouters = 128, kWorthStart = 2'000'000, kWorthBuild = 200'000'000;
  const std::uint64_t routers = run.graph.blocks.size() - run.graph.nodes;
  const std::uint64_t work = routers * cycles_of_traffic(run.config);
  if (!run.graph.has_routers() || routers < kFewestRouters || work < kWorthStart) return false;
  if (run.config.workload.rate < 0.05) return false;
  // These see the models.
  if (run.probes.any() || run.checkpoint != nullptr || run.watch != nullptr) return false;
  const std::size_t shapes = run.graph.router_shapes.size();
  return shapes <= 8 && GateNetwork::fits(run.graph) &&
         (work >= kWorthBuild * shapes || GateNetwork::is_cached(run.config, run.graph));
}

std::unique_ptr<const Engine> make_gates_engine() {
  return std::make_unique<const GatesEngine>();
}

}  // namespace weft
