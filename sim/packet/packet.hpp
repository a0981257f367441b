// Flits, header fields, descriptors and what a network interface tells its processor.
//
// The figures here are those of rtl/weft_pkg.sv; tests/unit/packet_test.cpp compares the two.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace weft {

/// Node address, bits: as many as the nodes need, but at least these, so that all networks with
/// narrower addresses have the same interfaces,
inline constexpr unsigned kAddrW = 16;
inline constexpr unsigned kMaxAddrW = 20;  ///< and at most these.
inline constexpr unsigned kLenW = 8;       ///< Body flits of one packet, bits.
inline constexpr unsigned kTagW = 3;       ///< Message tag, bits; the low two choose a counter.
/// Place in the receive window in flits, bits: what two addresses of `kAddrW` bits leave.
inline constexpr unsigned kOffW = 20;
inline constexpr unsigned kMemAddrW = 24;         ///< Local memory address in flits, bits.
inline constexpr unsigned kMsgLenW = 20;          ///< Body flits of one message, bits.
inline constexpr unsigned kGapW = 8;              ///< Silence after a packet in packet times, bits.
inline constexpr unsigned kCtrlW = 4;             ///< Send controller of a descriptor, bits.
inline constexpr std::uint32_t kCtrlInTurn = 15;  ///< The next send controller in turn.
inline constexpr unsigned kCountW = 32;           ///< Event counters, bits.
inline constexpr unsigned kStampW = 16;       ///< Cycle of injection, for age arbitration, bits.
inline constexpr unsigned kDigitParamW = 20;  ///< One dimension in the RTL's `MaxCoords`, bits.
inline constexpr unsigned kNumRxCounts = 4;
inline constexpr unsigned kRxDepth = 4;  ///< Receive FIFO of a network interface, flits.

/// Bit of the tag by which a packet takes the other way round a ring where both are equally long.
inline constexpr unsigned kTagOtherWay = 2;
/// Hardware barriers that a node may have entered and not been released from.
inline constexpr unsigned kBarrierFlight = 4;

inline constexpr unsigned kHdrDstLsb = 0;
inline constexpr unsigned kHdrLenLsb = 52;
inline constexpr unsigned kHdrTagLsb = 60;
inline constexpr unsigned kHdrEomLsb = 63;

inline constexpr unsigned kFlitBytes = 8;  ///< A flit is 64 bits.

/// What of a header depends on how wide addresses are (parameter `AddrW` of the RTL).
struct HeaderForm {
  unsigned addr_w = kAddrW;  ///< Width of an address, bits: kAddrW to kMaxAddrW.

  bool operator==(const HeaderForm&) const = default;
  constexpr unsigned src_lsb() const { return kHdrDstLsb + addr_w; }
  constexpr unsigned off_lsb() const { return kHdrDstLsb + 2 * addr_w; }
  constexpr unsigned off_w() const { return kHdrLenLsb - off_lsb(); }
  /// Flits that a receive window can hold: each has a place that a header can name.
  constexpr std::uint32_t window_flits() const { return 1u << off_w(); }
};

/// The low `width` bits set; `width` below 64.
constexpr std::uint64_t low_mask(unsigned width) {
  return (std::uint64_t{1} << width) - 1;
}

/// Header flit of a packet (design: links; seed 002 [0027]).
struct Header {
  std::uint32_t dst = 0;  ///< Destination address.
  std::uint32_t src = 0;  ///< Source address.
  std::uint32_t off = 0;  ///< Where in the destination's receive window the body goes, flits.
  std::uint32_t len = 0;  ///< Body flits that follow.
  std::uint32_t tag = 0;
  /// Last packet of its message, in the order of sending: those before it may still be under way
  /// where packets overtake each other.
  bool eom = false;

  bool operator==(const Header&) const = default;

  constexpr std::uint64_t pack(HeaderForm form = {}) const {
    return (std::uint64_t{dst} & low_mask(form.addr_w)) << kHdrDstLsb |
           (std::uint64_t{src} & low_mask(form.addr_w)) << form.src_lsb() |
           (std::uint64_t{off} & low_mask(form.off_w())) << form.off_lsb() |
           (std::uint64_t{len} & low_mask(kLenW)) << kHdrLenLsb |
           (std::uint64_t{tag} & low_mask(kTagW)) << kHdrTagLsb | std::uint64_t{eom} << kHdrEomLsb;
  }

  static constexpr Header unpack(std::uint64_t word, HeaderForm form = {}) {
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
};

/// One word on a link. `parity` is 0 where the link carries none; `vc` and `stamp` are 0 but on
/// credit links.
struct Flit {
  std::uint64_t data = 0;
  bool last = false;        ///< Data-End of seed 002: the last flit of its packet.
  bool parity = false;      ///< Even parity over `data` and `last`.
  bool valid = false;       ///< Data-Valid of seed 002.
  std::uint16_t vc = 0;     ///< Virtual channel.
  std::uint16_t stamp = 0;  ///< Cycle of the packet's injection modulo 2^16 (age arbitration).

