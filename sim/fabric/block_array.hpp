// Blocks of a fabric that are stepped together.
#pragma once

#include <cstdint>

#include "sim/base/archive.hpp"
#include "sim/fabric/block_range.hpp"
#include "sim/fabric/counters.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The memories of nodes, for interfaces that are stepped together.
class NodeMemory {
 public:
  virtual ~NodeMemory() = default;
  /// Reads a flit from the address `addr` of the memory of `node`.
  virtual void read(std::uint32_t node, std::uint32_t addr, std::uint64_t* words) = 0;
  /// Writes a flit that came on `link` of the interface.
  virtual void write(std::uint32_t node, unsigned link, std::uint32_t addr,
                     const FlitData& data) = 0;
};

/// All switching blocks and network interfaces of a fabric, in place of blocks that are stepped one
/// by one. Each of its ranges belongs to one thread. In a cycle come `read_memory`, the nodes'
/// steps, in which they give their interfaces' inputs, `write_memory`, `step` and `publish`.
class BlockArray {
 public:
  virtual ~BlockArray() = default;
  /// What the interfaces of a range read and write in this cycle.
  virtual void read_memory(const BlockRange& range, NodeMemory& memory) = 0;
  virtual void write_memory(const BlockRange& range, NodeMemory& memory) = 0;
  /// Steps the blocks of a range with the values on the links of `cycle`. Returns how many were not
  /// at rest, or more.
  virtual std::uint64_t step(const BlockRange& range, const Wires& wires, std::uint64_t cycle) = 0;
  /// Puts their outputs on the links, and counts the flits there.
  virtual void publish(const BlockRange& range, Wires& wires, Wires::Writer& writer,
                       Counters& counters) = 0;
  /// From `cycle` on all switching blocks are as after reset, with the tables of `graph`, and
  /// everything on the links is lost.
  virtual void restart(const Graph& graph, std::uint64_t cycle) = 0;
  /// Continues a switching block from the state of its model in `archive`.
  virtual void load(LoadArchive& archive, std::uint32_t block) = 0;
  /// After the states of all blocks were loaded: the flits on the links. `origin`: cycle in which
  /// the switching blocks were in reset.
  virtual void resume(const Wires& wires, std::uint64_t origin) = 0;
  /// Brings all outputs of interfaces up to date: in a cycle only those are that endpoints look at.
  virtual void show_all() = 0;
  /// By node, not 0: the status of its interface has changed, and it must look at it in this cycle.
  /// Does not move.
  virtual const std::uint8_t* calls() const = 0;
};

}  // namespace weft
