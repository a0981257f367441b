// weft topo: static figures of a network. weft emit: the network as SystemVerilog.
#include <fmt/format.h>

#include "sim/analysis/analysis.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/network/emit.hpp"

namespace weft::cli {
namespace {

struct TopoArguments {
  ConfigArguments config;
  std::string json;
};

struct EmitArguments {
  ConfigArguments config;
  std::string dir;
};

std::string vcs_in_words(const Config& config, const TopoFigures& figures) {
  if (config.router.per_destination) {
    return fmt::format("{}, one for each destination, as links have", figures.vcs_needed);
  }
  if (figures.vcs_needed == 0) return fmt::format("more than {}", kMaxVcs);
  return fmt::format("{} for freedom from deadlock; links have {}", figures.vcs_needed,
                     config.router.vcs);
}

void topo(const TopoArguments& arguments) {
  const Config config = arguments.config.load();
  const JsonOutput json(arguments.json);
  const Graph graph = build_graph(config);
  const TopoFigures figures =
      topo_figures(graph, find_topology(config.topology["kind"].get<std::string>()));
  nlohmann::json document = to_json(figures);
  document["topology"] = config.topology;
  json.write(document);
  if (json.takes_stdout()) return;
  const bool routers = graph.has_routers();
  print_line("network", config.topology.dump());
  print_line("nodes", fmt::format("{}", figures.nodes));
  print_line("degree",
             fmt::format("{} in, {} out (links of a {})", figures.degree_in, figures.degree_out,
                         routers ? "router to other routers, at most" : "node"));
  print_line("diameter",
             fmt::format("{} {}", figures.diameter,
                         routers ? "links between routers" : "crossbars on the longest route"));
  print_line("mean distance", fmt::format("{:.6g} by the routing, {:.6g} by the shortest ways; a "
                                          "node to itself (0) counts",
                                          figures.mean_distance, figures.mean_distance_shortest));
  print_line("links", links_in_words(graph));
  if (figures.crosspoints) print_line("crosspoints", fmt::format("{}", *figures.crosspoints));
  if (routers) print_line("VCs needed", vcs_in_words(config, figures));
  print_line("deadlock-free", figures.deadlock_free ? "yes" : fmt::format("no: {}", figures.cycle));
  print_line("looked at", fmt::format("{} pairs of nodes{}", figures.pairs,
                                      figures.sampled ? " (sampled)" : ", all there are"));
  finish_stdout();
}

void write_rtl(const EmitArguments& arguments) {
  const Config config = arguments.config.load();
  const CheckedNetwork network = checked_network(config);
  emit(config, network.graph, arguments.dir);
  print_line("network", config.topology.dump());
  print_line("checked", network.verified);
  print_line("written", fmt::format("{0}/weft_top.sv, file list {0}/weft_top.f", arguments.dir));
  finish_stdout();
}

}  // namespace

void add_topo(CLI::App& app) {
  auto arguments = std::make_shared<TopoArguments>();
  CLI::App* command = app.add_subcommand("topo", "Static figures of a network, without simulation");
  arguments->config.add_to(*command);
  command->add_option("--json", arguments->json, "Write the figures as JSON; - is standard output")
      ->type_name("FILE");
  command->callback([arguments] { topo(*arguments); });
}

void add_emit(CLI::App& app) {
  auto arguments = std::make_shared<EmitArguments>();
  CLI::App* command =
      app.add_subcommand("emit", "Write the network as SystemVerilog, with a file list");
  arguments->config.add_to(*command);
  command->add_option("-o", arguments->dir, "Folder to write")->type_name("DIR")->required();
  command->callback([arguments] { write_rtl(*arguments); });
}

}  // namespace weft::cli
