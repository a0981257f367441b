// How to run a configuration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/processes/processes.hpp"

namespace weft {

/// The processor that gdb may debug, and the port on which it is waited for.
struct GdbOptions {
  std::uint32_t node = 0;
  std::uint16_t port = 0;  ///< 0: any that is free.
};

/// Options of a run: how to run a configuration.
struct RunOptions {
  std::string engine = "model";              ///< Name of one of `engines()`.
  unsigned threads = 1;                      ///< The result does not depend on their number.
  Processes* processes = &single_process();  ///< The processes that share the network.
  std::filesystem::path trace;  ///< Waves (FST) and a GTKWave save file beside it; empty: none.
  bool progress = false;        ///< Show progress on standard error.
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

}  // namespace weft
