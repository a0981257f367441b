// Switching blocks of a fabric that are stepped together.
#pragma once

#include <cstdint>

#include "sim/fabric/block_range.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// All switching blocks of a fabric, in place of blocks that are stepped one by one. Each of its
/// ranges belongs to one thread.
class SwitchArray {
 public:
  virtual ~SwitchArray() = default;
  /// Steps the blocks of a range with the values on the links of `cycle`. Returns how many were not
  /// at rest, or more.
  virtual std::uint64_t step(const BlockRange& range, const Wires& wires, std::uint64_t cycle) = 0;
  /// Puts their outputs on the links.
  virtual void publish(const BlockRange& range, Wires& wires, Wires::Writer& writer) = 0;
  /// From `cycle` on all are as after reset, with the tables of `graph`.
  virtual void restart(const Graph& graph, std::uint64_t cycle) = 0;
};

}  // namespace weft
