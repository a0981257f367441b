// What the nodes of a run are to do, and the check that they did it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/processor/memory.hpp"
#include "sim/processor/nic_port.hpp"
#include "sim/processor/processor.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/array_work.hpp"
#include "sw/include/weft_hal.h"

namespace weft {

/// What the nodes are to do: where the data lie before and after, and what is checked at the end.
class Work {
 public:
  /// Throws ConfigError where the work does not fit (unknown collective, receive window too small,
  /// more memory than the machine has).
  Work(const Config& config, const Graph& graph);

  /// Bytes of memory that every node needs.
  std::uint32_t memory_bytes() const { return memory_bytes_; }
  /// The job of one rank.
  Job job(std::uint32_t rank) const;
  /// Whether the nodes find their jobs in their memories.
  bool loaded() const { return config_.start == "loaded"; }
  /// Header of packets.
  HeaderForm header() const { return graph_.header; }
  /// Whether the interfaces reduce into memory.
  bool reduces() const { return config_.nic.reduce; }
  /// The collective, or nullptr for transfers.
  const weft_collective* collective() const { return collective_; }
  /// The work of a collective on arrays, or nullptr.
  const ArrayWork* arrays() const { return array_.get(); }
  /// File of the collective's own RV32 program.
  std::string program() const;
  /// Fills one node's send area.
  void fill(std::uint32_t rank, Memory& memory) const;
  /// Words of one node's memory that differ from what the work must leave there.
  std::uint64_t errors(std::uint32_t rank, const Memory& memory) const;
  /// Packets of one message may overtake each other: receive counters show packets, and drivers
  /// send messages of one packet.
  bool packets_overtake() const { return packets_overtake_; }
  /// What one node's receive counter of tag 0 shows when all transfers to it have come.
  std::uint32_t expected_count(std::uint32_t rank) const { return expected_[rank]; }
  /// Least number of cycles that any schedule needs on this network: the flits, headers included,
  /// that the busiest link must carry.
  std::uint64_t bound_cycles() const;
  /// Words checked, for the report.
  std::uint64_t words() const { return words_; }

  /// A transfer with the places of its data.
  struct Placed {
    Transfer transfer;
    std::uint32_t send_flit, recv_flit;  ///< Offsets in send and receive area, flits.
  };
  const std::vector<Placed>& transfers() const { return transfers_; }
  std::uint32_t send_base() const { return send_base_; }
  std::uint32_t recv_base() const { return recv_base_; }
  std::uint32_t recv_bytes() const { return recv_bytes_; }

 private:
  std::uint64_t pattern(std::uint32_t src, std::uint32_t dst, std::uint32_t word) const;
  void place_arrays();

  const Config& config_;
  const Graph& graph_;
  const bool packets_overtake_;
  const weft_collective* collective_ = nullptr;
  std::unique_ptr<const ArrayWork> array_;  // Of a collective on arrays.
  std::vector<Placed> transfers_;
  std::vector<std::uint32_t> expected_;
  std::uint32_t send_base_ = 0, recv_base_ = 0, recv_bytes_ = 0, memory_bytes_ = 0;
  std::uint64_t words_ = 0;
};

/// Makes a node's port what the driver finds at its start: with reduction where the collective
/// needs it, and with the receive window open over the receive area. The window stays closed where
/// the job comes over the network: then start-up opens it.
void prepare_port(NicPort& port, const Work& work);

/// Posts the transfers of one node straight to its network interface; takes a processor's place.
class TransferHost {
 public:
  TransferHost(const Work& work, const Graph& graph, std::uint32_t rank);

  void step(const NicStatus& status, std::uint64_t cycle);
  bool posted() const { return posted_; }
  const Descriptor& descriptor() const { return orders_[next_ - 1].descriptor; }
  /// All orders sent and all that is expected received.
  bool done() const { return done_; }
  /// Has nothing to post for now, and only the interface's news can change that.
  bool waiting() const { return done_ || next_ == orders_.size(); }
  /// Receive window, flits.
  std::uint32_t window_base() const { return window_base_; }
  std::uint32_t window_flits() const { return window_flits_; }
  Memory& memory() { return memory_; }

 private:
  struct Order {
    std::uint64_t start;
    Descriptor descriptor;
  };
  std::vector<Order> orders_;
  std::size_t next_ = 0;
  std::uint32_t expected_, window_base_, window_flits_;
  bool posted_ = false, done_ = false;
  Memory memory_;
};

}  // namespace weft
