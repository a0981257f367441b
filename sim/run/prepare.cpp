// The checks before cycle 0.
#include "sim/run/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/config/config_keys.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/processes/processes.hpp"
#include "sim/run/warmup.hpp"
#include "sim/share/division.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

// Checks options that need the models of routers: losses and events.
void check_observed(const Config& config, const Graph& graph, const RunOptions& options) {
  if (!options.losses && options.events.empty()) return;
  const char* const option = options.losses ? "--losses" : "--events";
  if (!graph.has_routers()) {
    throw ConfigError(option, "", "topology " + shown(config.topology.kind),
                      "a network of routers");
  }
  if (!graph.has_one_way()) {
    throw ConfigError(option, "", "router.routing " + shown(config.router.routing),
                      "a routing by one way for each packet, as \"auto\": by this one a packet "
                      "behind others in a buffer has no out-port yet, so what it waits for is not "
                      "known");
  }
  if (!find_engine(options.engine).models) {
    throw ConfigError(option, "", "engine \"" + options.engine + "\"", "model, flit, cosim");
  }
}

// Checks that gdb can debug the node's RV32 program.
void check_gdb(const Config& config, const Graph& graph, const GdbOptions& gdb) {
  if (!config.workload.is(kCollectives)) {
    throw ConfigError("--gdb", "", "with " + to_json(config)["workload"].dump(),
                      "a program or collective");
  }
  if (config.processor != ProcessorKind::kRv32) {
    throw ConfigError("--gdb", "", "processor " + shown(config.processor),
                      "\"rv32\": native programs run in weft's own process (gdb --args weft run "
                      "...)");
  }
  if (gdb.node >= graph.nodes) {
    throw ConfigError("--gdb", "", fmt::format("node {}", gdb.node),
                      fmt::format("0 to {}", graph.nodes - 1));
  }
}

// Refuses what only a single process can do.
void check_processes(const Graph& graph, const RunOptions& options) {
  const unsigned count = options.processes->count();
  const std::string processes = fmt::format("in {} processes", count);
  const std::uint64_t parts = std::uint64_t{count} * options.threads;
  if (parts > std::min(graph.nodes, kMostParts)) {
    throw ConfigError(options.threads == 1 ? "mpirun" : "--threads", "",
                      options.threads == 1 ? fmt::format("{} processes", count)
                                           : fmt::format("{} {}", options.threads, processes),
                      fmt::format("at most {} threads of all processes, as many as nodes",
                                  std::min(graph.nodes, kMostParts)));
  }
  const auto refuse = [&](bool asked, const char* option) {
    if (!asked) return;
    throw ConfigError(option, "", processes,
                      "one process, which sees the whole network in each cycle");
  };
  refuse(!options.trace.empty(), "--trace");
  refuse(options.losses, "--losses");
  refuse(!options.events.empty(), "--events");
  refuse(options.states, "--states");
  refuse(options.gdb.has_value(), "--gdb");
  refuse(find_engine(options.engine).whole, "--engine rtl-top");
}

}  // namespace

void check_has_work(const Config& config) {
  if (config.has_work()) return;
  throw config.source.missing("/workload",
                              expected_of(*find_key(root_keys(), "workload", kAnyWork)));
}

void check_options(const Config& config, const Graph& graph, const RunOptions& options) {
  const std::uint32_t most = std::max(1u, std::min(graph.nodes, 64u));
  if (options.threads < 1 || options.threads > most) {
    throw ConfigError("--threads", "", fmt::format("{}", options.threads),
                      fmt::format("1 to {}", most));
  }
  if (options.gates && options.engine != "cosim") {
    throw ConfigError("--gates", "", "engine \"" + options.engine + "\"",
                      "cosim, which compares them; the network as gates is engine gates");
  }
  if (!options.liberty.empty() && !options.gates && options.engine != "gates") {
    throw ConfigError("--liberty", "", "engine \"" + options.engine + "\"",
                      "gates, or cosim with --gates, whose gates it maps");
  }
  if (!options.processes->alone()) check_processes(graph, options);
  check_observed(config, graph, options);
  if (options.states && (!config.workload.is(kArrays) || graph.aggregators == 0)) {
    throw ConfigError("--states", "", "with " + to_json(config)["workload"].dump(),
                      "a collective on arrays, on a network of boards");
  }
  if (options.gdb) check_gdb(config, graph, *options.gdb);
  check_checkpoint(config, options);
  find_engine(options.engine).make()->check(config, graph, options);
}

PreparedRun prepare_run(Config& config, const RunOptions& options, RouteChecks& routes) {
  check_has_work(config);
  CheckedNetwork network = check_network(config, routes, *options.processes);
  check_options(config, network.graph, options);
  auto graph = std::make_unique<const Graph>(std::move(network.graph));
  std::string warmup = find_warmup(config, *graph, options);
  // The constructor checks that the workload fits the network.
  Workload workload = make_workload(config, *graph);
  return {std::move(graph), std::move(workload), std::move(network.verified),
          std::move(network.routes), std::move(warmup)};
}

}  // namespace weft
