// Receive side of a network interface, cycle model of rtl/nic/recv_unit.sv (rtl/README.md,
// recv_unit; seed 002 fig. 2: receive buffers 5-0 and 5-1, receive control 7).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/packet.hpp"
#include "sim/nic/dma.hpp"

namespace weft {

/// Judges packets, writes their bodies to memory and counts messages.
class RecvUnit {
 public:
  struct Config {
    bool parity = false;               ///< Flits carry parity, and it is checked.
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
  };
  struct In {
    Flit rx;                    ///< Link.
    std::uint32_t node = 0;     ///< Own address.
    std::uint32_t rx_base = 0;  ///< Receive window: first word in local memory.
    std::uint32_t rx_size = 0;  ///< Receive window: size, flits.
  };
  struct Out {
    bool rx_full = false;         ///< Link: Buffer-Full.
    bool mem_wen = false;         ///< Memory is written.
    std::uint32_t mem_waddr = 0;  ///< Its address, flits; 0 without `mem_wen`.
    std::uint64_t mem_wdata = 0;  ///< The word; 0 without `mem_wen`.
    /// Kept packets with `eom`, by tag; see NicStatus.
    std::array<std::uint32_t, kNumRxCounts> rx_count = {};
    std::uint32_t rx_parity = 0;   ///< Packets dropped: parity.
    std::uint32_t rx_refused = 0;  ///< Packets dropped: destination, length or window.
  };

  /// Throws ConfigError where `packet_flits` is out of range.
  explicit RecvUnit(const Config& config)
      : packet_flits_(config.packet_flits),
        parity_(config.parity),
        words_(2 * std::size_t{config.packet_flits}) {
    if (packet_flits_ < 1 || packet_flits_ > 255) {
      throw ConfigError(
          fmt::format("recv_unit: packet_flits is {}, accepted: 1 to 255", packet_flits_));
    }
  }

  void reset() {
    dma_.reset();
    waiting_ = 0;
    first_ = held_ = 0;
    inside_ = bad_ = stray_ = false;
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// True when a step without a word on the link changes nothing.
  bool idle() const { return waiting_ == 0 && held_ == 0 && !out_.rx_full; }

  const Out& step(const In& in) {
    const bool take = waiting_ != 0 && held_ < 2;
    const unsigned arriving = (first_ + held_) & 1;
    // Memory first: it looks at the packets held when the cycle began.
    if (held_ != 0 || out_.mem_wen) drain(in);
    if (take) {
      const Flit flit = link_[0];
      link_[0] = link_[1];
      link_[1] = link_[2];
      link_[2] = link_[3];
      --waiting_;
      accept(flit, arriving, in.node, in.rx_size);
    }
    if (in.rx.valid) link_[waiting_++] = in.rx;
    out_.rx_full = waiting_ >= 3;
    return out_;
  }

 private:
  struct Packet {
    std::uint32_t off = 0, len = 0, tag = 0;
    bool eom = false;
  };

  // One word from the link goes to slot `p`; the last one judges the packet.
  void accept(const Flit& flit, unsigned p, std::uint32_t node, std::uint32_t size) {
    Packet& packet = packets_[p];
    if (!inside_) {
      const Header header = Header::unpack(flit.data);
      packet = {header.off, header.len, header.tag, header.eom};
      arrived_ = 0;
      bad_ = false;
      stray_ = header.dst != node;
    } else {
      if (arrived_ < packet_flits_) words_[p * packet_flits_ + arrived_] = flit.data;
      ++arrived_;
    }
    bad_ |= parity_ && flit.parity != parity_of(flit.data, flit.last);
    inside_ = !flit.last;
    if (inside_) return;
    if (bad_) {
      ++out_.rx_parity;
    } else if (stray_ || arrived_ != packet.len || arrived_ > packet_flits_ ||
               packet.off + packet.len > size) {
      ++out_.rx_refused;
    } else {
      ++held_;
    }
  }

  // A packet leaves its slot with its last write; the next one starts in the same cycle. The slot
  // being written is the oldest.
  void drain(const In& in) {
    const bool writing = out_.mem_wen;
    const bool ends = dma_.out().last;
    Dma::In start;
    unsigned next = first_;
    bool waits = held_ > 0;
    if (writing) {
      next = first_ ^ 1;
      waits = ends && held_ > 1;
    }
    if (waits) {
      const Packet& packet = packets_[next];
      if (packet.len != 0) {
        start = {true, in.rx_base + packet.off, packet.len};
        written_ = 0;
      } else if (!writing) {
        finish();
      }
    }
    if (ends) finish();
    const Dma::Out& dma = dma_.step(start);
    out_.mem_wen = dma.req;
    out_.mem_waddr = dma.addr;
    out_.mem_wdata = dma.req ? words_[first_ * packet_flits_ + written_++] : 0;
  }

  // The oldest packet is in memory.
  void finish() {
    const Packet& packet = packets_[first_];
    if (packet.eom) ++out_.rx_count[packet.tag % kNumRxCounts];
    first_ ^= 1;
    --held_;
  }

  std::uint32_t packet_flits_;
  bool parity_;
  bool inside_ = false;        // The header of the arriving packet has passed.
  bool bad_ = false;           // A word of it had a parity error.
  bool stray_ = false;         // Its destination is another address.
  unsigned waiting_ = 0;       // Words in `link_`.
  unsigned first_ = 0;         // Slot of the oldest packet.
  unsigned held_ = 0;          // Judged packets in the two slots.
  std::uint32_t arrived_ = 0;  // Body words of the arriving packet.
  std::uint32_t written_ = 0;  // Words of the oldest packet that were put to memory.
  std::array<Packet, 2> packets_;
  std::array<Flit, 4> link_;  // Oldest word first.
  Dma dma_;
  Out out_;
  std::vector<std::uint64_t> words_;  // Bodies, slot by slot.
};

}  // namespace weft
