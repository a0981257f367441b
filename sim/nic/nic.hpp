// Network interface, cycle model of rtl/nic/nic.sv (rtl/README.md, nic; seed 002 fig. 2).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/core/error.hpp"
#include "sim/core/packet.hpp"
#include "sim/nic/recv_unit.hpp"
#include "sim/nic/send_unit.hpp"

namespace weft {

/// Descriptor queue, concurrent send controllers that share the link packet by packet, and the
/// receive side.
class alignas(64) Nic {
 public:
  static constexpr unsigned kMaxCtrl = 8;  ///< Most send controllers.

  struct Config {
    unsigned num_ctrl = 1;             ///< Send controllers, 1 to 8.
    bool parity = false;               ///< Links carry parity.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    std::uint32_t queue_depth = 8;     ///< Descriptors that can wait, 1 or more.
  };
  /// Inputs; a caller keeps one and changes what has changed. One cache line with the first lane.
  struct alignas(64) In {
    Flit rx;                  ///< Incoming link.
    bool tx_full = false;     ///< Outgoing link: Buffer-Full.
    bool desc_valid = false;  ///< A descriptor is written; ignored while `desc_free` is 0.
    Descriptor desc;
    std::uint32_t node = 0;     ///< Own address.
    std::uint32_t rx_base = 0;  ///< Receive window: first word in local memory.
    std::uint32_t rx_size = 0;  ///< Receive window: size, flits.
    /// Words read in the cycle before; only lanes with `Out::mem_ren` then are looked at.
    std::array<std::uint64_t, kMaxCtrl> mem_rdata = {};
  };
  struct Out {
    Flit tx;                      ///< Outgoing link.
    bool rx_full = false;         ///< Incoming link: Buffer-Full.
    bool mem_wen = false;         ///< Memory is written.
    std::uint8_t mem_ren = 0;     ///< Memory is read: one bit for each lane.
    std::uint32_t mem_waddr = 0;  ///< Write address, flits; 0 without `mem_wen`.
    std::uint64_t mem_wdata = 0;  ///< Word to write; 0 without `mem_wen`.
    std::array<std::uint32_t, kMaxCtrl> mem_raddr = {};  ///< Read addresses; 0 without read.
    NicStatus status;

    bool operator==(const Out&) const = default;
  };

  /// Throws ConfigError where a figure is out of range.
  explicit Nic(const Config& config)
      : num_ctrl_(config.num_ctrl),
        queue_(config.queue_depth),
        arbiter_({config.num_ctrl}),
        recv_({config.parity, config.packet_flits}) {
    if (config.num_ctrl > kMaxCtrl) {
      throw ConfigError(
          fmt::format("nic: num_ctrl is {}, accepted: 1 to {}", config.num_ctrl, kMaxCtrl));
    }
    if (config.queue_depth < 1) throw ConfigError("nic: queue_depth is 0, accepted: 1 or more");
    send_.assign(config.num_ctrl, SendUnit({config.parity, config.packet_flits}));
    reset();
  }

  void reset() {
    queue_.reset();
    arbiter_.reset();
    for (SendUnit& unit : send_) unit.reset();
    recv_.reset();
    turn_ = 0;
    out_ = {};
    out_.status.desc_free = queue_.depth();
    sends_ = receives_ = told_ = false;
  }

  /// The outputs of the present cycle, from registers.
  const Out& out() const { return out_; }

  /// True when a step with `in` changes nothing, so that it may be left out.
  bool idle(const In& in) const { return !sends_ && !receives_ && !in.rx.valid && !in.desc_valid; }

  /// Whether the last step may have changed `Out::status`; false only where it did not.
  bool status_changed() const { return told_; }

  /// One clock edge; returns the outputs after it.
  [[gnu::always_inline]] const Out& step(const In& in) {
    told_ = false;
    if (sends_ || in.desc_valid) {
      if (num_ctrl_ == 1) {
        send_alone(in);
      } else {
        send_shared(in);
      }
    }
    if (receives_ || in.rx.valid) receive(in);
    return out_;
  }

