// Receive side of a network interface, cycle model of rtl/nic/weft_recv_unit.sv (rtl/README.md,
// recv_unit; seed 002 fig. 2: receive buffers 5-0 and 5-1, receive control 7).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/nic/dma.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/packet/check_windows.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Checks packets, writes the bodies of accepted ones to memory, and counts messages.
class RecvUnit {
 public:
  struct Config {
    bool parity = false;               ///< Flits carry parity, and it is checked.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    PacketForm header = {};            ///< Form of packets.
    bool by_packet = false;        ///< Counters count all accepted packets; else those with `eom`.
    bool mem_ready = false;        ///< The memory has `ready`.
    unsigned windows = 1;          ///< Receive windows, 1 to kMaxWindows; 1 without keys.
    unsigned rx_depth = kRxDepth;  ///< Words of the link's FIFO, kRxDepth to kMaxRxDepth.
  };
  struct In {
    Flit rx;                 ///< Link.
    std::uint32_t node = 0;  ///< Own address.
    bool mem_wready = true;  ///< The write is accepted; used with `mem_ready` only.
    bool restart = false;    ///< Input from the link begins anew; used only with ids.
    bool repeated = false;   ///< The packet `ask()` is a repetition; used only with ids.
    ReceiveWindows windows;
  };
  struct Out {
    bool rx_full = false;         ///< Link: Buffer-Full.
    bool rx_credit = false;       ///< Credit link: a word has left the FIFO.
    bool mem_wen = false;         ///< Memory is written.
    std::uint32_t mem_waddr = 0;  ///< Write address, flits; 0 without `mem_wen`.
    FlitData mem_wdata;           ///< The word; 0 without `mem_wen`.
    bool mem_reduce = false;  ///< The packet's tag has the bit `kTagReduce`; only with `mem_wen`.
    /// Packets in memory, by tag (without `by_packet` only those with `eom`); see NicStatus.
    std::array<std::uint32_t, kNumRxCounts> rx_count = {};
    /// Packets that count in `rx_count`, counted when they are accepted.
    std::array<std::uint32_t, kNumRxCounts> rx_arrived = {};
    std::uint32_t rx_parity = 0;   ///< Packets dropped: parity.
    std::uint32_t rx_refused = 0;  ///< Packets dropped: destination, length, key or window.
    /// With ids: an acknowledgement that was judged in the cycle before.
    IdOfPacket ack;
    IdOfPacket took;  ///< With ids: a packet that was judged in the cycle before and kept, or would
                      ///< have been if it were new.
    std::uint32_t rx_repeated = 0;  ///< Packets dropped as repetitions.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(rx_full, rx_credit, mem_wen, mem_waddr, mem_wdata, mem_reduce, rx_count, rx_arrived,
              rx_parity, rx_refused, ack, took, rx_repeated);
    }
  };

  /// Values of the output ports.
  struct Shown : Out {
    std::uint32_t mem_wleft = 0;  ///< `mem_wleft()`.
    IdOfPacket ask;               ///< `ask()`.
  };
  static constexpr auto ports();  // sim/nic/recv_unit_ports.hpp

  /// Throws ConfigError if `packet_flits`, `windows` or `rx_depth` is out of range.
  explicit RecvUnit(const Config& config)
      : packet_flits_(config.packet_flits),
        parity_(config.parity),
        by_packet_(config.by_packet),
        mem_ready_(config.mem_ready),
        windows_(config.windows),
        rx_depth_(config.rx_depth),
        form_(config.header),
        flit_words_(config.header.flit_words()),
        words_(2 * std::size_t{config.packet_flits} * flit_words_) {
    if (packet_flits_ < 1 || packet_flits_ > 255) {
      throw ConfigError(
          fmt::format("recv_unit: packet_flits is {}, expected: 1 to 255", packet_flits_));
    }
    if (rx_depth_ < kRxDepth || rx_depth_ > kMaxRxDepth) {
      throw ConfigError(fmt::format("recv_unit: rx_depth is {}, expected: {} to {}", rx_depth_,
                                    kRxDepth, kMaxRxDepth));
    }
    check_windows("recv_unit", windows_, form_);
  }

  void reset() {
    dma_.reset();
    oldest_ = waiting_ = 0;
    first_ = held_ = 0;
    inside_ = bad_ = stray_ = counted_ = passed_ = restarts_ = false;
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// Whether a step without a word on the link changes nothing.
  bool idle() const {
    return settled() && !out_.rx_credit && !passed_ && !out_.ack.valid && !out_.took.valid &&
           !restarts_;
  }

  /// As `idle`, for callers that do not use `Out::rx_credit`. (Buffer-Full is down without words.)
  bool settled() const { return waiting_ == 0 && held_ == 0; }

  /// Whether the last step changed a count.
  bool counted() const { return counted_; }

  /// `mem_wleft_o`: further words of the packet that is being written.
  std::uint32_t mem_wleft() const { return mem_ready_ ? dma_.left() : 0; }

  /// With ids: source and id of the packet that is judged in this cycle; 0 if none is.
  IdOfPacket ask() const {
    if (waiting_ == 0 || held_ >= 2 || !link_[oldest_].last) return {};
    if (inside_) return id_of_packet(packets_[(first_ + held_) & 1]);
    return id_of_packet(packet_of(Header::unpack(link_[oldest_].data, form_)));
  }

  const Out& step(const In& in) {
    if (form_.id_w != 0) {
      return mem_ready_
                 ? step_with_ids<true>(in.rx, in.node, in.windows, in.mem_wready, in.repeated,
                                       in.restart)
                 : step_with_ids<false>(in.rx, in.node, in.windows, true, in.repeated, in.restart);
    }
    return mem_ready_ ? step<true>(in.rx, in.node, in.windows, in.mem_wready)
                      : step<false>(in.rx, in.node, in.windows, true);
  }

  /// `step` of a unit for packets with ids. In the cycle after a restart nothing comes in.
  template <bool kReady>
  const Out& step_with_ids(const Flit& rx, std::uint32_t node, const ReceiveWindows& windows,
                           bool mem_wready, bool repeated, bool restart) {
    out_.ack = out_.took = {};
    repeated_ = repeated;
    step<kReady>(restarts_ ? Flit{} : rx, node, windows, mem_wready);
    restarts_ = restart;
    if (restart) {
      oldest_ = waiting_ = 0;
      inside_ = bad_ = stray_ = passed_ = false;
      out_.rx_full = out_.rx_credit = false;
    }
    return out_;
  }

  /// `step` without a copy of the word. `kReady`: `mem_ready`; else `mem_wready` is not used.
  template <bool kReady>
  [[gnu::always_inline]] const Out& step(const Flit& rx, std::uint32_t node,
                                         const ReceiveWindows& windows, bool mem_wready) {
    const bool take = waiting_ != 0 && held_ < 2;
    counted_ = false;
    // The write comes first, because it uses the packets held when the cycle began.
    if (held_ != 0 && (!kReady || mem_wready || !out_.mem_wen)) {
      if (out_.mem_wen && !dma_.out().last) {
        out_.mem_waddr = dma_.step_on().addr;
        next_word();
      } else {
        write(next_packet());
      }
    }
    if (take) {
      accept(link_[oldest_], node, windows);
      oldest_ = slot(1);
      --waiting_;
    }
    out_.rx_credit = take || passed_;
    passed_ = false;
    if (rx.valid) {
      // With an empty FIFO a body word would be taken in the next cycle. Storing it now makes no
      // difference, because no output depends on it before its packet is checked; only its credit
      // is returned in the cycle in which it would have been taken.
      if (waiting_ == 0 && inside_ && !rx.last) {
        store(rx);
        passed_ = true;
        // Otherwise the word is lost: an error on wires brought it.
      } else if (waiting_ != rx_depth_) {
        link_[slot(waiting_++)] = rx;
      }
    }
    out_.rx_full = waiting_ >= rx_depth_ - 1;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(inside_, bad_, stray_, counted_, passed_, repeated_, restarts_, oldest_, waiting_,
            first_, held_, arrived_, written_, packets_, link_, dma_, out_, words_);
    archive.require(consistent());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  struct Packet {
    // For the body: the offset of the header; after acceptance the place in memory.
    std::uint32_t offset = 0;
    std::uint32_t len = 0, tag = 0;
    bool counts = false;  // The packet counts in the receive counters.
    std::uint32_t src = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(offset, len, tag, counts, src);
    }
  };

  // Whether no step leaves the FIFO and the slots.
  bool consistent() const {
    if (oldest_ >= rx_depth_ || waiting_ > rx_depth_ || first_ > 1 || held_ > 2) return false;
    for (unsigned i = 0; i < held_; ++i) {
      if (packets_[first_ ^ i].len > packet_flits_) return false;
    }
    if (!out_.mem_wen) return !dma_.out().req;
    return held_ != 0 && dma_.out().req && std::uint64_t{written_} + dma_.left() <= packet_flits_;
  }

  // Index in `link_` of word `i`, the oldest first.
  unsigned slot(unsigned i) const {
    const unsigned at = oldest_ + i;
    return at >= rx_depth_ ? at - rx_depth_ : at;
  }

  Packet packet_of(const Header& header) const {
    return {header.off, header.len, header.tag, by_packet_ || header.eom, header.src};
  }
  IdOfPacket id_of_packet(const Packet& packet) const {
    return {true, packet.src, plain_id(packet.offset, form_)};
  }

  // Stores a word of the arriving packet in the first free slot. At the tail the packet is checked
  // against the receive windows, and accepted or dropped.
  void accept(const Flit& flit, std::uint32_t node, const ReceiveWindows& windows) {
    Packet& packet = packets_[(first_ + held_) & 1];
    if (!inside_) {
      const Header header = Header::unpack(flit.data, form_);
      packet = packet_of(header);
      arrived_ = 0;
      bad_ = spoilt(flit);
      stray_ = header.dst != node;
    } else {
      store(flit);
    }
    inside_ = !flit.last;
    if (inside_) return;
    const bool ack = is_ack(packet.offset, form_);
    const auto place = windows.place(packet.offset, packet.len, form_, windows_);
    const bool fits = ack ? packet.len == 0 : place.has_value();
    if (bad_) {
      ++out_.rx_parity;
      counted_ = true;
    } else if (stray_ || arrived_ != packet.len || arrived_ > packet_flits_ || !fits) {
      ++out_.rx_refused;
      counted_ = true;
    } else if (ack) {
      out_.ack = id_of_packet(packet);
    } else if (form_.id_w != 0 && repeated_) {
      out_.took = id_of_packet(packet);
      ++out_.rx_repeated;
      counted_ = true;
    } else {
      if (form_.id_w != 0) out_.took = id_of_packet(packet);
      ++held_;
      packet.offset = *place;
      if (packet.counts) {
        ++out_.rx_arrived[packet.tag % kNumRxCounts];
        counted_ = true;
      }
    }
  }

  // Stores a body word of the arriving packet; words beyond the longest packet are dropped.
  void store(const Flit& flit) {
    const unsigned p = (first_ + held_) & 1;
    if (arrived_ < packet_flits_) {
      flit.store(&words_[(p * packet_flits_ + arrived_) * flit_words_], flit_words_);
    }
    ++arrived_;
    bad_ |= spoilt(flit);
  }

  bool spoilt(const Flit& flit) const {
    return parity_ && flit.parity != parity_of(flit, flit_words_);
  }

  // Moves on to the next word to be written.
  void next_word() {
    copy_words(out_.mem_wdata.word.data(),
               &words_[(first_ * packet_flits_ + written_++) * flit_words_], flit_words_);
  }

  // Prepares the next write, if there is one.
  void write(const Dma::In& start) {
    const Dma::Out& dma = dma_.go_on(start);
    out_.mem_wen = dma.req;
    out_.mem_waddr = dma.addr;
    dma.req ? next_word() : void(out_.mem_wdata = {});
    out_.mem_reduce = dma.req && reduces(packets_[first_].tag);
  }

  // Starts the next packet: a packet leaves its slot with its last write, and the next one starts
  // in the same cycle. The packet being written is the oldest.
  Dma::In next_packet() {
    const bool writing = out_.mem_wen;
    const Packet& packet = packets_[writing ? first_ ^ 1 : first_];
    Dma::In start;
    if (held_ > (writing ? 1u : 0u)) {
      if (packet.len != 0) {
        start = {true, packet.offset, packet.len};
        written_ = 0;
      } else if (!writing) {
        finish();
      }
    }
    if (writing) finish();
    return start;
  }

  // Counts the oldest packet, which is in memory.
  void finish() {
    const Packet& packet = packets_[first_];
    if (packet.counts) {
      ++out_.rx_count[packet.tag % kNumRxCounts];
      counted_ = true;
    }
    first_ ^= 1;
    --held_;
  }

  std::uint32_t packet_flits_;
  bool parity_, by_packet_, mem_ready_;
  unsigned windows_, rx_depth_;
  PacketForm form_;
  unsigned flit_words_;
  bool inside_ = false;        // The header of the arriving packet has passed.
  bool bad_ = false;           // A word of the arriving packet had a parity error.
  bool stray_ = false;         // Destination of the arriving packet is another address.
  bool counted_ = false;       // The last step changed a count.
  bool passed_ = false;        // A word was stored in the cycle of its arrival.
  bool repeated_ = false;      // The packet that is being judged is a repetition.
  bool restarts_ = false;      // There was a restart in the cycle before.
  unsigned oldest_ = 0;        // Index of the oldest word in `link_`.
  unsigned waiting_ = 0;       // Words in `link_`.
  unsigned first_ = 0;         // Slot of the oldest packet.
  unsigned held_ = 0;          // Accepted packets in the two slots.
  std::uint32_t arrived_ = 0;  // Body words of the arriving packet.
  std::uint32_t written_ = 0;  // Words of the oldest packet that are written to memory.
  std::array<Packet, 2> packets_;
  std::array<Flit, kMaxRxDepth> link_;  // FIFO of the link's words.
  Dma dma_;
  Out out_;
  std::vector<std::uint64_t> words_;  // Bodies, slot by slot.
};

}  // namespace weft
