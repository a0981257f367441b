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
#include "sim/workload/barrier_work.hpp"
#include "sim/workload/trace_work.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

class Rv32Program;

/// The entry for workload.collective "program": a user program that is not checked.
const weft_collective& own_program();
/// The collective with a name, which must exist.
const weft_collective& find_collective(const std::string& name);
/// Number of send controllers, 1 or more, that a collective asks for on the network of a
/// configuration whose keys are checked. Throws ConfigError for a network that cannot be built.
unsigned send_controllers(const weft_collective& collective, const Config& config);
/// The configuration with another algorithm; also with its send controllers, if they are "auto".
Config with_algorithm(const Config& config, const weft_collective& algorithm);

/// A collective that drivers run on the processors of all nodes.
class Collective {
 public:
  /// Throws ConfigError if the collective refuses the network or the lengths.
  Collective(const Config& config, const Graph& graph);

  const weft_collective& entry() const { return *collective_; }
  const Contents& contents() const { return *contents_; }
  /// The contents of a collective on arrays, or nullptr.
  const ArrayWork* arrays() const { return arrays_; }
  /// The check of a barrier, or nullptr.
  const BarrierWork* barrier() const { return barrier_; }
  /// The dependency trace that the collective replays, or nullptr.
  const TraceWork* trace() const { return trace_; }
  /// Whether the workload is a user program, of which nothing is known.
  bool own() const { return own_; }
  /// Algorithm that a picker has chosen; empty if the configuration names the algorithm, or a
  /// program.
  std::string picked() const;
  /// Description in words: the algorithm that a picker has chosen and its settings; or the program,
  /// and whose hardware it has.
  std::string chosen() const;
  /// The job of one rank.
  Job job(std::uint32_t rank) const;
  /// Whether jobs are in the nodes' memories before cycle 0.
  bool loaded() const { return config_.start == JobStart::kLoaded; }
  /// File of the RV32 program: the user's, or the collective's own.
  std::string program() const;
  /// The RV32 program, read from its file. Throws ConfigError if it is not for this network's width
  /// of flits.
  std::shared_ptr<const Rv32Program> rv32_program() const;
  /// A node's memory before cycle 0.
  Memory memory(std::uint32_t rank) const;
  /// Sets a node's port to its state at the driver's start: with reduction if the collective needs
  /// it, and with an open receive window. If the job is sent over the network, the window stays
  /// closed and the start-up opens it.
  void prepare(NicPort& port) const;

 private:
  const Config& config_;
  const Graph& graph_;
  /// Packets of one message may overtake each other: drivers then send messages of one packet.
  const bool packets_overtake_;
  const weft_collective* collective_;
  std::unique_ptr<const Contents> contents_;
  const ArrayWork* arrays_ = nullptr;
  const AllToAll* all_to_all_ = nullptr;
  const BarrierWork* barrier_ = nullptr;
  const TraceWork* trace_ = nullptr;
  const bool own_ = collective_->kind == WEFT_PROGRAM;
};

}  // namespace weft
