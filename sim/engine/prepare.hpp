// All checks of a run before cycle 0, the same for every caller that runs a configuration.
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

/// Cache of route checks: many runs have the same network, and checking all pairs of a large one
/// takes half a minute. Several threads may use it at once.
class RouteChecks {
 public:
  /// The check of `graph`, which was built from `config`. Throws CheckError for a route that does
  /// not reach its destination. `ranks`: as of check_network.
  const RouteCheck& of(const Config& config, const Graph& graph, Ranks& ranks = single_process());

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
  std::string routes;  ///< What has failed, or why packets go by other ways; empty: neither.
};

/// The checked network of a configuration. Throws ConfigError with the cycle of channel
/// dependencies, CheckError for a route that does not reach its destination. `ranks`: the processes
/// that call it together, with the same arguments, and share the routes.
CheckedNetwork check_network(const Config& config, RouteChecks& routes,
                             Ranks& ranks = single_process());

/// Throws ConfigError if there is nothing to run.
void check_has_work(const Config& config);

/// Throws ConfigError if engine, network and options are incompatible.
void check_options(const Config& config, const Graph& graph, const RunOptions& options);

/// A run that is ready to be simulated.
struct PreparedRun {
  std::unique_ptr<const Graph> graph;  ///< On the heap, because the workload refers to it.
  Workload workload;
  std::string verified;  ///< That of CheckedNetwork,
  std::string routes;    ///< and this.
  std::string warmup;    ///< How the warm-up was found; empty: it was given.
};

/// Performs all of these checks, finds the warm-up of traffic if it is to be found, which is then
/// that of `config`, and makes the workload; a step of all ranks of `options`. `config` must
/// outlive the run.
PreparedRun prepare_run(Config& config, const RunOptions& options, RouteChecks& routes);

/// Simulates a prepared run, with the `config` that it was prepared from; the first note of the
/// result is `verified`. Where it throws, `failed` is what it leaves.
Result run(const Config& config, const PreparedRun& prepared, const RunOptions& options,
           FailedRun* failed = nullptr);

}  // namespace weft
