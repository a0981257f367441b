// Single messages, posted directly to the network interfaces without a driver.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/workload/contents.hpp"
#include "sim/workload/endpoint.hpp"

namespace weft {

/// Messages of `workload.transfers`. They are stored one after the other in the send area of their
/// source and in the receive window of their destination.
class Transfers : public Contents {
 public:
  /// Throws ConfigError if the messages exceed a receive window or a node's memory.
  Transfers(const Config& config, const Graph& graph);

  void fill(std::uint32_t rank, Memory& memory) const override;
  void compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const override;
  Bound bound() const override;

  /// A transfer with the offsets of its data.
  struct Placed {
    Transfer transfer;
    std::uint32_t send_flit, recv_flit;  ///< Offsets in the send and the receive area, flits.
  };
  const std::vector<Placed>& placed() const { return placed_; }
  /// Numbers of the transfers that a node sends.
  const std::vector<std::uint32_t>& sent_by(std::uint32_t rank) const { return sent_[rank]; }
  /// Value of a node's receive counter of tag 0 after all transfers to it.
  std::uint32_t expected_count(std::uint32_t rank) const { return expected_[rank]; }
  /// Whether packets of one message may overtake each other: then receive counters count packets.
  bool packets_overtake() const { return packets_overtake_; }
  const Graph& graph() const { return graph_; }

 private:
  const Config& config_;
  const Graph& graph_;
  const bool packets_overtake_;
  std::vector<Placed> placed_;
  std::vector<std::vector<std::uint32_t>> sent_, received_;  // By rank: numbers of transfers.
  std::vector<std::uint32_t> expected_;
};

/// Posts the transfers of one node in the order of the list, each at its start time or later.
class TransferEndpoint : public EndpointDefaults {
 public:
  TransferEndpoint(const Transfers& transfers, std::uint32_t rank);

  Memory& memory() { return memory_; }
  void read_flit(std::uint32_t addr, std::uint64_t* words) const {
    memory_.read_flit(addr, flit_words_, words);
  }
  void write_flit(std::uint32_t, std::uint32_t addr, const FlitData& data) {
    memory_.write_flit(addr, flit_words_, data);
  }
  std::uint64_t read_word(std::uint32_t addr) const { return memory_.read_word(addr); }
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums&);
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    step(status, cycle, sums);
  }
  std::uint64_t pauses(std::uint64_t cycle) const {
    return acts_later(cycle) ? orders_[next_].start - cycle : 0;
  }
  std::uint32_t run_ahead(std::uint64_t cycle, std::uint32_t most) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, pauses(cycle + 1)));
  }
  void step_ahead(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    step(status, cycle, sums);
  }
  bool uses_memory() const { return false; }
  bool posted() const { return posted_; }
  const Descriptor& descriptor() const { return orders_[next_ - 1].descriptor; }
  /// Whether it has nothing to post until the status of the interface changes.
  bool resting() const { return done_ || next_ == orders_.size(); }
  /// Whether all transfers are sent and all expected ones received.
  bool done() const { return done_; }
  bool acts_later(std::uint64_t cycle) const {
    return next_ < orders_.size() && orders_[next_].start > cycle;
  }
  NodeView view() const {
    return {.state = done_ ? 2u : resting() ? 1u : 0u, .pc = 0, .status = {}};
  }
  std::string describe() const { return "waiting"; }
  void drive(Nic::In& in) const {
    in.windows.base[0] = window_base_;
    in.windows.size[0] = window_flits_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(next_, posted_, done_, memory_);
    archive.require(next_ <= orders_.size() && (!posted_ || next_ != 0));
  }

 private:
  struct Order {
    std::uint64_t start;
    Descriptor descriptor;
  };
  std::vector<Order> orders_;
  std::size_t next_ = 0;
  std::uint32_t expected_, flit_words_, window_base_, window_flits_;
  bool posted_ = false, done_ = false;
  Memory memory_;
};

static_assert(Endpoint<TransferEndpoint>);

}  // namespace weft
