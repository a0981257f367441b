// One send controller of a network interface, cycle model of rtl/nic/weft_send_unit.sv
// (rtl/README.md, send_unit; seed 002 fig. 2: send buffers 4-0 and 4-1, send control 6).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/nic/dma.hpp"
#include "sim/nic/pacer.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Cuts messages into packets, fetches their bodies and offers their flits.
class SendUnit {
 public:
  struct Config {
    bool parity = false;               ///< Flits carry parity.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    PacketForm header = {};            ///< Form of packets.
    bool timed = false;                ///< Messages may have a start time.
    /// The memory has `ready`, and a packet is offered once all of it is read.
    bool mem_ready = false;
  };
  struct In {
    std::uint32_t node = 0;   ///< Own address.
    bool desc_valid = false;  ///< A message is to be sent.
    bool ready = false;       ///< The offered flit is taken.
    Descriptor desc;          ///< The message.
    FlitData mem_rdata;       ///< Word whose read was accepted in the cycle before.
    std::uint32_t now = 0;    ///< Cycles since reset; used with `timed` only.
    bool mem_rready = true;   ///< The read is accepted; used with `mem_ready` only.
  };
  struct Out {
    Flit offer;  ///< `valid_o`, `last_o`, `data_o`; all 0 without a flit.
    /// The message is taken if there is one; with `mem_ready`: if the read is accepted, too.
    bool desc_ready = true;
    bool sent = false;            ///< The last flit of a message was taken in the cycle before.
    bool mem_ren = false;         ///< Memory is read.
    std::uint32_t mem_raddr = 0;  ///< Read address, flits; 0 without `mem_ren`.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(offer, desc_ready, sent, mem_ren, mem_raddr);
    }
  };

  /// Values of the output ports.
  struct Shown : Out {
    bool empty = true;            ///< `empty()`.
    bool takes = true;            ///< `takes(mem_rready)`.
    std::uint32_t mem_rleft = 0;  ///< `mem_rleft()`.
  };
  static constexpr auto ports();  // sim/nic/send_unit_ports.hpp

  /// Throws ConfigError if `packet_flits` is out of range.
  explicit SendUnit(const Config& config)
      : packet_flits_(config.packet_flits),
        parity_(config.parity),
        timed_(config.timed),
        mem_ready_(config.mem_ready),
        form_(config.header),
        flit_words_(config.header.flit_words()),
        words_(2 * std::size_t{config.packet_flits} * flit_words_) {
    if (packet_flits_ < 1 || packet_flits_ > 255) {
      throw ConfigError(
          fmt::format("send_unit: packet_flits is {}, expected: 1 to 255", packet_flits_));
    }
  }

  void reset() {
    dma_.reset();
    pacer_.reset();
    packets_ = {};
    cutting_ = arriving_ = streams_ = false;
    settled_ = true;
    first_ = held_ = taken_ = 0;
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// `desc_ready_o`: whether a message is taken in this cycle; `mem_rready`: the memory accepts a
  /// read.
  bool takes(bool mem_rready) const {
    return out_.desc_ready && (!cutting_ || !mem_ready_ || dma_.idle(mem_rready));
  }
  /// `mem_rleft_o`: further words of the packet that is being read.
  std::uint32_t mem_rleft() const { return mem_ready_ ? dma_.left() : 0; }

  /// Whether the unit is in the middle of a packet: a flit but the tail is offered, and until the
  /// next event words only arrive from memory and leave to the link. Never with `mem_ready`.
  bool streams() const { return streams_; }

  /// Steps a unit that streams and gets no message.
  void stream(bool ready, const FlitData& mem_rdata) {
    if (arriving_) {
      store(mem_rdata);
      out_.mem_raddr = dma_.step_on().addr;
      streams_ = !dma_.out().last;
    }
    if (ready) {
      ++taken_;
      offer_flit();
      streams_ &= !out_.offer.last;
    }
  }

  /// Whether a step changes nothing as long as no message arrives and the offered flit, if any, is
  /// not taken.
  bool settled() const { return settled_; }
  /// `empty_o`: whether no packet is held and none is to be cut.
  bool empty() const { return !cutting_ && held_ == 0; }
  /// Whether the unit is settled and offers nothing.
  bool idle() const { return settled_ && held_ == 0; }

  const Out& step(const In& in) {
    const Descriptor* desc = in.desc_valid ? &in.desc : nullptr;
    return mem_ready_ ? step<true>(in.node, in.ready, in.mem_rdata, desc, in.now, in.mem_rready)
                      : step<false>(in.node, in.ready, in.mem_rdata, desc, in.now, true);
  }

  /// `step` without a copy of the message; `desc` is null if there is none. `kReady`: `mem_ready`;
  /// else `mem_rready` is not used.
  template <bool kReady>
  [[gnu::always_inline]] const Out& step(std::uint32_t node, bool ready, const FlitData& mem_rdata,
                                         const Descriptor* desc, std::uint32_t now,
                                         bool mem_rready) {
    // All decisions of this cycle use the state at the beginning of the cycle.
    const bool read = out_.mem_ren && (!kReady || mem_rready);
    const bool cut = cutting_ && held_ < 2 && (kReady ? dma_.idle(read) : dma_.out().idle);
    const bool accept = desc != nullptr && (kReady ? takes(mem_rready) : out_.desc_ready);
    const bool move = out_.offer.valid && ready;
    const unsigned filled = first_ ^ (held_ & 1);

    if (arriving_) store(mem_rdata);
    arriving_ = read;
    out_.sent = false;
    if (!pacer_.out().ready) pacer_.step({});
    if (move) {
      if (out_.offer.last) {
        end_packet();
      } else {
        ++taken_;
      }
    }
    if (read || cut) fetch(cut ? cut_packet(node, filled, now) : Dma::In{});
    if (accept) {
      message_ = *desc;
      cutting_ = true;
    }
    // A message without a body makes room for the next one in the cycle in which it is cut.
    out_.desc_ready = !cutting_ || (message_.len == 0 && held_ < 2 && dma_.out().idle);
    // A flit that was not taken stays as it is.
    if (move || !out_.offer.valid) offer<kReady>(now + 1);
    settled_ = !arriving_ && !out_.mem_ren && !out_.sent && pacer_.out().ready &&
               !(cutting_ && held_ < 2) && !(held_ != 0 && packets_[first_].waits);
    streams_ = !kReady && out_.offer.valid && !out_.offer.last && !out_.sent &&
               arriving_ == out_.mem_ren && !dma_.out().last && !(cutting_ && held_ < 2);
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(settled_, streams_, cutting_, arriving_, first_, held_, taken_, packets_, dma_, pacer_,
            out_, message_, words_);
    archive.require(consistent());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  struct Packet {
    std::uint64_t header = 0;
    std::uint32_t len = 0, gap = 0;
    std::uint32_t stored = 0;  // Words that have arrived from memory.
    bool eom = false;
    bool waits = false;  // Waits for the cycle `due`.
    std::uint32_t due = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(header, len, gap, stored, eom, waits, due);
    }
  };

  // Whether no step leaves the slots: every word that is read or arrives has its place, and the
  // offered flit is one of the oldest packet.
  bool consistent() const {
    std::uint64_t missing = 0;
    for (const Packet& packet : packets_) {
      if (packet.len > packet_flits_ || packet.stored > packet.len) return false;
      missing += packet.len - packet.stored;
    }
    const std::uint64_t reads = dma_.out().req ? 1 + std::uint64_t{dma_.left()} : 0;
    const Flit& offer = out_.offer;
    return first_ < 2 && held_ <= 2 && taken_ <= packets_[first_].len &&
           out_.mem_ren == dma_.out().req && arriving_ + reads <= missing &&
           (!offer.valid || (held_ != 0 && offer.last == (taken_ == packets_[first_].len))) &&
           (!streams_ || (!mem_ready_ && offer.valid && !offer.last && !(cutting_ && held_ < 2) &&
                          arriving_ == dma_.out().req && !dma_.out().last));
  }

  // Ends the oldest packet, whose tail was taken.
  void end_packet() {
    const Packet& packet = packets_[first_];
    pacer_.step({true, packet.len + 1, packet.gap});
    out_.sent = packet.eom;
    first_ ^= 1;
    --held_;
    taken_ = 0;
  }

  void fetch(const Dma::In& in) {
    const Dma::Out& dma = dma_.go_on(in);
    out_.mem_ren = dma.req;
    out_.mem_raddr = dma.addr;
  }

  // Words arrive in the order of the packets: the oldest incomplete packet gets the word.
  void store(const FlitData& read) {
    const unsigned p = packets_[first_].stored < packets_[first_].len ? first_ : first_ ^ 1;
    copy_words(&words_[(p * packet_flits_ + packets_[p].stored++) * flit_words_], read.word.data(),
               flit_words_);
  }

  // Puts the next packet of the message into slot `p`; returns the transfer that fetches its body.
  Dma::In cut_packet(std::uint32_t node, unsigned p, std::uint32_t now) {
    const std::uint32_t len = std::min(message_.len, packet_flits_);
    const bool ends = len == message_.len;
    const Header header{message_.dst, node,         message_.off,
                        len,          message_.tag, ends && !message_.more};
    packets_[p] = {header.pack(form_), len, message_.gap, 0, header.eom};
    if (timed_ && message_.timed) {
      // The start counts from the next cycle on.
      const std::uint32_t wait = wait_for(message_.start, now + 1);
      packets_[p].waits = wait != 0;
      packets_[p].due = now + 1 + wait;
      message_.timed = false;
    }
    ++held_;
    const Dma::In fetch{len != 0, message_.addr, len};
    message_.addr += len;
    message_.off += len;
    message_.len -= len;
    cutting_ = !ends;
    return fetch;
  }

  // Sets the flit that is offered in cycle `now`.
  template <bool kReady>
  void offer(std::uint32_t now) {
    Packet& packet = packets_[first_];
    if (packet.waits) packet.waits = wait_for(packet.due, now) != 0;
    if (held_ == 0 || !pacer_.out().ready || packet.waits ||
        (kReady ? packet.stored < packet.len : packet.stored == 0 && packet.len != 0)) {
      out_.offer = {};
    } else {
      offer_flit();
    }
  }

  void offer_flit() {
    const Packet& packet = packets_[first_];
    out_.offer.valid = true;
    out_.offer.last = taken_ == packet.len;
    if (taken_ == 0) {
      out_.offer.data = packet.header;
      out_.offer.upper = {};
    } else {
      out_.offer.load(&words_[(first_ * packet_flits_ + taken_ - 1) * flit_words_], flit_words_);
    }
    if (parity_) out_.offer.parity = parity_of(out_.offer, flit_words_);
  }

  std::uint32_t packet_flits_;
  bool parity_, timed_, mem_ready_;
  PacketForm form_;
  unsigned flit_words_;
  bool settled_ = true;
  bool streams_ = false;
  bool cutting_ = false;     // `message_` has packets left to cut.
  bool arriving_ = false;    // A word arrives from memory in the next cycle.
  unsigned first_ = 0;       // Slot of the oldest packet.
  unsigned held_ = 0;        // Packets in the two slots.
  std::uint32_t taken_ = 0;  // Flits of the oldest packet that were taken.
  std::array<Packet, 2> packets_;
  Dma dma_;
  Pacer pacer_;
  Out out_;
  Descriptor message_;
  std::vector<std::uint64_t> words_;  // Bodies, slot by slot.
};

}  // namespace weft
