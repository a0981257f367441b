// A collective: what its drivers are told, run and must leave in the memories.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/config/config.hpp"
#include "sim/processor/nic_port.hpp"
#include "sim/processor/processor.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/array_work.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// A collective that drivers run on the processors of all nodes.
class Collective {
 public:
  /// Throws ConfigError where collective, network and lengths do not go together.
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
  /// Makes a node's port what the driver finds at its start: with reduction where the collective
  /// needs it, and with the receive window open. The window stays closed where the job comes over
  /// the network: then start-up opens it.
  void prepare(NicPort& port) const;

 private:
  const Config& config_;
  const Graph& graph_;
  /// Packets of one message may overtake each other: drivers send messages of one packet.
  const bool packets_overtake_;
  const weft_collective* collective_;
  std::unique_ptr<const Contents> contents_;
  const ArrayWork* arrays_ = nullptr;
};

}  // namespace weft
