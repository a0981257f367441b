// Engine `rtl-top`: the emitted fabric as one Verilated top.
#include "sim/base/error.hpp"
#include "sim/engine/flit_loop.hpp"
#include "sim/engine/register_endpoint.hpp"
#include "sim/engine/rtl_top.hpp"

namespace weft {
namespace {

class RtlTopEngine : public Engine {
 public:
  void check(const Config&, const Graph&, const RunOptions& options) const override {
    if (options.threads > 1) {
      throw ConfigError("--threads", "", std::to_string(options.threads),
                        "1 with engine rtl-top, which evaluates the network as one");
    }
  }
  Outcome run(const EngineInputs& run) const override {
    KeptEndpoints nodes = endpoints_with_registers(run);
    const auto rewire = [](RtlTop& top, const Graph& graph, std::uint64_t) { top.restart(graph); };
    return run_cycles(run, RtlTop(run.config, run.graph, arrival_monitor(run)), nodes.endpoints,
                      rewire);
  }
};

}  // namespace

std::unique_ptr<const Engine> make_rtl_top_engine() {
  return std::make_unique<const RtlTopEngine>();
}

}  // namespace weft
