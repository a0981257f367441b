// The body of run_blocks (sim/engine/run_blocks.hpp), for the files that compile it.
#pragma once

#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/flit_loop.hpp"
#include "sim/engine/gate_network.hpp"
#include "sim/engine/register_endpoint.hpp"
#include "sim/engine/run_blocks.hpp"

namespace weft {

template <class Switch>
Outcome run_blocks(const EngineInputs& run, AnyNic::Make make_nic,
                   typename Switch::Make make_switch, const AnyUnits& make_unit, bool registers,
                   GateNetwork* gates) {
  KeptEndpoints nodes =
      registers ? endpoints_with_registers(run)
                : KeptEndpoints{nullptr, any_endpoints(run.endpoints, run.share.nodes())};
  const OwnsBlock own = run.owns_block();
  const bool together = gates != nullptr;
  const auto switches = [&](const Graph& graph) {
    if (together) return std::vector<Switch>();
    return make_switches<Switch>(graph, own, run.config.link.parity, make_switch);
  };
  using Net = Fabric<AnyNic, Switch>;
  const auto rewire = [&](Net& fabric, const Graph& graph, std::uint64_t cycle) {
    if (together) return fabric.restart(graph, cycle);
    fabric.restart(switches(graph), cycle);
  };
  Net fabric(run.graph,
             together ? gates->nics() : make_nics<AnyNic>(run.config, run.graph, own, make_nic),
             switches(run.graph), arrival_monitor(run));
  if (together) fabric.step_together(*gates);
  return run_cycles(run, std::move(fabric), nodes.endpoints, rewire, make_unit);
}

}  // namespace weft
