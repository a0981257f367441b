// The checks before cycle 0.
#include "sim/engine/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/analysis/analysis.hpp"
#include "sim/config/config_keys.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/faults.hpp"
#include "sim/engine/rank_part.hpp"
#include "sim/engine/shared_routes.hpp"
#include "sim/engine/warmup.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/runs/division.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

// Losses and events need the models of routers.
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

// gdb debugs a node's RV32 program.
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

// What one process alone can do.
void check_ranks(const Graph& graph, const RunOptions& options) {
  const unsigned count = options.ranks->count();
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

// What the check of channel dependencies has found.
const char* no_cycle(Routing routing) {
  switch (routing) {
    case Routing::kO1turn:
    case Routing::kMessageClasses:
      return "no cyclic channel dependency in either class of packets";
    case Routing::kValiant:
    case Routing::kUgal:
      return "no cyclic channel dependency within a class of packets, and none from the second "
             "class to the first";
    case Routing::kMinimalAdaptive:
      return "no cyclic dependency of escape channels, also by further ways between them";
    default:
      return "no cyclic channel dependency";
  }
}

}  // namespace

const RouteCheck& RouteChecks::of(const Config& config, const Graph& graph, Ranks& ranks) {
  const nlohmann::json all = to_json(config);
  const std::string key =
      nlohmann::json{all.at("topology"), all.at("link"),  all.at("router"), all.at("nic"),
                     graph.nodes,        graph.nic_links, graph.num_vc}
          .dump();
  std::shared_future<RouteCheck> check;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = known_.try_emplace(key);
    // One thread computes it, the others wait for that. `graph` lives until then, because this
    // thread waits, too.
    const auto work = [&graph, &ranks] {
      if (ranks.alone()) return check_routes(graph);
      SharedRoutes shared(ranks);
      return check_routes(graph, 0, &shared);
    };
    if (is_new) entry->second = std::async(std::launch::deferred, work).share();
    check = entry->second;
  }
  return check.get();  // A reference into the shared state, which `known_` keeps.
}

CheckedNetwork check_network(const Config& config, RouteChecks& known, Ranks& ranks) {
  CheckedNetwork network;
  const auto build = [&] {
    network.graph = build_graph(config);
    network.routes = in_words(network.graph.failures);
    if (network.routes.empty()) network.routes = network.graph.routing_note;
    check_faults(config, network.graph);
  };
  // A rank that cannot build it, maybe because a file is not there, has no part in what follows.
  together(ranks, build);
  const RouteCheck& routes = known.of(config, network.graph, ranks);
  if (!routes.cycle.empty() && config.deadlock_check) {
    const std::string cycle =
        fmt::format("; with this {} channels wait in a cycle: {}", routes.cycle.size(),
                    cycle_in_words(network.graph, routes.cycle));
    const std::uint32_t vcs =
        network.graph.has_routers() ? least_vcs(network.graph, kMaxVcs, &routes) : 0;
    if (vcs == 0 && config.topology.parameters.has("file")) {
      config.refuse_topology(
          "routes in this file without cyclic channel dependency, router.routing \"shortest\" in "
          "their place, or deadlock_check false" +
              cycle,
          "file");
    }
    if (vcs == 0) {
      config.refuse_topology(
          "a network without cyclic channel dependency, or deadlock_check false" + cycle);
    }
    config.source.refuse(
        "/router/vcs", config.router.vcs,
        fmt::format("router.vcs of at least {}, or deadlock_check false{}", vcs, cycle));
  }
  const char* const channels = config.deadlock_check
                                   ? no_cycle(network.graph.routing())
                                   : "channel dependencies not checked (deadlock_check is false)";
  network.verified = fmt::format("routes of {} pairs of nodes ({}) arrive, {}", routes.pairs,
                                 routes.sampled ? "sampled" : routes.exact_by, channels);
  return network;
}

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
  if (!options.ranks->alone()) check_ranks(graph, options);
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
  CheckedNetwork network = check_network(config, routes, *options.ranks);
  check_options(config, network.graph, options);
  auto graph = std::make_unique<const Graph>(std::move(network.graph));
  std::string warmup = find_warmup(config, *graph, options);
  // The constructor checks that the workload fits the network.
  Workload workload = make_workload(config, *graph);
  return {std::move(graph), std::move(workload), std::move(network.verified),
          std::move(network.routes), std::move(warmup)};
}

}  // namespace weft
