// Engine `gates`: the routers of a network are what Yosys made of their RTL, all stepped at once.
#include "sim/base/error.hpp"
#include "sim/engine/gate_switches.hpp"
#include "sim/engine/probes.hpp"
#include "sim/engine/run_blocks.hpp"
#include "sim/share/network_share.hpp"

namespace weft {
namespace {

std::unique_ptr<SwitchArray> make_gates(const EngineInputs& run) {
  std::vector<std::vector<BlockRange>> threads;
  for (unsigned t = 0; t < run.threads; ++t) {
    threads.push_back(run.share.ranges_of_thread(run.graph, t));
  }
  return std::make_unique<GateSwitches>(run.config, run.graph, threads, run.probes.any());
}

class GatesEngine : public Engine {
 public:
  Outcome run(const EngineInputs& run) const override {
    constexpr AnyUnits kUnits{AnyBarrierUnit::model, AnyCombineUnit::model, make_link_model};
    return run.graph.has_routers() ? run_blocks<AnyRouter>(run, AnyNic::model, AnyRouter::model,
                                                           kUnits, false, make_gates)
                                   : run_blocks<AnyCrossbar>(run, AnyNic::model, AnyCrossbar::model,
                                                             kUnits, false, make_gates);
  }
};

}  // namespace

std::unique_ptr<const Engine> make_gates_engine() {
  return std::make_unique<const GatesEngine>();
}

}  // namespace weft
