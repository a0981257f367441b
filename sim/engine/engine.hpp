// A cycle engine: simulates a fabric and its endpoints cycle by cycle.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/engine/outcome.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

class Ranks;

/// The processor that gdb may debug, and the port on which it is waited for.
struct GdbOptions {
  std::uint32_t node = 0;
  std::uint16_t port = 0;  ///< 0: any that is free.
};

/// Options of a run: how to run a configuration.
struct RunOptions {
  std::string engine = "model";  ///< Name of one of `engines()`.
  unsigned threads = 1;          ///< The result does not depend on their number.
  Ranks* ranks = nullptr;        ///< The processes that share the network; null: this one has it.
  std::filesystem::path trace;   ///< Waves (FST) and a GTKWave save file beside it; empty: none.
  bool progress = false;         ///< Show progress on standard error.
  /// Report why links between routers idle. Like `events`, for fabrics of routers on engines with
  /// models.
  bool losses = false;
  bool states = false;  ///< Keep the arrays of aggregation units at the end (Result::states).
  std::optional<GdbOptions> gdb;     ///< The run waits for gdb, which then holds it (RV32 alone).
  std::filesystem::path events;      ///< File of trace events: where packets waited; empty: none.
  std::filesystem::path checkpoint;  ///< Where the run saves its state; empty: nowhere.
  /// It does so where it is stopped, and before each multiple of so many cycles; 0: not before.
  std::uint64_t every = 0;
  std::filesystem::path resume;  ///< Checkpoint that the run begins with; empty: cycle 0.
  std::vector<std::filesystem::path> inputs;  ///< Files that it reads, the same in every process.
};

class Checkpoint;
class Probes;
class RankPart;
class WordWatch;

/// Whether this process has a block.
using OwnsBlock = std::function<bool(std::uint32_t block)>;
inline bool owns_all(std::uint32_t) {
  return true;
}

/// Inputs of an engine.
struct RunParts {
  const Config& config;
  const Graph& graph;
  Endpoints& endpoints;
  Probes& probes;
  const TrafficPlan* traffic = nullptr;  ///< For synthetic traffic: says when the run ends.
  unsigned threads = 1;
  bool record_arrivals = false;  ///< Record the arrival of every packet.
  bool startup_barrier = false;  ///< The first barrier is the start-up's, and is not counted.
  std::string stepped;           ///< Why every flit is stepped; empty: packets move as runs.
  /// Called every 256 cycles with the cycle and the number of nodes that are done.
  std::function<void(std::uint64_t cycle, std::uint32_t done)> progress;
  /// Called with what a user on a terminal should know at once; may be empty.
  std::function<void(const std::string& note)> say = {};
  /// Cycles without any flit or exit after which the run fails.
  std::uint64_t watchdog = config.watchdog;
  /// Told what is written to the memory of its node; null: nothing is watched.
  WordWatch* watch = nullptr;
  Checkpoint* checkpoint = nullptr;  ///< Null: the run is neither resumed nor saved.
  /// The part that this process has; null: the whole network.
  const RankPart* part = nullptr;

  NodeSet own_nodes() const;  ///< Those of this process.
  OwnsBlock owns_block() const;
};

/// A way to simulate a run. All engines produce the same cycles and the same digest.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Throws ConfigError, with what is expected, for a run that this engine does not support.
  virtual void check(const Config&, const Graph&, const RunOptions&) const {}
  /// Runs until all endpoints are done, `max_cycles` is reached, Ctrl-C was pressed
  /// (InterruptScope), or the watchdog finds no progress.
  /// Throws CheckError, NoProgressError or NotByRuns.
  virtual Outcome run(const RunParts& parts) const = 0;
  /// A note for the result on what was compared in that number of cycles; may be empty.
  virtual std::string compared(const Config&, const Graph&, std::uint64_t) const { return {}; }
};

/// An engine as `--engine` and `weft list engines` name it.
struct EngineEntry {
  const char* name;
  const char* description;
  bool models;  ///< It has models of all blocks, which losses and events need.
  bool rtl;     ///< It has Verilated blocks.
  std::unique_ptr<const Engine> (*make)();
};
std::span<const EngineEntry> engines();
/// Throws ConfigError for an unknown name.
const EngineEntry& find_engine(const std::string& name);

std::unique_ptr<const Engine> make_model_engine();
std::unique_ptr<const Engine> make_flit_engine();
std::unique_ptr<const Engine> make_rtl_engine();
std::unique_ptr<const Engine> make_cosim_engine();
std::unique_ptr<const Engine> make_rtl_top_engine();

}  // namespace weft
