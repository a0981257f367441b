// A cycle engine: what simulates a network cycle by cycle.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sim/config/config.hpp"
#include "sim/engine/outcome.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// How to run, beside what to run.
struct RunOptions {
  std::string engine = "model";  ///< Name of one of `engines()`.
  unsigned threads = 1;          ///< The result does not depend on it.
  std::filesystem::path trace;   ///< Waves (FST) and a GTKWave save file beside it; empty: none.
  bool progress = false;         ///< Show progress on standard error.
  /// Why links between routers idle; networks of routers on engines with models, as `events`.
  bool losses = false;
  bool states = false;  ///< Keep the arrays of aggregation units at the end (Result::states).
  std::filesystem::path events;  ///< Where packets waited (trace events); empty: none.
};

class Probes;

/// What a run is made of, beside its engine.
struct RunParts {
  const Config& config;
  const Graph& graph;
  Endpoints& endpoints;
  Probes& probes;
  const TrafficPlan* traffic = nullptr;  ///< Of synthetic traffic, which ends by its plan.
  unsigned threads = 1;
  bool record_arrivals = false;  ///< Keep when every message arrived.
  bool startup_barrier = false;  ///< The first barrier is the start-up's, and is not counted.
  /// Called now and then with the cycle and the number of nodes that are done.
  std::function<void(std::uint64_t cycle, std::uint32_t done)> progress;
};

/// One way to simulate. All give the same cycles and the same digest.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Throws ConfigError for what this engine cannot run, with what it expects.
  virtual void check(const Config&, const Graph&, const RunOptions&) const {}
  /// Runs until all endpoints are done, `max_cycles` is reached, or nothing moves any more. Throws
  /// CheckError or NoProgressError.
  virtual Outcome run(const RunParts& parts) const = 0;
  /// A line for the result on what was compared in so many cycles; may be empty.
  virtual std::string compared(const Config&, const Graph&, std::uint64_t) const { return {}; }
};

/// An engine as `--engine` and `weft list engines` name it.
struct EngineEntry {
  const char* name;
  const char* description;
  bool models;  ///< It has models of all blocks, which losses and events look at.
  std::unique_ptr<const Engine> (*make)();
};
std::span<const EngineEntry> engines();
/// Throws ConfigError for a name that none has.
const EngineEntry& find_engine(const std::string& name);

std::unique_ptr<const Engine> make_model_engine();
std::unique_ptr<const Engine> make_rtl_engine();
std::unique_ptr<const Engine> make_cosim_engine();
std::unique_ptr<const Engine> make_rtl_top_engine();

}  // namespace weft
