// weft topo: static figures of a network. weft emit: the network as SystemVerilog.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/emit/emit.hpp"
#include "sim/emit/starter.hpp"
#include "sim/report/topo_report.hpp"
#include "sim/run/prepare.hpp"
#include "sim/topology/graph_file.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft::cli {
namespace {

struct TopoArguments {
  ConfigArguments config;
  std::string json, export_to;
};

struct EmitArguments {
  ConfigArguments config;
  std::string dir;
  EmitOptions options;
  bool faults = false;  ///< Emit injection of faults into every link.
};

void topo(const TopoArguments& arguments) {
  if (arguments.json == "-" && arguments.export_to == "-") {
    throw ConfigError("--export", "", "\"-\"", "a file: --json writes to standard output");
  }
  Config config = arguments.config.load();
  Outputs outputs(config);
  outputs.add_json("--json", arguments.json);
  outputs.add_json("--export", arguments.export_to);
  // With a collective, cut-off nodes would be left out.
  config.workload = {};
  const Graph graph = build_graph(config);
  const Topology& topology = find_topology(config.topology.kind);
  TopoReport report{config, graph, topo_figures(graph, topology), {}};
  report.add_trees();
  const bool whole = !config.topology.failed.any();
  if (topology.paper && whole) report.paper = topology.paper(config);
  write_json(arguments.json, to_json(report));
  const bool text = arguments.json != "-" && arguments.export_to != "-";
  if (text) fmt::print("{}", printable(topo_text(report)));
  if (!arguments.export_to.empty()) {
    const GraphDocument network = graph_document(graph, "--export");
    write_json(arguments.export_to, network.document);
    if (text) {
      print_line("written", network.no_routes.empty()
                                ? arguments.export_to + ", with routes"
                                : fmt::format("{}, without routes: {}", arguments.export_to,
                                              network.no_routes));
    }
  }
  finish_stdout();
}

// A configuration for `weft run` with the messages of the starter testbench on this network; empty
// if it would be another network, because a collective asks for more of its interfaces.
std::string starter_run(const Config& config, const Graph& graph, const EmitArguments& arguments,
                        const std::map<std::string, std::string>& modules) {
  const EmitOptions& options = arguments.options;
  if (options.axi) return {};  // A driver's accesses take cycles that the model's do not.
  Config run = config;
  run.workload = {};
  run.workload.kind = kTransfers;
  run.workload.transfers = starter_transfers(graph);
  run.partition.clear();
  run.faults.clear();
  run.max_cycles = 0;
  const nlohmann::json document = to_json(run);
  try {
    const Config parsed = parse_config(document, "weft_tb.json");
    Graph same = build_graph(parsed);
    for (Link& link : same.links) link.injected = arguments.faults;
    if (emit_modules(parsed, same, options) != modules) return {};
  } catch (const ConfigError&) {
    return {};
  }
  return document.dump(2) + "\n";
}

void write_rtl(const EmitArguments& arguments) {
  const Config config = arguments.config.load();
  Outputs(config).add_folder("-o", arguments.dir);
  RouteChecks routes;
  CheckedNetwork network = check_network(config, routes);
  if (!network.graph.failures.component.empty()) {
    config.refuse_topology(
        "a network without nodes that are cut off, to which those of the testbench would send; or "
        "with a collective, which leaves them out: " +
            cut_in_words(network.graph.failures),
        "failed");
  }
  for (Link& link : network.graph.links) link.injected = arguments.faults;
  const auto modules = emit_modules(config, network.graph, arguments.options);
  const std::string run = starter_run(config, network.graph, arguments, modules);
  emit(modules, config, network.graph, arguments.options, run, arguments.dir);
  print_line("network", to_json(config.topology).dump());
  print_line("checked", network.verified);
  if (!network.routes.empty()) {
    print_line(network.graph.failures.any ? "failed" : "routes", network.routes);
  }
  print_line("written", fmt::format("{0}/weft_top.sv, file list {0}/weft_top.f", arguments.dir));
  print_line("testbench", fmt::format("make -C {0} icarus, make -C {0} verilator", arguments.dir));
  if (!run.empty()) {
    print_line("its messages", fmt::format("weft run {}/weft_tb.json", arguments.dir));
  }
  finish_stdout();
}

}  // namespace

void add_topo(CLI::App& app) {
  auto arguments = std::make_shared<TopoArguments>();
  CLI::App* command = app.add_subcommand("topo", "Static figures of a network, without simulation");
  arguments->config.add_to(*command);
  command->add_option("--json", arguments->json, "Write the figures as JSON; - is standard output")
      ->type_name("FILE")
      ->check(expect_name_or_stdout);
  command
      ->add_option(
          "--export", arguments->export_to,
          "Write the network of routers as a file for topology graph; - is standard output")
      ->type_name("FILE")
      ->check(expect_name_or_stdout);
  command->callback([arguments] { topo(*arguments); });
}

void add_emit(CLI::App& app) {
  auto arguments = std::make_shared<EmitArguments>();
  CLI::App* command =
      app.add_subcommand("emit", "Write the network as SystemVerilog, with a file list");
  arguments->config.add_to(*command);
  command->add_option("-o", arguments->dir, "Folder to write")
      ->type_name("DIR")
      ->check(expect_name)
      ->required();
  command->add_flag("--tiles", arguments->options.tiles,
                    "A router and the interfaces at it as one module, weft_node_<n>");
  command->add_flag("--observe", arguments->options.observe,
                    "Outputs of the top that show every link");
  command->add_flag("--faults", arguments->faults,
                    "Inputs of the top that invert what is on the wires of links");
  command->add_flag("--axi", arguments->options.axi,
                    "Interfaces with AXI4-Lite for their registers and AXI4 for their memory");
  command->callback([arguments] { write_rtl(*arguments); });
}

}  // namespace weft::cli
