// A program of the user's: its areas and arguments.
#pragma once

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// Nothing is known of what it leaves in the memories, nor of how long that takes at least: its own
/// exit code is the check.
class ProgramWork : public Contents {
 public:
  /// Throws ConfigError if an area is no multiple of a flit or they exceed a node's memory.
  ProgramWork(const Config& config, const Graph& graph);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t, const Memory&, const OnWrongWord&) const override {}
  Bound bound() const override { return {}; }

 private:
  const OwnProgram& own_;
};

}  // namespace weft
