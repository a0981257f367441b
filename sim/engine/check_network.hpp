// The network of a configuration, built and checked before cycle 0.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>

#include "sim/analysis/route_check.hpp"
#include "sim/config/config.hpp"
#include "sim/processes/processes.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Cache of route checks: many runs have the same network, and checking all pairs of a large one
/// takes half a minute. Several threads may use it at once.
class RouteChecks {
 public:
  /// Result of the check of `graph`, which was built from `config`. Throws CheckError for a route
  /// that does not reach its destination. `processes`: as of check_network.
  const RouteCheck& of(const Config& config, const Graph& graph,
                       Processes& processes = single_process());

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<RouteCheck>> known_;
};

/// A network that can be simulated: every node reaches every other, and there is no cycle of
/// channel dependencies, unless `deadlock_check` is false. `verified` says in words what was
/// checked.
struct CheckedNetwork {
  Graph graph;
  std::string verified;
  std::string routes;  ///< What has failed, or why packets take other routes; empty: neither.
};

/// Builds and checks the network of a configuration. Throws ConfigError with the cycle of channel
/// dependencies, CheckError for a route that does not reach its destination. `processes`: the
/// processes that call it together, with the same arguments, and share the routes.
CheckedNetwork check_network(const Config& config, RouteChecks& routes,
                             Processes& processes = single_process());

}  // namespace weft