 private:
  // One controller has the link to itself.
  void send_alone(const In& in) {
    SendUnit& unit = send_.front();
    const bool moves = unit.out().offer.valid && !in.tx_full;
    const bool gets = !queue_.empty() && unit.out().desc_ready;
    if (moves) {
      out_.tx = unit.out().offer;
    } else {
      out_.tx = {};
    }
    if (unit.streams() && !gets) {
      unit.stream(moves, in.mem_rdata[0]);
      out_.mem_raddr[0] = unit.out().mem_raddr;
      if (in.desc_valid) queue(in, false);
      return;
    }
    if (unit.out().sent) count_sent();
    unit.step(in.node, moves, in.mem_rdata[0], gets ? &queue_.front() : nullptr);
    out_.mem_ren = unit.out().mem_ren;
    out_.mem_raddr[0] = unit.out().mem_raddr;
    sends_ = moves || !unit.idle();
    if (in.desc_valid || !queue_.empty()) {
      queue(in, gets);
      sends_ = true;
    }
  }

  void send_shared(const In& in) {
    SendUnit* const units = send_.data();
    const unsigned winner = grant_link(in.tx_full);
    const unsigned gets = queue_.empty() ? kMaxCtrl : choose();
    unsigned reads = 0;  // A settled unit reads nothing.
    bool moves = out_.tx.valid || in.desc_valid || !queue_.empty();
    for (unsigned c = 0; c < num_ctrl_; ++c) {
      SendUnit& unit = units[c];
      if (!unit.settled() || c == winner || c == gets) {
        if (unit.out().sent) count_sent();
        unit.step(in.node, c == winner, in.mem_rdata[c], c == gets ? &queue_.front() : nullptr);
        reads |= unsigned{unit.out().mem_ren} << c;
        out_.mem_raddr[c] = unit.out().mem_raddr;
      }
      moves |= !unit.idle();
    }
    out_.mem_ren = static_cast<std::uint8_t>(reads);
    sends_ = moves;
    if (in.desc_valid || gets < num_ctrl_) queue(in, gets < num_ctrl_);
  }

  // The controller that gets the oldest descriptor: among those without a packet, or else among all
  // that are ready, the next one in turn. `kMaxCtrl` when none is ready.
  unsigned choose() {
    unsigned chosen = kMaxCtrl;
    for (unsigned i = 0, c = turn_; i < num_ctrl_; ++i, c = c + 1 < num_ctrl_ ? c + 1 : 0) {
      if (!send_[c].out().desc_ready) continue;
      if (send_[c].empty()) {
        chosen = c;
        break;
      }
      if (chosen == kMaxCtrl) chosen = c;
    }
    if (chosen != kMaxCtrl) turn_ = chosen + 1 < num_ctrl_ ? chosen + 1 : 0;
    return chosen;
  }

  void count_sent() {
    ++out_.status.tx_count;
    told_ = true;
  }

  // A descriptor that is written is taken if there was a place for it when the cycle began.
  void queue(const In& in, bool pops) {
    const bool accepts = in.desc_valid && !queue_.full();
    if (pops) queue_.pop();
    if (accepts) queue_.push(in.desc);
    told_ |= accepts != pops;
    out_.status.desc_free = queue_.depth() - queue_.count();
  }

  // Loads the link register; returns the controller whose flit it is, or none of them.
  unsigned grant_link(bool full) {
    std::uint64_t requests = 0;
    for (unsigned c = 0; c < num_ctrl_; ++c) {
      requests |= std::uint64_t{send_[c].out().offer.valid} << c;
    }
    const RrArbiter::Out granted = arbiter_.out();
    const Flit& offer = send_[granted.idx].out().offer;
    const bool moves = granted.gnt != 0 && !full;
    arbiter_.step({requests, moves && offer.last});
    out_.tx = moves ? offer : Flit{};
    return out_.tx.valid ? granted.idx : kMaxCtrl;
  }

  [[gnu::always_inline]] void receive(const In& in) {
    const RecvUnit::Out& state = recv_.step(in.rx, in.node, in.rx_base, in.rx_size);
    receives_ = !recv_.idle();
    out_.rx_full = state.rx_full;
    out_.mem_wen = state.mem_wen;
    out_.mem_waddr = state.mem_waddr;
    out_.mem_wdata = state.mem_wdata;
    if (!recv_.counted()) return;
    out_.status.rx_count = state.rx_count;
    out_.status.rx_parity = state.rx_parity;
    out_.status.rx_refused = state.rx_refused;
    told_ = true;
  }

  Out out_;
  bool sends_ = false;     // Something moves in the queue or the send controllers,
  bool receives_ = false;  // or in the receive side.
  bool told_ = false;
  unsigned num_ctrl_;
  unsigned turn_ = 0;  // Controller after the one that got a descriptor last.
  Fifo<Descriptor> queue_;
  RrArbiter arbiter_;
  RecvUnit recv_;
  std::vector<SendUnit> send_;
};

}  // namespace weft
