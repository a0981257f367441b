// Flits, header fields, descriptors and the status registers of a network interface.
//
// The constants here are those of rtl/weft_pkg.sv; tests/unit/packet_test.cpp compares the two.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "sim/packet/vc_set.hpp"

namespace weft {

/// Least width of a node address, bits. Addresses are as wide as the nodes need, but not narrower,
/// so that all networks with up to 2^16 addresses have the same interfaces.
inline constexpr unsigned kAddrW = 16;
inline constexpr unsigned kMaxAddrW = 20;  ///< Largest width of a node address, bits.
inline constexpr unsigned kLenW = 8;       ///< Body flits of one packet, bits.
inline constexpr unsigned kTagW = 3;       ///< Message tag, bits; the low two choose a counter.
/// Offset in the receive window in flits, bits: the header bits that two addresses of `kAddrW` bits
/// leave.
inline constexpr unsigned kOffW = 20;
inline constexpr unsigned kMemAddrW = 24;             ///< Local memory address in flits, bits.
inline constexpr unsigned kMsgLenW = 20;              ///< Body flits of one message, bits.
inline constexpr unsigned kGapW = 8;                  ///< Inter-packet gap in packet times, bits.
inline constexpr unsigned kCtrlW = 4;                 ///< Send controller of a descriptor, bits.
inline constexpr std::uint32_t kCtrlRoundRobin = 15;  ///< `ctrl`: the next, round-robin.
inline constexpr unsigned kStartW = 32;               ///< Start of a message, cycle, bits.
inline constexpr unsigned kCountW = 32;               ///< Event counters, bits.
inline constexpr unsigned kStampW = 16;       ///< Cycle of injection, for age arbitration, bits.
inline constexpr unsigned kDigitParamW = 20;  ///< One dimension in the RTL's `MaxCoords`, bits.
inline constexpr unsigned kNumRxCounts = 4;
inline constexpr unsigned kMaxNicLinks = 8;  ///< Most links of a network interface, each way.
inline constexpr unsigned kRxDepth = 4;      ///< Receive FIFO of a network interface, flits.
inline constexpr unsigned kMaxRxDepth = 8;   ///< Most flits of a receive FIFO (long links).
inline constexpr unsigned kMaxWindows = 8;   ///< Most receive windows of a network interface.
inline constexpr unsigned kMaxKeyW = 8;      ///< Most bits of the key of a window.

/// Bit of the tag by which a packet goes round a ring in the other direction if both are equally
/// long.
inline constexpr unsigned kTagOtherWay = 2;
/// Bit of the tag that is the class of a packet, if each of two classes has half of the VCs.
inline constexpr unsigned kTagClass = 0;
/// Most hardware barriers that a node may have entered and not left.
inline constexpr unsigned kBarrierFlight = 4;
/// Orders to the combining tree that a node may have posted and that are not completed.
inline constexpr unsigned kCombineOrders = 2;
/// Words that a combine unit can hold per child: enough for its arithmetic never to wait.
inline constexpr unsigned kCombineDepth = 16;

inline constexpr unsigned kHdrDstLsb = 0;
inline constexpr unsigned kHdrLenLsb = 52;
inline constexpr unsigned kHdrTagLsb = 60;
inline constexpr unsigned kHdrEomLsb = 63;

inline constexpr unsigned kWordBytes = 8;     ///< A word of memory and of the combining tree.
inline constexpr unsigned kHdrW = 64;         ///< A header, bits; a flit has at least as many.
inline constexpr unsigned kMaxFlitW = 512;    ///< Widest flit, bits.
inline constexpr unsigned kMaxFlitWords = 8;  ///< 64-bit words of the widest flit.

/// Form of a network's packets: the width of its flits (parameter `DataW` of the RTL), and the
/// layout of the header, which depends on the width of addresses (`AddrW`).
struct PacketForm {
  unsigned addr_w = kAddrW;  ///< Width of an address, bits: kAddrW to kMaxAddrW.
  unsigned data_w = kHdrW;   ///< Width of a flit without parity, bits: 64 to kMaxFlitW.
  /// Width of the key of a receive window, the top bits of an offset: 0 to kMaxKeyW.
  unsigned key_w = 0;
  /// Width of the id of a packet, the bits of an offset below the key; 0 if packets are not
  /// acknowledged.
  unsigned id_w = 0;

