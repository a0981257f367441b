// Engines whose blocks are stepped one by one, with every flit: `flit` (models), `rtl` (Verilated
// instances) and `cosim` (an instance with its model each). Verilated instances at rest are not
// evaluated (sim/verilated/rtl_block.hpp); `rtl` leaves out their whole step where nothing is on
// their links.
//
// A block's step costs far more than a virtual call here, so blocks and endpoints have virtual
// interfaces, and the cycle loop is compiled only once for routers and once for crossbars.
#include <fmt/format.h>

#include <deque>

#include "sim/engine/any_blocks.hpp"
#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/cycle_loop.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/register_endpoint.hpp"

namespace weft {
namespace {

// `registers`: drivers of RV32 processors use the Verilated register block.
template <class Switch>
Outcome run_blocks(const RunParts& run, AnyNic::Make make_nic, typename Switch::Make make_switch,
                   const AnyUnits& make_unit, bool registers) {
  std::deque<RegisterEndpoint> blocks;
  PartArray<AnyEndpoint> endpoints = registers ? endpoints_with_registers(run, blocks)
                                               : any_endpoints(run.endpoints, run.own_nodes());
  const OwnsBlock own = run.owns_block();
  const auto switches = [&](const Graph& graph) {
    return make_switches<Switch>(graph, own, run.config.link.parity, make_switch);
  };
  using Net = Fabric<AnyNic, Switch>;
  const auto rewire = [&](Net& fabric, const Graph& graph, std::uint64_t cycle) {
    fabric.restart(switches(graph), cycle);
  };
  return run_cycles(run,
                    Net(run.graph, make_nics<AnyNic>(run.config, run.graph, own, make_nic),
                        switches(run.graph), arrival_monitor(run)),
                    endpoints, rewire, make_unit);
}

class FlitEngine : public Engine {
 public:
  Outcome run(const RunParts& run) const override {
    if (run.checkpoint != nullptr) run.checkpoint->set_stepped("engine flit");
    return run_by_flits(run);
  }
};

class RtlEngine : public Engine {
 public:
  Outcome run(const RunParts& run) const override {
    constexpr AnyUnits kUnits{AnyBarrierUnit::rtl, AnyCombineUnit::rtl, make_rtl_link};
    return run.graph.has_routers()
               ? run_blocks<AnyRouter>(run, AnyNic::rtl, AnyRouter::rtl, kUnits, true)
               : run_blocks<AnyCrossbar>(run, AnyNic::rtl, AnyCrossbar::rtl, kUnits, true);
  }
};

class CosimEngine : public Engine {
 public:
  Outcome run(const RunParts& run) const override {
    // Wrong words break what the blocks may assume of links, also of protected ones: no check finds
    // every error.
    return run.config.faults.empty() ? run_pairs<true>(run) : run_pairs<false>(run);
  }
  std::string compared(const Config& config, const Graph& graph,
                       std::uint64_t cycles) const override {
    const bool registers = config.processor == "rv32" && !config.workload.collective.empty();
    const std::uint32_t units = config.barrier_units + config.combine_units + registers;
    return fmt::format("RTL and model equal on every output of {} blocks in each of {} cycles",
                       graph.blocks.size() + std::size_t{units} * graph.nodes +
                           blocks_in_links(graph, config.link.parity),
                       cycles);
  }

 private:
  template <bool kAssertions>
  static Outcome run_pairs(const RunParts& run) {
    // No fault comes to a tree.
    constexpr AnyUnits kUnits{AnyBarrierUnit::cosim, AnyCombineUnit::cosim,
                              make_cosim_link<kAssertions>};
    return run.graph.has_routers()
               ? run_blocks<AnyRouter>(run, AnyNic::cosim<kAssertions>,
                                       AnyRouter::cosim<kAssertions>, kUnits, true)
               : run_blocks<AnyCrossbar>(run, AnyNic::cosim<kAssertions>,
                                         AnyCrossbar::cosim<kAssertions>, kUnits, true);
  }
};

}  // namespace

Outcome run_by_flits(const RunParts& run) {
  constexpr AnyUnits kUnits{AnyBarrierUnit::model, AnyCombineUnit::model, make_link_model};
  return run.graph.has_routers()
             ? run_blocks<AnyRouter>(run, AnyNic::model, AnyRouter::model, kUnits, false)
             : run_blocks<AnyCrossbar>(run, AnyNic::model, AnyCrossbar::model, kUnits, false);
}

std::unique_ptr<const Engine> make_flit_engine() {
  return std::make_unique<const FlitEngine>();
}
std::unique_ptr<const Engine> make_rtl_engine() {
  return std::make_unique<const RtlEngine>();
}
std::unique_ptr<const Engine> make_cosim_engine() {
  return std::make_unique<const CosimEngine>();
}

}  // namespace weft
