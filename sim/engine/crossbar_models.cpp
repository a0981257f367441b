// Engine `model` for fabrics of crossbars.
#include "sim/engine/cycle_loop.hpp"
#include "sim/engine/model_engine.hpp"

namespace weft {

Outcome run_crossbar_models(const RunParts& run) {
  return std::visit(
      [&](auto& endpoints) {
        return run_cycles(
            run,
            Fabric<Nic, Crossbar>(run.graph, make_nics<Nic>(run.config, run.graph),
                                  make_switches<Crossbar>(run.graph), run.record_arrivals),
            endpoints);
      },
      run.endpoints);
}

}  // namespace weft
