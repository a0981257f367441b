// Engine `model` for fabrics of routers.
#include "sim/engine/cycle_loop.hpp"
#include "sim/engine/model_engine.hpp"

namespace weft {

Outcome run_router_models(const RunParts& run) {
  return std::visit(
      [&](auto& endpoints) {
        return run_cycles(
            run,
            Fabric<Nic, VcRouter>(run.graph, make_nics<Nic>(run.config, run.graph),
                                  make_switches<VcRouter>(run.graph), run.record_arrivals),
            endpoints);
      },
      run.endpoints);
}

}  // namespace weft
