// Example of a platform: the network of a configuration with an RV32 core at each node runs its
// collective, in as many cycles and with the same digest as `weft run`.
#include "sim/systemc/platform.hpp"

#include <CLI/CLI.hpp>
#include <optional>

#include "sim/base/host_memory.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

struct Arguments {
  std::string config;
  std::vector<std::string> sets;
  bool rtl = false;
  std::optional<std::uint64_t> restart;
  std::string waves;
};

void simulate(const Arguments& arguments) {
  const Config config = load_config(arguments.config, arguments.sets);
  const Graph graph = build_graph(config);
  const BlockCore core = arguments.rtl ? BlockCore::kRtl : BlockCore::kModel;

  const sc_core::sc_time period(1, sc_core::SC_NS);
  // The first rising edge is after half a period.
  sc_core::sc_clock clk("clk", period, 0.5, 0.5 * period);
  sc_core::sc_signal<bool> rst_n("rst_n");
  Platform platform("platform", config, graph, {core, core, core});
  if (arguments.restart) platform.restart_in(*arguments.restart);
  platform.clk_i(clk);
  platform.rst_ni(rst_n);
  sc_core::sc_trace_file* waves = nullptr;
  if (!arguments.waves.empty()) {
    waves = sc_core::sc_create_vcd_trace_file(arguments.waves.c_str());
    sc_trace(waves, clk, "clk");
    for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
      sc_trace(waves, platform.network.flit(l), fmt::format("link_{}", l));
    }
  }

  sc_core::sc_start(4 * period);
  rst_n = true;
  sc_core::sc_start();
  if (waves != nullptr) sc_core::sc_close_vcd_trace_file(waves);
  const LinkMonitor& monitor = platform.network.monitor();
  fmt::print("cycles {}\ndigest {:016x}\nflit_hops {}\n", platform.cycles(), monitor.digest(),
             monitor.flit_hops());
  if (const std::uint64_t wrong = platform.data_errors(); wrong != 0) {
    throw CheckError(fmt::format("{} words in the memories are wrong", wrong));
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  CLI::App app{"The network of a configuration as SystemC modules, with RV32 cores"};
  Arguments arguments;
  app.add_option("CONFIG", arguments.config, "configuration file, as of `weft run`")->required();
  app.add_option("--set", arguments.sets, "change one value, as in router.vc_depth=4")
      ->allow_extra_args(false);
  app.add_flag("--rtl", arguments.rtl, "Verilated RTL of all blocks in place of the models");
  app.add_option("--restart", arguments.restart,
                 "the cycle of a restart of the network, with nic.reliable");
  app.add_option("--waves", arguments.waves, "the flits on all links, as WAVES.vcd");
  CLI11_PARSE(app, argc, argv);
  try {
    simulate(arguments);
  } catch (const sc_core::sc_report& report) {
    fmt::print(stderr, "{}\n", report.get_msg());  // An exception of a process arrives as a report.
    return 1;
  } catch (const ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    const auto why = shortage(error);
    fmt::print(stderr, "{}\n", why.value_or(error.what()));
    return why ? 2 : 1;
  }
  return 0;
}