  bool operator==(const PacketForm&) const = default;
  /// 64-bit words per flit.
  constexpr unsigned flit_words() const { return data_w / 64; }
  /// Bytes per flit.
  constexpr std::uint32_t flit_bytes() const { return data_w / 8; }
  constexpr unsigned src_lsb() const { return kHdrDstLsb + addr_w; }
  constexpr unsigned off_lsb() const { return kHdrDstLsb + 2 * addr_w; }
  constexpr unsigned off_w() const { return kHdrLenLsb - off_lsb(); }
  /// Bits of an offset below its key, including the id.
  constexpr unsigned key_lsb() const { return off_w() - key_w; }
  /// Bits of an offset below its id.
  constexpr unsigned place_w() const { return key_lsb() - id_w; }
  /// Largest receive window, flits: as many as a header's offset can address.
  constexpr std::uint32_t window_flits() const { return 1u << place_w(); }
};

/// The low `width` bits set; `width` below 64.
constexpr std::uint64_t low_mask(unsigned width) {
  return (std::uint64_t{1} << width) - 1;
}

/// Header flit of a packet (design: links; seed 002 [0027]).
struct Header {
  std::uint32_t dst = 0;  ///< Destination address.
  std::uint32_t src = 0;  ///< Source address.
  /// Offset of the body in the destination's receive window, flits, with the window's key on top
  /// and below it the packet's id.
  std::uint32_t off = 0;
  std::uint32_t len = 0;  ///< Body flits that follow.
  std::uint32_t tag = 0;
  /// Last packet of its message in the order of sending; if packets may overtake each other,
  /// earlier ones may arrive after it.
  bool eom = false;

  bool operator==(const Header&) const = default;

  constexpr std::uint64_t pack(PacketForm form = {}) const {
    return (std::uint64_t{dst} & low_mask(form.addr_w)) << kHdrDstLsb |
           (std::uint64_t{src} & low_mask(form.addr_w)) << form.src_lsb() |
           (std::uint64_t{off} & low_mask(form.off_w())) << form.off_lsb() |
           (std::uint64_t{len} & low_mask(kLenW)) << kHdrLenLsb |
           (std::uint64_t{tag} & low_mask(kTagW)) << kHdrTagLsb | std::uint64_t{eom} << kHdrEomLsb;
  }

  static constexpr Header unpack(std::uint64_t word, PacketForm form = {}) {
    auto field = [word](unsigned lsb, unsigned width) {
      return static_cast<std::uint32_t>(word >> lsb & low_mask(width));
    };
    return {field(kHdrDstLsb, form.addr_w),
            field(form.src_lsb(), form.addr_w),
            field(form.off_lsb(), form.off_w()),
            field(kHdrLenLsb, kLenW),
            field(kHdrTagLsb, kTagW),
            field(kHdrEomLsb, 1) != 0};
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(dst, src, off, len, tag, eom);
  }
};

/// Receive windows of a network interface: areas of its node's memory that others may write.
struct ReceiveWindows {
  std::array<std::uint32_t, kMaxWindows> base = {};  ///< First word in local memory.
  std::array<std::uint32_t, kMaxWindows> size = {};  ///< Size in flits.
  std::array<std::uint32_t, kMaxWindows> key = {};   ///< Key; 0 in an interface without keys.

  bool operator==(const ReceiveWindows&) const = default;

  /// Whether an interface may have that many windows; without keys only one is possible.
  static constexpr bool may_be(unsigned windows, PacketForm form) {
    return windows >= 1 && windows <= kMaxWindows && form.key_w <= kMaxKeyW &&
           (windows == 1 || form.key_w != 0);
  }

  /// Memory address for a body of `len` flits whose header has the offset `off`: the first of
  /// `windows` windows with its key takes it. None if no window has the key, or the body would end
  /// outside it.
  std::optional<std::uint32_t> place(std::uint32_t off, std::uint32_t len, PacketForm form,
                                     unsigned windows) const {
    const std::uint32_t wanted = off >> form.key_lsb();
    const auto offset = static_cast<std::uint32_t>(off & low_mask(form.place_w()));
    for (unsigned w = 0; w < windows; ++w) {
      if (key[w] != wanted) continue;
      if (offset + len > size[w]) break;
      return static_cast<std::uint32_t>((base[w] + offset) & low_mask(kMemAddrW));
    }
    return {};
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(base, size, key);
  }
};

/// Data of a flit, lowest word first; 0 above the flit's width.
struct FlitData {
  std::array<std::uint64_t, kMaxFlitWords> word = {};

