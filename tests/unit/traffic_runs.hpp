// A run of a configuration on the engine `model`, as several tests of traffic make it.
#pragma once

#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

inline Result run_of(const Config& config, unsigned threads = 1) {
  RunOptions options;
  options.threads = threads;
  return run(config, build_graph(config), options);
}

}  // namespace weft
