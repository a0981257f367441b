// Network interface, cycle model of rtl/nic/weft_nic.sv (rtl/README.md, nic; seed 002 fig. 2, seed
// 004 fig. 1).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/base/error.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/crossbar/switch_unit.hpp"
#include "sim/nic/ack_unit.hpp"
#include "sim/nic/inject_unit.hpp"
#include "sim/nic/nic_signals.hpp"
#include "sim/nic/recv_unit.hpp"
#include "sim/nic/retain_unit.hpp"
#include "sim/nic/send_unit.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/reduce_lanes.hpp"

namespace weft {

/// Network interface: a descriptor queue; concurrent send controllers, which share the link packet
/// by packet or have a credit link each; and the receive side, which stores packets in memory or
/// reduces them into it.
class alignas(64) Nic : public NicSignals {
 public:
  /// Throws ConfigError if a value is out of range.
  explicit Nic(const Config& config)
      : credit_(config.credit),
        num_ctrl_(config.num_ctrl),
        links_(config.links()),
        mem_ready_(config.mem_ready),
        send_way_(config.mem_ready ? Way::kOther : way(config.num_ctrl)),
        receive_way_(config.mem_ready || config.reduce ? Way::kOther : way(config.links())),
        recv_({config.parity, config.packet_flits, config.header, config.by_packet(),
               config.mem_ready || config.reduce, config.windows, config.rx_depth}),
        queue_(config.queue_depth),
        arbiter_({config.num_ctrl}) {
    if (config.num_ctrl > kMaxCtrl) {
      throw ConfigError(
          fmt::format("nic: num_ctrl is {}, expected: 1 to {}", config.num_ctrl, kMaxCtrl));
    }
    if (config.queue_depth < 1) throw ConfigError("nic: queue_depth is 0, expected: 1 or more");
    if (config.mem_ready && config.reduce) {
      throw ConfigError(
          "nic: mem_ready with reduce, expected: one of them, because a reduction reads and writes "
          "in fixed cycles");
    }
    send_.assign(config.num_ctrl, SendUnit({config.parity, config.packet_flits, config.header,
                                            config.timed, config.mem_ready}));
    further_.assign(links_ - 1, recv_);
    if (config.slots != 0) reliable_.emplace(config);
    if (config.reduce) lanes_.emplace(ReduceLanes::Config{config.header.data_w, links_});
    if (credit_) {
      words_ = (config.num_vc + 63) / 64;
      inject_.assign(links_, InjectUnit({config.num_vc, config.vc_depth, config.by_dest, config.age,
                                         config.max_coords, config.in_order, config.classes}));
    }
    reset();
  }

  void reset() {
    queue_.reset();
    arbiter_.reset();
    for (SendUnit& unit : send_) unit.reset();
    for (InjectUnit& unit : inject_) unit.reset();
    for (RecvUnit& unit : further_) unit.reset();
    if (lanes_) lanes_->reset();
    if (reliable_) reliable_->reset();
    waits_ = 0;
    recv_.reset();
    next_ctrl_ = 0;
    out_ = {};
    out_.status.desc_free = queue_.depth();
    sends_ = stuck_ = receives_ = told_ = false;
  }

  /// The outputs of the present cycle, from registers.
  const Out& out() const { return out_; }

  /// Whether a step with `in` changes nothing, so that it may be skipped.
  bool idle(const In& in) const {
    return !sends_ && !receives_ && !in.rx[0].valid && !in.desc_valid &&
           !(credit_ && (credited(in) || further(in))) && !in.restart;
  }
  /// Whether the last step may have changed `Out::status`.
  bool status_changed() const { return told_; }