  bool operator==(const FlitData&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(word);
  }
};

/// Copies `words` words, 1 or more; usually it is one, for which a loop or memcpy takes longer.
inline void copy_words(std::uint64_t* to, const std::uint64_t* from, unsigned words) {
  *to = *from;
  if (words != 1) [[unlikely]]
    std::memcpy(to + 1, from + 1, (words - 1) * sizeof *to);
}

/// One flit on a link. `parity` is 0 if the link carries none; `vc` and `stamp` are 0 except on
/// credit links.
struct Flit {
  std::uint64_t data = 0;   ///< Bits 63 to 0 of the data; a header is there.
  bool last = false;        ///< Data-End of seed 002: the last flit of its packet.
  bool parity = false;      ///< Even parity over the data and `last`.
  bool valid = false;       ///< Data-Valid of seed 002.
  std::uint16_t vc = 0;     ///< Virtual channel.
  std::uint16_t stamp = 0;  ///< Cycle of the packet's injection modulo 2^16 (age arbitration).
  /// Bits 64 and up of the data; 0 above the width, and in headers.
  std::array<std::uint64_t, kMaxFlitWords - 1> upper = {};

  bool operator==(const Flit&) const = default;

  /// Word `w` of the data.
  constexpr std::uint64_t& word(unsigned w) { return w == 0 ? data : upper[w - 1]; }
  constexpr const std::uint64_t& word(unsigned w) const { return w == 0 ? data : upper[w - 1]; }
  /// Copies the `words` words of the data to adjacent ones.
  void store(std::uint64_t* to, unsigned words) const {
    *to = data;
    if (words != 1) copy_words(to + 1, upper.data(), words - 1);
  }
  void load(const std::uint64_t* from, unsigned words) {
    data = *from;
    if (words != 1) copy_words(upper.data(), from + 1, words - 1);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(data, last, parity, valid, vc, stamp, upper);
  }
};

/// Whether a set has no members but 0 to `size` - 1: bit i % 64 of word i / 64 is member i.
constexpr bool fits(const std::uint64_t* set, std::size_t words, std::size_t size) {
  for (std::size_t w = size / 64; w < words; ++w) {
    if ((w == size / 64 ? set[w] >> size % 64 : set[w]) != 0) return false;
  }
  return true;
}
template <class Words>
constexpr bool fits(const Words& set, std::size_t size) {
  return fits(set.data(), set.size(), size);
}

/// How a word in memory and an arriving word are combined (weft_pkg::OpStore and others; seed 003).
enum class ReduceOp : std::uint8_t {
  kStore = 0,  ///< The arriving word.
  kSum = 1,
  kProd = 2,
  kMax = 3,
  kMin = 4,
  kMean = 5,  ///< The sum, divided by `Reduction::count`.
};
inline constexpr unsigned kReduceOps = 6;
/// Elements of a word: two of 32 bits, the first lowest, or one of 64 bits (weft_pkg::TypeInt32 and
/// others).
enum class ReduceType : std::uint8_t { kInt32 = 0, kInt64 = 1, kFp32 = 2 };
inline constexpr unsigned kReduceTypes = 3;
constexpr unsigned values_of(ReduceOp) {
  return kReduceOps;
}
constexpr unsigned values_of(ReduceType) {
  return kReduceTypes;
}
inline constexpr unsigned kReduceOpW = 3;
inline constexpr unsigned kReduceTypeW = 2;
inline constexpr unsigned kMeanCountW = 16;
/// Bit of the tag by which a message is reduced into memory, not stored.
inline constexpr unsigned kTagReduce = 0;
/// Cycles from a word's entry into the reduce unit to its result, for all operations but the mean.
inline constexpr unsigned kReduceLatency = 5;
/// Cycles from a word's entry into the reduce unit to its result, for the mean.
inline constexpr unsigned kMeanLatency = 24;

/// How an interface reduces messages whose tag has the bit `kTagReduce`.
struct Reduction {
  ReduceOp op = ReduceOp::kStore;
  ReduceType type = ReduceType::kInt32;
  std::uint32_t count = 1;  ///< Divisor of a mean, 1 to 65535.

