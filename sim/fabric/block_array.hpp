// Blocks of a fabric that are stepped together.
#pragma once

#include <cstdint>

#include "sim/fabric/block_range.hpp"
#include "sim/fabric/counters.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// All switching blocks and network interfaces of a fabric, in place of blocks that are stepped one
/// by one. Each of its ranges belongs to one thread. In a cycle the nodes give their interfaces'
/// inputs first, then come `step` and `publish`.
class BlockArray {
 public:
  /// Flags of `calls()`.
  static constexpr std::uint8_t kMemory = 1;  ///< The interface reads or writes memory.
  static constexpr std::uint8_t kStatus = 2;  ///< Its status has changed.

  virtual ~BlockArray() = default;
  /// Steps the blocks of a range with the values on the links of `cycle`. Returns how many were not
  /// at rest, or more.
  virtual std::uint64_t step(const BlockRange& range, const Wires& wires, std::uint64_t cycle) = 0;
  /// Puts their outputs on the links, and counts the flits there.
  virtual void publish(const BlockRange& range, Wires& wires, Wires::Writer& writer,
                       Counters& counters) = 0;
  /// From `cycle` on all switching blocks are as after reset, with the tables of `graph`, and
  /// everything on the links is lost.
  virtual void restart(const Graph& graph, std::uint64_t cycle) = 0;
  /// By node: why it must look at its interface in this cycle; does not move.
  virtual const std::uint8_t* calls() const = 0;
};

}  // namespace weft