  /// One clock edge; returns the outputs after it.
  [[gnu::always_inline]] const Out& step(const In& in) {
    told_ = false;
    if (reliable_) [[unlikely]]
      return step_reliable(in);
    if (sends_ || in.desc_valid || (stuck_ && credited(in))) {
      if (send_way_ == Way::kAlone) {
        send_alone<false>(in);
      } else if (send_way_ == Way::kOther) {
        send_ready(in);
      } else if (credit_) {
        send_each<false>(in);
      } else {
        send_shared<false>(in);
      }
    } else if (credit_ && credited(in)) {
      for (unsigned i = 0; i < links_; ++i) inject_[i].add(credits(in, i));
    }
    if (receive_way_ != Way::kAlone) {
      if (receives_ || in.rx[0].valid || further(in)) {
        receive_way_ == Way::kEach ? receive_each<false>(in) : receive_other(in);
      }
    } else if (receives_ || in.rx[0].valid) {
      receive<false>(in);
    }
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive);

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // How a side is stepped: one controller or link; several; or with more inputs than words and
  // credits.
  enum class Way : std::uint8_t { kAlone, kEach, kOther };
  static Way way(unsigned count) { return count == 1 ? Way::kAlone : Way::kEach; }

  // Whether a credit is on a line.
  bool credited(const In& in) const {
    if (in.tx_credit == nullptr) return false;
    std::uint64_t any = 0;
    for (unsigned w = 0; w < links_ * words_; ++w) any |= in.tx_credit[w];
    return any != 0;
  }
  // The credit lines of one link.
  const std::uint64_t* credits(const In& in, unsigned link) const {
    return in.tx_credit == nullptr ? nullptr : in.tx_credit + std::size_t{link} * words_;
  }
  // Whether a word is on a link other than the first.
  bool further(const In& in) const {
    for (unsigned i = 1; i < links_; ++i) {
      if (in.rx[i].valid) return true;
    }
    return false;
  }

  // Steps the send side if the memory has `ready`. In functions with `kReady` that is known at
  // compile time, so that without it they are as fast as if there were no such memory.
  void send_ready(const In& in) {
    if (num_ctrl_ == 1) {
      send_alone<true>(in);
    } else if (credit_) {
      send_each<true>(in);
    } else {
      send_shared<true>(in);
    }
  }

  // Whether controller `c` takes a message.
  template <bool kReady>
  bool takes(const In& in, unsigned c) const {
    return kReady ? send_[c].takes((in.mem_rready >> c & 1) != 0) : send_[c].out().desc_ready;
  }

  // Steps `unit`, which is controller `c`; `desc` is null if it gets no message.
  template <bool kReady>
  [[gnu::always_inline]] void send(const In& in, unsigned c, SendUnit& unit, bool moves,
                                   const Descriptor* desc) {
    if (unit.out().sent) count_sent();
    unit.step<kReady>(in.node, moves, in.mem_rdata[c], desc, in.now,
                      !kReady || (in.mem_rready >> c & 1) != 0);
    if constexpr (kReady) out_.mem_rleft[c] = static_cast<std::uint8_t>(unit.mem_rleft());
  }

  // Steps the send side if it has one controller.
  template <bool kReady>
  void send_alone(const In& in) {
    SendUnit& unit = send_.front();
    const bool offered = unit.out().offer.valid;
    bool moves;
    if (credit_) {
      moves = inject_.front().step(unit.out().offer, in.tx_credit, in.now, out_.tx[0]);
    } else {
      moves = unit.out().offer.valid && !in.tx_full;
      if (moves) {
        out_.tx[0] = unit.out().offer;
      } else {
        out_.tx[0] = {};
      }
    }
    const bool gets = !queue_.empty() && takes<kReady>(in, 0);
    if (unit.streams() && !gets) {
      unit.stream(moves, in.mem_rdata[0]);
      out_.mem_raddr[0] = unit.out().mem_raddr;
      if (in.desc_valid) queue(in, false);
      return rest_alone(offered, moves);
    }
    send<kReady>(in, 0, unit, moves, gets ? &queue_.front() : nullptr);
    out_.mem_ren = unit.out().mem_ren;
    out_.mem_raddr[0] = unit.out().mem_raddr;
    if (in.desc_valid || !queue_.empty()) queue(in, gets);
    rest_alone(offered, moves);
  }

  // Finds whether the controller is stuck, that is, its offered flit waits for a credit, and
  // whether it has anything else to do.
  void rest_alone(bool offered, bool moves) {
    const SendUnit& unit = send_.front();
    stuck_ = credit_ && offered && !moves;
    sends_ = moves || !unit.settled() || (unit.out().offer.valid && !stuck_) ||
             (!queue_.empty() && unit.out().desc_ready);
  }

