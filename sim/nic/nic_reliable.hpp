// Acknowledgement and resending of packets in the network interface's cycle model: functions of Nic
// (sim/nic/nic.hpp, which includes this file).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/nic/nic.hpp"

namespace weft {

inline Nic::Reliable::Reliable(const Config& config)
    : ack({config.parity, config.header, config.num_ctrl, config.slots, config.addresses,
           config.links()}) {
  if (config.timed) {
    throw ConfigError(
        "nic: timed with slots, expected: one of them, because what is sent again has no start");
  }
  retain.assign(config.num_ctrl,
                RetainUnit({config.packet_flits, config.header, config.num_ctrl, config.slots,
                            config.addresses, config.links(), config.timeout}));
  switches.assign(config.links(), SwitchUnit({config.credit ? 2 : config.num_ctrl + 1}));
}

inline void Nic::Reliable::reset() {
  for (RetainUnit& unit : retain) unit.reset();
  for (SwitchUnit& unit : switches) unit.reset();
  ack.reset();
  restarts = false;
  origin = 0;
}

// Steps the links. Sets which send units' flits move, and returns the links on which an
// acknowledgement moves.
inline std::uint32_t Nic::offer_links(const In& in, std::array<bool, kMaxCtrl>& moves) {
  Reliable& r = *reliable_;
  std::uint32_t acks = 0;
  std::array<Flit, kMaxCtrl + 1> offers;
  for (unsigned i = 0; i < links_; ++i) {
    const unsigned units = credit_ ? 1 : num_ctrl_;
    for (unsigned u = 0; u < units; ++u) offers[u] = send_[i + u].out().offer;
    offers[units] = r.ack.offer(i, in.node);
    const SwitchUnit::Out granted = r.switches[i].eval({offers.data(), true});
    bool ready = !in.tx_full;
    if (credit_) {
      ready = inject_[i].step(granted.word, credits(in, i), in.now - r.origin, out_.tx[i]);
    } else {
      out_.tx[i] = ready ? granted.word : Flit{};
    }
    r.switches[i].tick({offers.data(), ready});
    const std::uint64_t taken = ready ? granted.ready : 0;
    for (unsigned u = 0; u < units; ++u) moves[i + u] = (taken >> u & 1) != 0;
    acks |= static_cast<std::uint32_t>(taken >> units & 1) << i;
  }
  return acks;
}

// Restarts the links: from the next cycle on, what is in front of them is as after reset until the
// restart ends.
inline void Nic::restart_links(const In& in) {
  for (SendUnit& unit : send_) unit.reset();
  for (InjectUnit& unit : inject_) unit.reset();
  for (SwitchUnit& unit : reliable_->switches) unit.reset();
  reliable_->origin = in.now + 2;
  for (unsigned i = 0; i < links_; ++i) out_.tx[i] = {};
  for (unsigned c = 0; c < num_ctrl_; ++c) out_.mem_raddr[c] = out_.mem_rleft[c] = 0;
  out_.mem_ren &= static_cast<std::uint16_t>(~low_mask(num_ctrl_));
}

// Steps the send side; returns whether it has anything left to do without an input.
template <bool kReady>
inline bool Nic::send_reliable(const In& in) {
  Reliable& r = *reliable_;
  RetainUnit::In to_retain;
  to_retain.hold = in.hold;
  to_retain.restart = in.restart;
  std::array<IdOfPacket, kMaxLinks> took;
  for (unsigned i = 0; i < links_; ++i) {
    to_retain.ack[i] = receiver(i).out().ack;
    took[i] = receiver(i).out().took;
    r.repeated[i] = r.ack.repeated(receiver(i).ask());
  }
  std::array<bool, kMaxCtrl> moves = {};
  r.ack.step(took.data(), r.restarts ? 0 : offer_links(in, moves), in.restart);

  const unsigned gets = queue_.empty()
                            ? kMaxCtrl
                            : choose([&](unsigned c) { return r.retain[c].out().desc_ready; },
                                     [&](unsigned c) { return r.retain[c].out().empty; });
  unsigned reads = out_.mem_ren & ~static_cast<unsigned>(low_mask(num_ctrl_));
  bool active = r.ack.out().pending;
  for (unsigned c = 0; c < num_ctrl_; ++c) {
    RetainUnit& retain = r.retain[c];
    SendUnit& unit = send_[c];
    if (retain.out().sent) count_sent();
    if (retain.out().resent) {
      ++out_.status.tx_resent;
      told_ = true;
    }
    const bool offers = retain.offers(in.hold);
    const Descriptor packet = offers ? retain.packet() : Descriptor{};
    to_retain.pkt_ready = takes<kReady>(in, c);
    if (!r.restarts) {
      unit.step<kReady>(in.node, moves[c], in.mem_rdata[c], offers ? &packet : nullptr, in.now,
                        !kReady || (in.mem_rready >> c & 1) != 0);
    }
    if constexpr (kReady) out_.mem_rleft[c] = static_cast<std::uint8_t>(unit.mem_rleft());
    reads = (reads & ~(1u << c)) | unsigned{unit.out().mem_ren} << c;
    out_.mem_raddr[c] = unit.out().mem_raddr;
    to_retain.ctrl = c;
    to_retain.desc_valid = c == gets;
    if (c == gets) to_retain.desc = queue_.front();
    retain.step(to_retain);
    active |= !retain.idle() || !unit.idle();
  }
  out_.mem_ren = static_cast<std::uint16_t>(reads);
  if (in.desc_valid || gets < num_ctrl_) queue(in, gets < num_ctrl_);
  return active || !queue_.empty();
}

inline const Nic::Out& Nic::step_reliable(const In& in) {
  Reliable& r = *reliable_;
  sends_ = mem_ready_ ? send_reliable<true>(in) : send_reliable<false>(in);
  switch (receive_way_) {
    case Way::kAlone:
      receive<false>(in);
      break;
    case Way::kEach:
      receive_each<false>(in);
      break;
    case Way::kOther:
      receive_other(in);
      break;
  }
  r.restarts = in.restart;
  if (in.restart) restart_links(in);
  out_.waits = r.ack.out().pending;
  out_.overdue = false;
  for (const RetainUnit& unit : r.retain) {
    out_.waits |= unit.out().waits;
    out_.overdue |= unit.out().overdue;
  }
  sends_ |= in.restart || std::any_of(out_.tx.begin(), out_.tx.begin() + links_,
                                      [](const Flit& tx) { return tx.valid; });
  return out_;
}

}  // namespace weft
