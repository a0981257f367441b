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
class Nic {
 public:
  static constexpr unsigned kMaxCtrl = 8;  ///< Most send controllers.

  struct Config {
    unsigned num_ctrl = 1;             ///< Send controllers, 1 to 8.
    bool parity = false;               ///< Links carry parity.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    std::uint32_t queue_depth = 8;     ///< Descriptors that can wait, 1 or more.
  };
  /// Inputs; a caller keeps one and changes what has changed.
  struct In {
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
      : queue_(config.queue_depth),
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
    quiet_ = true;
  }

  /// The outputs of the present cycle, from registers.
  const Out& out() const { return out_; }

  /// True when a step with `in` changes nothing, so that it may be left out.
  bool idle(const In& in) const { return quiet_ && !in.rx.valid && !in.desc_valid; }

  /// One clock edge; returns the outputs after it.
  const Out& step(const In& in) {
    const unsigned winner = grant_link(in.tx_full);
    const bool accepts = in.desc_valid && !queue_.full();
    const unsigned gets = queue_.empty() ? kMaxCtrl : choose();
    bool busy = false;
    out_.mem_ren = 0;  // A settled unit reads nothing.
    for (unsigned c = 0; c < send_.size(); ++c) {
      SendUnit& unit = send_[c];
      if (unit.settled() && c != gets && c != winner) {
        busy |= !unit.idle();
        continue;
      }
      out_.status.tx_count += unit.out().sent;
      SendUnit::In order;
      order.node = in.node;
      order.ready = c == winner;
      order.mem_rdata = in.mem_rdata[c];
      if (c == gets) {
        order.desc_valid = true;
        order.desc = queue_.front();
        queue_.pop();
      }
      const SendUnit::Out& state = unit.step(order);
      out_.mem_ren |= static_cast<std::uint8_t>(state.mem_ren << c);
      out_.mem_raddr[c] = state.mem_raddr;
      busy |= !unit.idle();
    }
    if (accepts) queue_.push(in.desc);
    out_.status.desc_free = queue_.depth() - queue_.count();

    if (in.rx.valid || !recv_.idle()) receive(in);
    quiet_ = !busy && queue_.empty() && recv_.idle() && !out_.tx.valid;
    return out_;
  }

 private:
  // The controller that gets the oldest descriptor: among those without a packet, or else among all
  // that are ready, the next one in turn. `kMaxCtrl` when none is ready.
  unsigned choose() {
    unsigned chosen = kMaxCtrl;
    for (unsigned i = 0, c = turn_; i < num_ctrl(); ++i, c = c + 1 < num_ctrl() ? c + 1 : 0) {
      if (!send_[c].out().desc_ready) continue;
      if (send_[c].empty()) {
        chosen = c;
        break;
      }
      if (chosen == kMaxCtrl) chosen = c;
    }
    if (chosen != kMaxCtrl) turn_ = chosen + 1 < num_ctrl() ? chosen + 1 : 0;
    return chosen;
  }

  unsigned num_ctrl() const { return static_cast<unsigned>(send_.size()); }

  // Loads the link register; returns the controller whose flit it is, or none of them.
  unsigned grant_link(bool full) {
    unsigned winner = 0;
    if (send_.size() > 1) {
      std::uint64_t requests = 0;
      for (unsigned c = 0; c < send_.size(); ++c) {
        requests |= std::uint64_t{send_[c].out().offer.valid} << c;
      }
      const RrArbiter::Out granted = arbiter_.out();
      winner = granted.idx;
      const bool moves = granted.gnt != 0 && !full;
      arbiter_.step({requests, moves && send_[winner].out().offer.last});
      if (granted.gnt == 0) full = true;
    }
    out_.tx = full ? Flit{} : send_[winner].out().offer;
    return out_.tx.valid ? winner : kMaxCtrl;
  }

  void receive(const In& in) {
    const RecvUnit::Out& state = recv_.step({in.rx, in.node, in.rx_base, in.rx_size});
    out_.rx_full = state.rx_full;
    out_.mem_wen = state.mem_wen;
    out_.mem_waddr = state.mem_waddr;
    out_.mem_wdata = state.mem_wdata;
    out_.status.rx_count = state.rx_count;
    out_.status.rx_parity = state.rx_parity;
    out_.status.rx_refused = state.rx_refused;
  }

  bool quiet_ = true;  // Nothing moves inside.
  unsigned turn_ = 0;  // Controller after the one that got a descriptor last.
  Out out_;
  Fifo<Descriptor> queue_;
  RrArbiter arbiter_;
  RecvUnit recv_;
  std::vector<SendUnit> send_;
};

}  // namespace weft
