// How to run a configuration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/processes/processes.hpp"

namespace weft {

/// The processor that gdb may debug, and the port to wait on for gdb.
struct GdbOptions {
  std::uint32_t node = 0;
  std::uint16_t port = 0;  ///< TCP port; 0: any free one.
};

/// How to run a configuration.
struct RunOptions {
  std::string engine = "model";              ///< Name of one of `engines()`.
  unsigned threads = 1;                      ///< Number of threads; the result does not depend on
                                             ///< it.
  Processes* processes = &single_process();  ///< The processes that share the network.
  std::filesystem::path trace;  ///< Waves (FST) and a GTKWave save file beside it; empty: none.
  bool progress = false;        ///< Show progress on standard error.
  /// Report why links between routers idle. For fabrics of routers on engines with models.
  bool losses = false;
  bool gates = false;  ///< Engine cosim: each block a third time, as gates (sim/gates).
  /// With `gates` and in engine gates: the liberty file to whose cells the gates are mapped; empty:
  /// generic gates.
  std::filesystem::path liberty;
  bool states = false;  ///< Keep the arrays of aggregation units at the end (Result::states).
  std::optional<GdbOptions> gdb;     ///< Wait for gdb, which then controls the run (RV32 only).
  std::filesystem::path events;      ///< File of trace events that tell where packets waited;
                                     ///< empty: none. For fabrics of routers on engines with
                                     ///< models.
  std::filesystem::path checkpoint;  ///< Where the run saves its state; empty: nowhere.
  /// Save before each multiple of this many cycles, not only where the run stops; 0: only there.
  std::uint64_t every = 0;
  std::filesystem::path resume;               ///< Checkpoint to resume; empty: start at cycle 0.
  std::vector<std::filesystem::path> inputs;  ///< Files that the run reads, the same in every
                                              ///< process.
};

}  // namespace weft
