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
#include "sim/base/node_set.hpp"
#include "sim/config/config.hpp"
#include "sim/engine/outcome.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

class Checkpoint;
class Endpoints;
class Probes;
class NetworkShare;
class TrafficPlan;
class WordWatch;

/// Whether this process has a block: own blocks.
using OwnsBlock = std::function<bool(std::uint32_t block)>;
inline bool owns_all(std::uint32_t) {
  return true;
}

/// Inputs of an engine.
struct EngineInputs {
  const Config& config;
  const Graph& graph;
  Endpoints& endpoints;
  Probes& probes;
  const NetworkShare& share;             ///< Share of the network of this process.
  const TrafficPlan* traffic = nullptr;  ///< Decides when the run ends; for synthetic traffic.
  unsigned threads = 1;
  bool record_arrivals = false;  ///< Record the arrival of every packet.
  bool startup_barrier = false;  ///< The first barrier is that of the start-up and is not counted.
  std::string stepped;           ///< Why every flit is stepped; empty: packets move as spans.
  /// Called every 256 cycles with the cycle and the number of nodes that are done.
  std::function<void(std::uint64_t cycle, std::uint32_t done)> progress;
  /// Called with what a user on a terminal should know at once; may be empty.
  std::function<void(const std::string& note)> say = {};
  /// Cycles without any flit or exit after which the run fails.
  std::uint64_t watchdog = config.watchdog;
  /// Notified of writes to the memory of its node; null: nothing is watched.
  WordWatch* watch = nullptr;
  Checkpoint* checkpoint = nullptr;    ///< Null: the run is neither resumed nor saved.
  bool gates = false;                  ///< As of RunOptions.
  std::filesystem::path liberty = {};  ///< As of RunOptions.
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
  /// Throws CheckError, NoProgressError or NotBySpans.
  virtual Outcome run(const EngineInputs& parts) const = 0;
  /// Note for the result on what was compared, with `gates` or without, in that number of cycles;
  /// may be empty.
  virtual std::string compared(const Config&, const Graph&, [[maybe_unused]] bool gates,
                               std::uint64_t) const {
    return {};
  }
};

/// An engine as `--engine` and `weft list engines` name it.
struct EngineEntry {
  const char* name;
  const char* description;
  bool models;  ///< Has models of all blocks, which losses and events need.
  bool rtl;     ///< Has Verilated blocks.
  bool spans;   ///< Moves packets as spans, where the settings allow it.
  bool whole;   ///< Has one module in place of all blocks.
  std::unique_ptr<const Engine> (*make)();
};
std::span<const EngineEntry> engines();
/// Throws ConfigError for an unknown name.
const EngineEntry& find_engine(const std::string& name);

std::unique_ptr<const Engine> make_model_engine();
std::unique_ptr<const Engine> make_flit_engine();
std::unique_ptr<const Engine> make_rtl_engine();
std::unique_ptr<const Engine> make_gates_engine();
std::unique_ptr<const Engine> make_cosim_engine();
std::unique_ptr<const Engine> make_rtl_top_engine();

}  // namespace weft