  // Steps the send side if every controller has a credit link.
  template <bool kReady>
  void send_each(const In& in) {
    const unsigned gets = queue_.empty() ? kMaxCtrl : choose<kReady>(in);
    unsigned reads = 0;  // A settled unit reads nothing.
    bool active = false, takes = false, stuck = false;
    for (unsigned c = 0; c < num_ctrl_; ++c) {
      SendUnit& unit = send_[c];
      const bool offered = unit.out().offer.valid;
      const bool moves = inject_[c].step(unit.out().offer, credits(in, c), in.now, out_.tx[c]);
      if (unit.streams() && c != gets) {
        unit.stream(moves, in.mem_rdata[c]);
      } else if (!unit.settled() || moves || c == gets) {
        send<kReady>(in, c, unit, moves, c == gets ? &queue_.front() : nullptr);
      }
      reads |= unsigned{unit.out().mem_ren} << c;
      out_.mem_raddr[c] = unit.out().mem_raddr;
      active |= moves || !unit.settled() || (unit.out().offer.valid && !offered);
      takes |= unit.out().desc_ready;
      stuck |= offered && !moves;
    }
    out_.mem_ren = static_cast<std::uint16_t>(reads);
    if (in.desc_valid || gets < num_ctrl_) queue(in, gets < num_ctrl_);
    // As with one controller.
    sends_ = active || (takes && !queue_.empty());
    stuck_ = stuck;
  }

  // Steps the send side if the controllers share a link.
  template <bool kReady>
  void send_shared(const In& in) {
    SendUnit* const units = send_.data();
    const unsigned winner = grant_link(in.tx_full);
    const unsigned gets = queue_.empty() ? kMaxCtrl : choose<kReady>(in);
    unsigned reads = 0;  // A settled unit reads nothing.
    bool moves = out_.tx[0].valid || in.desc_valid || !queue_.empty();
    for (unsigned c = 0; c < num_ctrl_; ++c) {
      SendUnit& unit = units[c];
      if (!unit.settled() || c == winner || c == gets) {
        send<kReady>(in, c, unit, c == winner, c == gets ? &queue_.front() : nullptr);
        reads |= unsigned{unit.out().mem_ren} << c;
        out_.mem_raddr[c] = unit.out().mem_raddr;
      }
      moves |= !unit.idle();
    }
    out_.mem_ren = static_cast<std::uint16_t>(reads);
    sends_ = moves;
    if (in.desc_valid || gets < num_ctrl_) queue(in, gets < num_ctrl_);
  }

  template <bool kReady>
  unsigned choose(const In& in) {
    return choose([&](unsigned c) { return takes<kReady>(in, c); },
                  [&](unsigned c) { return send_[c].empty(); });
  }
  // Selects the controller for the oldest descriptor: the one that it names; otherwise,
  // round-robin, one without a packet, or if there is none, any that is ready. `kMaxCtrl` if the
  // descriptor must wait.
  template <class Takes, class Empty>
  unsigned choose(Takes takes, Empty empty) {
    if (const std::uint32_t ctrl = queue_.front().ctrl; ctrl != 0) {
      const unsigned named = ctrl == kCtrlRoundRobin ? next_ctrl_ : ctrl - 1;
      if (named >= num_ctrl_ || !takes(named)) return kMaxCtrl;
      next_ctrl_ = named + 1 < num_ctrl_ ? named + 1 : 0;
      return named;
    }
    unsigned chosen = kMaxCtrl;
    for (unsigned i = 0, c = next_ctrl_; i < num_ctrl_; ++i, c = c + 1 < num_ctrl_ ? c + 1 : 0) {
      if (!takes(c)) continue;
      if (empty(c)) {
        chosen = c;
        break;
      }
      if (chosen == kMaxCtrl) chosen = c;
    }
    if (chosen != kMaxCtrl) next_ctrl_ = chosen + 1 < num_ctrl_ ? chosen + 1 : 0;
    return chosen;
  }

  void count_sent() {
    ++out_.status.tx_count;
    told_ = true;
  }

