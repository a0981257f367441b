// A configuration on several engines.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft::e2e {

inline Result run_on(const Config& config, const std::string& engine, unsigned threads = 1) {
  RunOptions options;
  options.engine = engine;
  options.threads = threads;
  return run(config, build_graph(config), options);
}

// All engines agree with the model on one thread; returns its result.
inline Result agree_on(const Config& config, std::initializer_list<const char*> engines) {
  const Result model = run_on(config, "model");
  CAPTURE(to_json(config.topology).dump());
  CHECK(model.verified());
  // The combining tree has links of its own, which the digest covers.
  CHECK((model.flit_hops > 0 || config.derived.combine_units));
  CHECK(run_on(config, "model", 2).digest == model.digest);
  for (const char* engine : engines) {
    CAPTURE(engine);
    const Result other = run_on(config, engine);
    CHECK(other.verified());
    CHECK(other.cycles == model.cycles);
    CHECK(other.digest == model.digest);
    CHECK(other.flit_hops == model.flit_hops);
  }
  return model;
}

}  // namespace weft::e2e