  bool operator==(const Reduction&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(op, type, count);
  }
};

/// Whether a message with this tag is reduced into memory, if the interface can reduce.
constexpr bool reduces(std::uint32_t tag) {
  return (tag >> kTagReduce & 1) != 0;
}

/// Parity bit of a flit: the exclusive or of its data bits and its Data-End. `data`: the exclusive
/// or of its words.
constexpr bool parity_of(std::uint64_t data, bool last) {
  return ((std::popcount(data) & 1) != 0) != last;
}
/// Parity bit of a flit of `words` words.
constexpr bool parity_of(const Flit& flit, unsigned words) {
  std::uint64_t all = flit.data;
  for (unsigned w = 1; w < words; ++w) all ^= flit.upper[w - 1];
  return parity_of(all, flit.last);
}

/// Descriptor of a message to send, an entry of the NIC's descriptor queue (seed 002 [0026]).
struct Descriptor {
  std::uint32_t dst = 0;   ///< Destination address.
  std::uint32_t addr = 0;  ///< First word in local memory, flits.
  std::uint32_t len = 0;   ///< Message length, flits; 0 sends a header alone.
  /// Offset in the destination's receive window, flits, with the window's key on top.
  std::uint32_t off = 0;
  std::uint32_t tag = 0;
  std::uint32_t gap = 0;  ///< Inter-packet gap after each packet, packet times.
  /// 0: for any send controller; n: for controller n - 1 only; kCtrlRoundRobin: for the controller
  /// after the one that took the last descriptor.
  std::uint32_t ctrl = 0;
  bool timed = false;       ///< The message has a start time.
  std::uint32_t start = 0;  ///< First cycle since reset in which it may be offered.
  /// Part of a longer message that continues: its last packet has no `eom`. Only between blocks of
  /// an interface.
  bool more = false;

  bool operator==(const Descriptor&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(dst, addr, len, off, tag, gap, ctrl, timed, start, more);
  }
};

/// Cycles that a packet waits in `now` for its start, modulo 2^32: a start up to 2^31 - 1 cycles
/// ago is over.
constexpr std::uint32_t wait_for(std::uint32_t start, std::uint32_t now) {
  return now - start < std::uint32_t{1} << (kStartW - 1) ? 0 : start - now;
}

/// An order to the combining tree: this node's part in one operation on vectors. The n-th order of
/// every node belongs to the same operation, and they have the same length, operation and type.
struct CombineOrder {
  std::uint32_t addr = 0;                ///< First word of the own vector, flits.
  std::uint32_t to = 0;                  ///< Where the result is stored, flits.
  std::uint32_t len = 0;                 ///< Words, 1 or more.
  ReduceOp op = ReduceOp::kStore;        ///< How words are combined.
  ReduceType type = ReduceType::kInt32;  ///< Type of their elements.
  std::uint32_t count = 1;               ///< Divisor of a mean, the same in all orders.
  bool silent = false;                   ///< The node contributes nothing.
  bool discard = false;                  ///< The result is not stored.

  bool operator==(const CombineOrder&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(addr, to, len, op, type, count, silent, discard);
  }
};

/// Registers of a NIC that its endpoint reads.
struct NicStatus {
  std::uint32_t desc_free = 0;  ///< Free entries of the descriptor queue.
  std::uint32_t tx_count = 0;   ///< Messages sent completely, and acknowledged if packets are.
  /// Packets stored in memory, by tag. If the fabric keeps the packets of a message in order, only
  /// packets with `eom` count, one for each message. If packets may overtake each other (several
  /// VCs, unless each destination has its own), all packets count: a message of n packets is
  /// complete when n have counted. Dropped packets do not count, so these counts show that messages
  /// are complete only while `rx_parity` and `rx_refused` are 0 (rtl/README.md, Receive counters).
  std::array<std::uint32_t, kNumRxCounts> rx_count = {};
  /// Packets that count in `rx_count`, counted when their tail is accepted, perhaps before they are
  /// in memory (seed 004 4.1: local synchronisation).
  std::array<std::uint32_t, kNumRxCounts> rx_arrived = {};
  /// The counts of `rx_count` by incoming link and tag: those of link 0 first.
  std::array<std::uint32_t, kMaxNicLinks* kNumRxCounts> rx_link = {};
  std::uint32_t rx_parity = 0;  ///< Packets dropped: parity.
  /// Packets dropped: another node's address, a wrong length or an offset outside the window.
  std::uint32_t rx_refused = 0;
  std::uint32_t rx_repeated = 0;  ///< Packets dropped: repetitions.
  std::uint32_t tx_resent = 0;    ///< Packets issued again.
  std::uint32_t barriers = 0;     ///< Hardware barriers released; wraps.
  std::uint32_t combines = 0;     ///< Orders to the combining tree completed; wraps.

  bool operator==(const NicStatus&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(desc_free, tx_count, rx_count, rx_arrived, rx_link, rx_parity, rx_refused, rx_repeated,
            tx_resent, barriers, combines);
  }
};

}  // namespace weft