  // Accepts a written descriptor if the queue was not full when the cycle began.
  void queue(const In& in, bool pops) {
    const bool accepts = in.desc_valid && !queue_.full();
    if (pops) queue_.pop();
    if (accepts) queue_.push(in.desc);
    told_ |= accepts != pops;
    out_.status.desc_free = queue_.depth() - queue_.count();
  }

  // Loads the link register; returns the controller whose flit it is, or `kMaxCtrl`.
  unsigned grant_link(bool full) {
    std::uint64_t requests = 0;
    for (unsigned c = 0; c < num_ctrl_; ++c) {
      requests |= std::uint64_t{send_[c].out().offer.valid} << c;
    }
    const RrArbiter::Out granted = arbiter_.out();
    const Flit& offer = send_[granted.idx].out().offer;
    const bool moves = granted.gnt != 0 && !full;
    arbiter_.step({requests, moves && offer.last});
    out_.tx[0] = moves ? offer : Flit{};
    return out_.tx[0].valid ? granted.idx : kMaxCtrl;
  }

  // State with `slots`; functions in nic_reliable.hpp.
  struct Reliable {
    explicit Reliable(const Config& config);
    void reset();
    std::vector<RetainUnit> retain;    // By controller.
    std::vector<SwitchUnit> switches;  // By link: for its send units and acknowledgements.
    AckUnit ack;
    bool restarts = false;     // There was a restart in the cycle before.
    std::uint32_t origin = 0;  // Cycle in which the counters of injection times were 0.
    std::array<bool, kMaxLinks> repeated = {};  // By link: the packet that is judged in this cycle
                                                // is a repetition.
    template <class Archive>
    void serialize(Archive& archive) {
      for (RetainUnit& unit : retain) archive(unit);
      for (SwitchUnit& unit : switches) archive(unit);
      archive(ack, restarts, origin, repeated);
    }
  };
  const Out& step_reliable(const In& in);
  template <bool kReady>
  bool send_reliable(const In& in);
  std::uint32_t offer_links(const In& in, std::array<bool, kMaxCtrl>& moves);
  void restart_links(const In& in);

  // The receive side is in nic_receive.hpp.
  void receive_other(const In& in);
  template <bool kReady>
  const RecvUnit::Out& receive_from(const In& in, unsigned i, RecvUnit& unit);
  template <bool kReady>
  void receive(const In& in);
  template <bool kReady>
  void receive_each(const In& in);
  void receive_reduced(const In& in);
  void sum_counts();

  template <bool kReady>
  void step_receiver(const In& in, unsigned i, RecvUnit& unit, bool accepted);

  RecvUnit& receiver(unsigned link) { return link == 0 ? recv_ : further_[link - 1]; }

  // Members in the order of use, so that those needed in every cycle share cache lines.
  bool sends_ = false;     // The queue or a send controller is active.
  bool stuck_ = false;     // An offered flit waits for a credit.
  bool receives_ = false;  // The receive side is active.
  bool told_ = false;      // `status_changed()`.
  bool credit_;
  unsigned num_ctrl_;
  unsigned links_;  // Links in each direction.
  bool mem_ready_;
  Way send_way_, receive_way_;
  unsigned words_ = 0;  // Words of the credit lines of one link.
  std::vector<SendUnit> send_;
  std::vector<InjectUnit> inject_;  // By controller, on credit links.
  Out out_;
  RecvUnit recv_;  // Receive unit of the first link.
  Fifo<Descriptor> queue_;
  RrArbiter arbiter_;
  // Round-robin pointer: the controller after the one that took the last descriptor.
  unsigned next_ctrl_ = 0;
  std::vector<RecvUnit> further_;     // Receive units of the other links.
  std::optional<ReduceLanes> lanes_;  // Used with reduction.
  std::optional<Reliable> reliable_;  // Used with `slots`.
  unsigned waits_ = 0;                // By link: the lanes do not accept its word in this cycle.
};

}  // namespace weft

#include "sim/nic/nic_receive.hpp"
#include "sim/nic/nic_reliable.hpp"
#include "sim/nic/nic_state.hpp"
