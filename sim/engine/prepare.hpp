// All that is refused before cycle 0: whoever runs a configuration gets the same from here.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sim/analysis/route_check.hpp"
#include "sim/engine/run.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// The routes of networks, each followed once: many runs have the same network, and the pairs of a
/// large one take half a minute. May be asked by several threads.
class RouteChecks {
 public:
  /// Of `graph`, which was built from `config`. Throws CheckError for a route that does not arrive.
  const RouteCheck& of(const Config& config, const Graph& graph);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<RouteCheck>> known_;
};

/// A network fit to be simulated: every pair is reached and no channel dependency is cyclic, unless
/// `deadlock_check` is false. `verified` says in words what was looked at.
struct CheckedNetwork {
  Graph graph;
  std::string verified;
};

/// The network of a configuration. Throws ConfigError naming the cycle, CheckError for a route that
/// does not arrive.
CheckedNetwork check_network(const Config& config, RouteChecks& routes);

/// Throws ConfigError where there is nothing to run.
void check_has_work(const Config& config);

/// Throws ConfigError where engine, network and options do not go together.
void check_options(const Config& config, const Graph& graph, const RunOptions& options);

/// A run that nothing is left of but to simulate it.
struct PreparedRun {
  std::unique_ptr<const Graph> graph;  ///< Has one address: the workload refers to it.
  Workload workload;
  std::string verified;  ///< As that of CheckedNetwork.
};

/// All of these, and whether the work fits the network. `config` must live as long as the run.
PreparedRun prepare_run(const Config& config, const RunOptions& options, RouteChecks& routes);

/// Simulates it, with what it was prepared from, as `run` does; the first note says what was
/// verified.
Result run(const Config& config, const PreparedRun& prepared, const RunOptions& options);

}  // namespace weft
