// The network of a configuration, built and checked before cycle 0.
#include "sim/engine/check_network.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "sim/analysis/analysis.hpp"
#include "sim/config/config_keys.hpp"
#include "sim/engine/faults.hpp"
#include "sim/share/shared_routes.hpp"
#include "sim/share/together.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

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

const RouteCheck& RouteChecks::of(const Config& config, const Graph& graph, Processes& processes) {
  const nlohmann::json all = to_json(config);
  const std::string key =
      nlohmann::json{all.at("topology"), all.at("link"),  all.at("router"), all.at("nic"),
                     graph.nodes,        graph.nic_links, graph.num_vc}
          .dump();
  std::shared_future<RouteCheck> check;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = known_.try_emplace(key);
    // One thread computes the check, the others wait for it. `graph` lives until then, because this
    // thread waits, too.
    const auto work = [&graph, &processes] {
      if (processes.alone()) return check_routes(graph);
      SharedRoutes shared(processes);
      return check_routes(graph, 0, &shared);
    };
    if (is_new) entry->second = std::async(std::launch::deferred, work).share();
    check = entry->second;
  }
  return check.get();  // A reference into the shared state, which `known_` keeps.
}

CheckedNetwork check_network(const Config& config, RouteChecks& known, Processes& processes) {
  CheckedNetwork network;
  const auto build = [&] {
    network.graph = build_graph(config);
    network.routes = in_words(network.graph.failures);
    if (network.routes.empty()) network.routes = network.graph.routing_note;
    check_faults(config, network.graph);
  };
  // If one process cannot build the network, maybe because a file is missing, all throw here.
  together(processes, build);
  const RouteCheck& routes = known.of(config, network.graph, processes);
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

}  // namespace weft
