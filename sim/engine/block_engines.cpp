// Engines whose blocks are stepped one by one, with every flit: `flit` (models), `rtl` (Verilated
// instances) and `cosim` (an instance with its model each, and with `--gates` a third time as
// gates). Verilated instances at rest are not evaluated (sim/verilated/rtl_block.hpp); `rtl` leaves
// out their whole step where nothing is on their links.
//
// A block's step costs far more than a virtual call here, so blocks and endpoints have virtual
// interfaces, and the cycle loop is compiled only once for routers and once for crossbars.
#include <fmt/format.h>

#include "sim/engine/checkpoint.hpp"
#include "sim/engine/model_engine.hpp"
#include "sim/engine/run_blocks.hpp"
#include "sim/gates/cosim_trio.hpp"

namespace weft {
namespace {

// The blocks of an engine.
struct Blocks {
  AnyNic::Make nic;
  AnyRouter::Make router;
  AnyCrossbar::Make crossbar;
  AnyUnits units;
};

// `registers`: as of run_blocks.
Outcome run_with(const EngineInputs& run, const Blocks& blocks, bool registers) {
  return run.graph.has_routers()
             ? run_blocks<AnyRouter>(run, blocks.nic, blocks.router, blocks.units, registers)
             : run_blocks<AnyCrossbar>(run, blocks.nic, blocks.crossbar, blocks.units, registers);
}

class FlitEngine : public Engine {
 public:
  Outcome run(const EngineInputs& run) const override {
    if (run.checkpoint != nullptr) run.checkpoint->set_stepped("engine flit");
    return run_flits(run);
  }
};

class RtlEngine : public Engine {
 public:
  Outcome run(const EngineInputs& run) const override {
    return run_with(run,
                    {AnyNic::rtl,
                     AnyRouter::rtl,
                     AnyCrossbar::rtl,
                     {AnyBarrierUnit::rtl, AnyCombineUnit::rtl, make_rtl_link}},
                    true);
  }
};

class CosimEngine : public Engine {
 public:
  Outcome run(const EngineInputs& run) const override {
    return run_with(run, blocks_of(run, run.config.faults.empty()), true);
  }
  std::string compared(const Config& config, const Graph& graph, bool gates,
                       std::uint64_t cycles) const override {
    const bool registers =
        config.processor == ProcessorKind::kRv32 && config.workload.is(kCollectives);
    const std::uint32_t units =
        config.derived.barrier_units + config.derived.combine_units + registers;
    return fmt::format("{} equal on every output of {} blocks in each of {} cycles",
                       gates ? "RTL, gates and model" : "RTL and model",
                       graph.blocks.size() + std::size_t{units} * graph.nodes +
                           blocks_in_links(graph, config.link.parity),
                       cycles);
  }

 private:
  // With faults blocks have no assertions: wrong words break what they may assume of links, also of
  // protected ones, as no check finds every error. Faults do not affect the trees.
  static Blocks blocks_of(const EngineInputs& run, bool checked) {
    if (run.gates) {
      const TrioForm form{checked, run.liberty}, tree{true, run.liberty};
      return {AnyNic::trio(form),
              AnyRouter::trio(form),
              AnyCrossbar::trio(form),
              {AnyBarrierUnit::trio(tree), AnyCombineUnit::trio(tree), make_trio_link(form)}};
    }
    return {checked ? AnyNic::cosim : AnyNic::cosim_without_assertions,
            checked ? AnyRouter::cosim : AnyRouter::cosim_without_assertions,
            checked ? AnyCrossbar::cosim : AnyCrossbar::cosim_without_assertions,
            {AnyBarrierUnit::cosim, AnyCombineUnit::cosim,
             checked ? make_cosim_link : make_cosim_link_without_assertions}};
  }
};

}  // namespace

Outcome run_flits(const EngineInputs& run) {
  return run_with(run,
                  {AnyNic::model,
                   AnyRouter::model,
                   AnyCrossbar::model,
                   {AnyBarrierUnit::model, AnyCombineUnit::model, make_link_model}},
                  false);
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
