// One run of a configuration on one of the engines.
#pragma once

#include <filesystem>
#include <string>

#include "sim/config/config.hpp"
#include "sim/engine/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// How to run, beside what to run.
struct RunOptions {
  std::string engine = "model";  ///< "model", "rtl", "cosim" or "rtl-top".
  unsigned threads = 1;          ///< The result does not depend on it.
  std::filesystem::path trace;   ///< Waves (FST) and a GTKWave save file beside it; empty: none.
  bool progress = false;         ///< Show progress on standard error.
  /// Why links between routers idle; networks of routers on engines model and cosim, as `events`.
  bool losses = false;
  bool states = false;  ///< Keep the arrays of aggregation units at the end (Result::states).
  std::filesystem::path events;  ///< Where packets waited (trace events); empty: none.
};

/// Losses and events need the models of routers: throws ConfigError where a run has none.
void check_observed(const Config& config, const Graph& graph, const RunOptions& options);

/// Runs `config` on `graph`, which was built from it, and checks what it left in the nodes'
/// memories. Throws ConfigError, CheckError or NoProgressError; errors found in the data are in the
/// result.
Result run(const Config& config, const Graph& graph, const RunOptions& options);

}  // namespace weft
