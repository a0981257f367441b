// A collective: jobs and programs of its drivers, and the memory contents that they must produce.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/config/config.hpp"
#include "sim/processor/nic_port.hpp"
#include "sim/processor/processor.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/all_to_all.hpp"
#include "sim/workload/array_work.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// A collective that drivers run on the processors of all nodes.
class Collective {
 public:
  /// Throws ConfigError if the collective refuses the network or the lengths.
  Collective(const Config& config, const Graph& graph);

  const weft_collective& entry() const { return *collective_; }
  const Contents& contents() const { return *contents_; }
  /// The contents of a collective on arrays, or nullptr.
  const ArrayWork* arrays() const { return arrays_; }
  /// The job of one rank.
  Job job(std::uint32_t rank) const;
  /// Whether the nodes find their jobs in their memories.
  bool loaded() const { return config_.start == "loaded"; }
  /// File of the RV32 program: the user's, or the collective's own.
  std::string program() const;
  /// A node's memory before cycle 0.
  Memory memory(std::uint32_t rank) const;
  /// Sets a node's port to the state at the driver's start: with reduction if the collective needs
  /// it, and with the receive window open. If the job is sent over the network the window stays
  /// closed, and the start-up opens it.
  void prepare(NicPort& port) const;

 private:
  const Config& config_;
  const Graph& graph_;
  /// Packets of one message may overtake each other: drivers send messages of one packet.
  const bool packets_overtake_;
  const weft_collective* collective_;
  std::unique_ptr<const Contents> contents_;
  const ArrayWork* arrays_ = nullptr;
  const AllToAll* all_to_all_ = nullptr;
};

}  // namespace weft