  bool operator==(const Flit&) const = default;
};

/// Which VCs of the next link a packet may take (weft_pkg::VcAny ...; rtl/README.md, rules).
enum class VcSet : std::uint8_t {
  kAny = 0,
  kLow = 1,    ///< The lower half.
  kHigh = 2,   ///< The upper half.
  kSame = 3,   ///< The one by which it came.
  kFirst = 4,  ///< VC 0.
  kNext = 5,   ///< The one behind that by which it came; the last one where there is none.
};
inline constexpr unsigned kVcSets = 6;

/// What a word in memory and one that comes in are made into (weft_pkg::OpStore ...; seed 003).
enum class ReduceOp : std::uint8_t {
  kStore = 0,  ///< The word that comes in.
  kSum = 1,
  kProd = 2,
  kMax = 3,
  kMin = 4,
  kMean = 5,  ///< The sum, divided by `Reduction::count`.
};
inline constexpr unsigned kReduceOps = 6;
/// Elements of a word: two of 32 bits, the first lowest, or one of 64 (weft_pkg::TypeInt32 ...).
enum class ReduceType : std::uint8_t { kInt32 = 0, kInt64 = 1, kFp32 = 2 };
inline constexpr unsigned kReduceTypes = 3;
inline constexpr unsigned kReduceOpW = 3;
inline constexpr unsigned kReduceTypeW = 2;
inline constexpr unsigned kMeanCountW = 16;
/// Bit of the tag by which a message is reduced into memory, not stored.
inline constexpr unsigned kTagReduce = 0;
/// Cycles from a word's entry into the reduce unit to its result, of all operations but mean,
inline constexpr unsigned kReduceLatency = 5;
/// and of mean.
inline constexpr unsigned kMeanLatency = 24;

/// What an interface does with messages whose tag has the bit `kTagReduce`.
struct Reduction {
  ReduceOp op = ReduceOp::kStore;
  ReduceType type = ReduceType::kInt32;
  std::uint32_t count = 1;  ///< Divisor of a mean, 1 to 65535.

  bool operator==(const Reduction&) const = default;
};

/// Whether a message is reduced into memory where the interface does that.
constexpr bool reduces(std::uint32_t tag) {
  return (tag >> kTagReduce & 1) != 0;
}

/// Parity bit that belongs to a word: the exclusive or of its data bits and its Data-End.
constexpr bool parity_of(std::uint64_t data, bool last) {
  return ((std::popcount(data) & 1) != 0) != last;
}

/// Order to the transfer unit (seed 002 [0026]), as the NIC's descriptor queue takes it.
struct Descriptor {
  std::uint32_t dst = 0;   ///< Destination address.
  std::uint32_t addr = 0;  ///< First word in local memory, flits.
  std::uint32_t len = 0;   ///< Message length, flits; 0 sends a header alone.
  std::uint32_t off = 0;   ///< Place in the destination's receive window, flits.
  std::uint32_t tag = 0;
  std::uint32_t gap = 0;  ///< Silence after each packet, packet times.
  /// 0: to any send controller; n: to controller n - 1 alone; kCtrlInTurn: to the one after the one
  /// that got a descriptor last.
  std::uint32_t ctrl = 0;

  bool operator==(const Descriptor&) const = default;
};

/// Registers of a NIC that its processor reads.
struct NicStatus {
  std::uint32_t desc_free = 0;  ///< Free places in the descriptor queue.
  std::uint32_t tx_count = 0;   ///< Messages sent to their last flit.
  /// Kept packets, by tag: where the network keeps the packets of a message in order only those
  /// with `eom`, one for each message; where they may overtake each other (several VCs, unless each
  /// destination has one) all, so that a message of n packets is whole when all n have counted. A
  /// dropped packet is missing: what is counted is whole only while `rx_parity` and `rx_refused`
  /// are 0 (rtl/README.md, Receive counters).
  std::array<std::uint32_t, kNumRxCounts> rx_count = {};
  /// The same packets, counted when their last flit was judged, perhaps before they are in memory
  /// (seed 004 4.1: local synchronisation).
  std::array<std::uint32_t, kNumRxCounts> rx_arrived = {};
  std::uint32_t rx_parity = 0;  ///< Packets dropped: parity.
  /// Packets dropped: another node's address, a wrong length or a place outside the window.
  std::uint32_t rx_refused = 0;
  std::uint32_t barriers = 0;  ///< Hardware barriers released; wraps.

  bool operator==(const NicStatus&) const = default;
};

}  // namespace weft
