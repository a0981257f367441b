// weft topo: static figures of a network. weft emit: the network as SystemVerilog.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "sim/analysis/analysis.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/emit/emit.hpp"
#include "sim/engine/prepare.hpp"

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
  if (config.router.per_destination()) {
    return fmt::format("{}, one for each destination, as links have", figures.vcs_needed);
  }
  if (figures.vcs_needed == 0) return fmt::format("more than {}", kMaxVcs);
  return fmt::format("{} for freedom from deadlock; links have {}", figures.vcs_needed,
                     config.router.vcs);
}

// What the paper says, and where a count of all pairs says otherwise.
void print_paper(const PaperFigures& paper, const TopoFigures& figures) {
  std::string text;
  const auto add = [&](const std::string& words, double value, double exact) {
    // Table 1 has two places.
    const bool same = std::abs(value - exact) < 0.005;
    text += fmt::format("{}{}, {}", text.empty() ? "" : "; ", words,
                        same ? "as counted" : fmt::format("counted {:.6g}", exact));
  };
  if (paper.diameter) {
    add(fmt::format("diameter {:.6g} by {}", *paper.diameter, paper.diameter_formula),
        *paper.diameter, figures.diameter);
  }
  if (paper.mean_distance) {
    add(fmt::format("mean distance {:.6g} by {}", *paper.mean_distance, paper.formula),
        *paper.mean_distance, figures.mean_distance);
  }
  if (paper.table1)
    add(fmt::format("table 1 {:.2f}", *paper.table1), *paper.table1, figures.mean_distance);
  print_line("seed 001", text);
  if (!paper.note.empty()) print_line("", paper.note);
}

void topo(const TopoArguments& arguments) {
  const Config config = arguments.config.load();
  Outputs outputs(config);
  outputs.add_json("--json", arguments.json);
  const Graph graph = build_graph(config);
  const Topology& topology = find_topology(config.topology["kind"].get<std::string>());
  const TopoFigures figures = topo_figures(graph, topology);
  PaperFigures paper;
  if (topology.paper) paper = topology.paper({config.topology, config.source, "/topology"});
  nlohmann::json document = to_json(figures);
  document["topology"] = config.topology;
  if (!paper.empty()) document["paper"] = to_json(paper);
  write_json(arguments.json, document);
  if (arguments.json == "-") return;
  const bool routers = graph.has_routers();
  print_line("network", config.topology.dump());
  print_line("nodes", fmt::format("{}", figures.nodes));
  print_line("degree",
             fmt::format("{} in, {} out (links of a {})", figures.degree_in, figures.degree_out,
                         graph.staged ? "switch, at most"
                         : routers    ? "router to other routers, at most"
                                      : "node"));
  print_line("diameter", fmt::format("{} {}", figures.diameter, figures.distance_unit));
  print_line("mean distance",
             fmt::format("{:.6g} by the routing, {:.6g} by the shortest ways; a node to itself{} "
                         "counts",
                         figures.mean_distance, figures.mean_distance_shortest,
                         graph.staged ? "" : " (0)"));
  if (!paper.empty()) print_paper(paper, figures);
  print_line("links", links_in_words(graph));
  print_line("bisection",
             fmt::format("{} links across {}{}", figures.bisection.links, figures.bisection.cut,
                         figures.bisection.halves ? "; other halves may have fewer" : ""));
  if (figures.crosspoints) print_line("crosspoints", fmt::format("{}", *figures.crosspoints));
  if (routers) print_line("VCs needed", vcs_in_words(config, figures));
  print_line("deadlock-free", figures.deadlock_free ? "yes" : fmt::format("no: {}", figures.cycle));
  print_line(
      "looked at",
      fmt::format("{} pairs of nodes {}", figures.pairs,
                  figures.sampled ? "(sampled)" : "(all there are, by " + figures.exact_by + ")"));
  finish_stdout();
}

void write_rtl(const EmitArguments& arguments) {
  const Config config = arguments.config.load();
  Outputs(config).add_folder("-o", arguments.dir);
  RouteChecks routes;
  const CheckedNetwork network = check_network(config, routes);
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
