// All-to-all: every node has a block of data for every node, itself included.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sim/workload/contents.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// Blocks are in the send area, by rank, before the run and in the receive window after it. A
/// collective may need buffers of several times that size during the run.
class AllToAll : public Contents {
 public:
  /// Throws ConfigError where the blocks are too long for the receive window.
  AllToAll(const Config& config, const Graph& graph, const weft_collective& collective);

  void fill(std::uint32_t rank, Memory& memory) const override;
  std::uint64_t errors(std::uint32_t rank, const Memory& memory) const override;
  std::uint64_t bound_cycles() const override;

 private:
  const Config& config_;
  const Graph& graph_;
};

}  // namespace weft
