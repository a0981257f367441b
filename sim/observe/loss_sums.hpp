// Why the links of a fabric of routers idled, as a run reports it.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Sums over links and cycles. If several causes apply, the first in the list counts.
struct LossSums {
  /// What a link between routers does in a cycle.
  enum Cause : std::uint8_t {
    kHeader,       ///< It moves a header.
    kBody,         ///< It moves a body flit.
    kCredit,       ///< A packet has a VC of the link and a flit for it, but no credit.
    kVc,           ///< No VC that a header requests is idle with a credit.
    kPipeline,     ///< A packet for the link is in a stage of its router's pipeline before the
                   ///< switch.
    kHolBlocked,   ///< A packet for the link is head-of-line blocked.
    kGapUpstream,  ///< A packet has a VC of the link, but its next flit has not arrived; with store
                   ///< and forward: its tail has not.
    // The remaining causes: no packet for the link is in the router.
    kBacklog,  ///< No packet in the router; the node's interface has messages left to send.
    kBarrier,  ///< No packet in the router, no message; the endpoint's program waits in a barrier.
    kProgram,  ///< No packet in the router, no message; the program has not posted the next one
               ///< yet.
    kEnd,      ///< No packet in the router, no message; the program has posted its last one.
    kSource,   ///< No packet in the router, no message; the endpoint is a traffic source.
    kNumCauses
  };
  /// What an idle link into an interface waits for, while a packet for it is in its router or has
  /// the link's VC and has not sent its tail.
  enum Tail : std::uint8_t {
    kTailInterface,   ///< A credit from the interface.
    kTailPipeline,    ///< The packet is in the pipeline of the last router.
    kTailHolBlocked,  ///< The packet is head-of-line blocked in the last router.
    kTailLink,        ///< Its next flit is upstream, and another packet was granted the link.
    kTailCredit,      ///< Its next flit is upstream and has no credit.
    kTailMoving,      ///< Its next flit is on a link.
    kTailSource,      ///< Its next flit has not left the source.
    kNumTails
  };
  /// What a packet in a router's buffer waits for, if its next flit is there.
  enum PacketWait : std::uint8_t {
    kForLink,        ///< It is eligible, but another packet was granted the link.
    kForVc,          ///< No VC that it requests is idle with a credit; as kVc.
    kForCredit,      ///< It has a VC, but no credit; as kCredit.
    kForHolBlocked,  ///< It is head-of-line blocked.
    kNumPacketWaits
  };
  /// Packet-cycles by cause, for the packets routed to one kind of link: 0 if no packet ever waits
  /// for a link. A packet whose next flit has not arrived (kGapUpstream) does not count as waiting.
  using PacketWaits = std::array<std::uint64_t, kNumPacketWaits>;
  /// Link-cycles by cause, of one link or of all.
  using Causes = std::array<std::uint64_t, kNumCauses>;

  /// Links into interfaces: each of their cycles counts in one of the sums.
  struct Ejection {
    std::uint64_t links = 0;
    std::uint64_t header = 0, body = 0;  ///< Cycles in which the link moved a header, or a body
                                         ///< flit.
    std::uint64_t no_packet = 0;         ///< Cycles in which no packet for the link was in its
                                         ///< router.
    std::array<std::uint64_t, kNumTails> tails = {};
    PacketWaits packet_waits = {};
  };

  bool pipelined = false;    ///< Routers have a pipeline: else no packet is in its stages.
  bool traffic = false;      ///< Endpoints are traffic sources: kSource replaces kBarrier, kProgram
                             ///< and kEnd.
  std::uint64_t links = 0;   ///< Links between routers.
  std::uint64_t cycles = 0;  ///< Observed cycles; times `links` this is the sum over all causes.
  Causes causes = {};
  PacketWaits packet_waits = {};
  Ejection ejection = {};

  /// Whether a run of this kind reports the cause.
  bool tells(Cause cause) const {
    const bool of_program = cause == kBarrier || cause == kProgram || cause == kEnd;
    if (cause == kPipeline) return pipelined;
    return traffic ? !of_program : cause != kSource;
  }
};

/// The cycles of one link between routers, by cause.
struct LinkLosses {
  std::uint32_t link = 0;  ///< Number of the link in the graph.
  LossSums::Causes causes = {};
};

}  // namespace weft
