// Why the links of a network of routers idled, as a run reports it.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Sums over links and cycles. Of several causes the first of the list counts.
struct LossSums {
  /// What a link between routers does in a cycle.
  enum Cause : std::uint8_t {
    kHeader,       ///< It moves a header.
    kBody,         ///< It moves another flit.
    kCredit,       ///< A packet has a VC of it and a flit for it, but no place at its far end.
    kVc,           ///< A header may take no VC that is free with a place.
    kHolBlocked,   ///< A packet for it stands behind another one in its buffer.
    kGapUpstream,  ///< A packet has a VC of it, but its flits have not come; or, with store and
                   ///< forward, is not whole.
    // No packet for it is in the router, and the node's interface
    kBacklog,  ///< - has messages left to send;
    kBarrier,  ///< - has none, as the program waits in a barrier;
    kProgram,  ///< - has none; the next one is not posted yet;
    kEnd,      ///< - has none and gets none any more;
    kSource,   ///< - has none; of traffic, which has no program and no end.
    kNumCauses
  };
  /// What the link into an interface waits for while a packet for it has its header there or
  /// beyond, but its last flit has not come.
  enum Tail : std::uint8_t {
    kTailInterface,   ///< The interface has no place.
    kTailHolBlocked,  ///< The packet stands behind another in a buffer of the last router.
    kTailLink,        ///< Its next flit stands upstream, before a link that another packet uses.
    kTailCredit,      ///< Its next flit stands upstream and has no place ahead.
    kTailMoving,      ///< Its next flit is on a link.
    kTailSource,      ///< Its next flit has not left the source.
    kNumTails
  };
  /// What a packet in a router's buffer, as far as its flits have come there, waits for.
  enum PacketWait : std::uint8_t {
    kForLink,    ///< It could go, but the link moves another packet's flit.
    kForVc,      ///< As kVc.
    kForCredit,  ///< As kCredit.
    kForFront,   ///< It stands behind another packet in its buffer.
    kNumPacketWaits
  };
  /// Packet-cycles of packets that go on over one sort of links: 0 where no packet ever waits for
  /// a link. One whose own flits have not come (kGapUpstream) does not wait.
  using PacketWaits = std::array<std::uint64_t, kNumPacketWaits>;

  /// Links into interfaces: each of their cycles is in one of the sums.
  struct Ejection {
    std::uint64_t links = 0;
    std::uint64_t header = 0, body = 0;  ///< Moved a header, another flit.
    std::uint64_t no_packet = 0;         ///< No packet for it in its router.
    std::array<std::uint64_t, kNumTails> tails = {};
    PacketWaits packet_waits = {};
  };

  bool traffic = false;      ///< Of traffic: kSource stands for kBarrier, kProgram and kEnd.
  std::uint64_t links = 0;   ///< Between routers.
  std::uint64_t cycles = 0;  ///< Seen; times `links` the sum over all causes.
  std::array<std::uint64_t, kNumCauses> causes = {};  ///< Link-cycles.
  PacketWaits packet_waits = {};
  Ejection ejection = {};

  /// Whether a run of this kind tells of a cause.
  bool tells(Cause cause) const {
    const bool of_program = cause == kBarrier || cause == kProgram || cause == kEnd;
    return traffic ? !of_program : cause != kSource;
  }
};

}  // namespace weft
