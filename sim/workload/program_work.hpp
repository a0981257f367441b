// A program of the user's: its areas and arguments.
#pragma once

#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"
#include "sim/workload/expected_words.hpp"

namespace weft {

/// What it leaves in the memories is known where its user says it (workload.expect), how long that
/// takes at least is not.
class ProgramWork : public Contents {
 public:
  /// Throws ConfigError if an area is no multiple of a flit or they exceed a node's memory, or,
  /// with file and line, for a file of expected words that is malformed.
  ProgramWork(const Config& config, const Graph& graph);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  Bound bound() const override { return {}; }

 private:
  const OwnProgram& own_;
  std::vector<ExpectedWord> expected_;  // By node and address.
};

}  // namespace weft
