// A user program: its areas and arguments.
#pragma once

#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"
#include "sim/workload/expected_words.hpp"

namespace weft {

/// A user program. What it leaves in the memories is known only if the user says so
/// (workload.expect); there is no lower bound of its cycles.
class ProgramWork : public Contents {
 public:
  /// Throws ConfigError if an area is not a multiple of a flit or the areas exceed a node's memory;
  /// with file and line for a malformed file of expected words.
  ProgramWork(const Config& config, const Graph& graph);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  Bound bound() const override { return {}; }

 private:
  const OwnProgram& own_;
  std::vector<ExpectedWord> expected_;  // Sorted by node and address.
};

}  // namespace weft
