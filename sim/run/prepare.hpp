// All checks of a run before cycle 0, the same for every caller that runs a configuration.
#pragma once

#include <memory>
#include <string>

#include "sim/engine/check_network.hpp"
#include "sim/run/run.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Throws ConfigError if there is nothing to run.
void check_has_work(const Config& config);

/// Throws ConfigError if engine, network and options are incompatible.
void check_options(const Config& config, const Graph& graph, const RunOptions& options);

/// A run that is ready to be simulated.
struct PreparedRun {
  std::unique_ptr<const Graph> graph;  ///< On the heap, because the workload refers to it.
  Workload workload;
  std::string verified;  ///< CheckedNetwork::verified.
  std::string routes;    ///< CheckedNetwork::routes.
  std::string warmup;    ///< How the warm-up was found; empty: it was given.
};

/// Performs all checks before cycle 0, sets the warm-up in `config` if it is to be found, and makes
/// the workload. All processes of `options` call it together. `config` must outlive the run.
PreparedRun prepare_run(Config& config, const RunOptions& options, RouteChecks& routes);

/// Simulates a prepared run, with the `config` that it was prepared from; the first note of the
/// result is `verified`. If it throws, `failed` is filled in.
Result run(const Config& config, const PreparedRun& prepared, const RunOptions& options,
           FailedRun* failed = nullptr);

}  // namespace weft
