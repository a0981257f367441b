// A dependency trace: its operations as the driver reads them, its messages in the nodes' memories,
// and the bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/processor/memory.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"
#include "sim/workload/goal_file.hpp"
#include "sim/workload/goal_order.hpp"
#include "sw/include/weft_trace.h"

namespace weft {

/// Memory of a node from WEFT_BUFFER_BASE on: the operations (sw/include/weft_trace.h), the bodies
/// of the messages that it sends, one after the other, and the receive window, in which every
/// message of the run has its own place. Words of a message are random and not 0.
class TraceWork : public Contents {
 public:
  /// Reads the trace of `config`. `packets_overtake`: messages have one packet each. Throws
  /// ConfigError, with the line, for a trace that does not fit the network or cannot run.
  TraceWork(const Config& config, const Graph& graph, bool packets_overtake);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  Bound bound() const override;

  /// Description of the trace in words.
  std::string in_words() const;

 private:
  /// A message with the offsets of its data.
  struct Placed {
    std::uint32_t flits = 0;
    std::uint64_t send_flit = 0, recv_flit = 0;  ///< Offset in the bodies, and in the window, in
                                                 ///< flits.
  };

  const Placed& placed_of(const TraceMessage& message) const {
    return placed_[static_cast<std::size_t>(&message - messages_.data())];
  }
  void place_messages();
  void check_computing() const;
  void fill_operations(std::uint32_t rank, Memory& memory) const;
  void add_message(const TraceMessage& message, weft_trace_op& row) const;
  std::uint64_t table_bytes(std::uint32_t rank) const;
  std::uint64_t cycles_of(const TraceOp& op) const;
  std::string phase_of(const TraceOp& op) const;
  std::uint64_t word_of(const TraceMessage& message, std::uint32_t word) const;
  std::uint32_t part_flits() const;
  std::uint64_t link_bound() const;
  std::uint64_t chain_bound() const;
  std::uint64_t computing_bound() const;

  const Config& config_;
  const Graph& graph_;
  const bool packets_overtake_;
  const DependencyTrace trace_;
  const std::vector<TraceMessage> messages_;
  const TraceOrder order_;
  std::vector<Placed> placed_;
  std::vector<std::vector<std::uint32_t>> received_;  ///< By rank: numbers of messages.
  std::uint32_t bodies_ = 0;                          ///< Byte address of the first body.
};

}  // namespace weft
