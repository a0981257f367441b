// Why the links of a network of routers idle: every cycle of every link goes to one cause.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/observe/held_packets.hpp"

namespace weft {

/// What a node's program and interface have done.
struct NodeSends {
  bool posted = false;      ///< A descriptor is taken in this cycle.
  std::uint32_t sent = 0;   ///< Messages sent to their last flit.
  bool in_barrier = false;  ///< The program has entered a barrier that is not over for it.
};

/// Sums over links and cycles. Of several causes the first of the list counts.
class Losses {
 public:
  /// What a link between routers does in a cycle.
  enum Cause : std::uint8_t {
    kHeader,       ///< It moves a header.
    kBody,         ///< It moves another flit.
    kCredit,       ///< A packet has a VC of it and a flit for it, but no place at its far end.
    kVc,           ///< A header may take no VC that is free with a place.
    kBehind,       ///< A packet for it stands behind another one in its buffer.
    kGapUpstream,  ///< A packet has a VC of it, but its flits have not come; or, with store and
                   ///< forward, is not whole.
    // No packet for it is in the router, and the node's interface
    kBacklog,  ///< - has messages left to send;
    kBarrier,  ///< - has none, as the program waits in a barrier;
    kProgram,  ///< - has none; the next one is not posted yet;
    kEnd,      ///< - has none and gets none any more.
    kNumCauses
  };
  /// What the link into an interface waits for while a packet for it has its header there or
  /// beyond, but its last flit has not come.
  enum Tail : std::uint8_t {
    kTailInterface,  ///< The interface has no place.
    kTailBehind,     ///< The packet stands behind another in a buffer of the last router.
    kTailLink,       ///< Its next flit stands upstream, before a link that another packet uses.
    kTailCredit,     ///< Its next flit stands upstream and has no place ahead.
    kTailMoving,     ///< Its next flit is on a link.
    kTailSource,     ///< Its next flit has not left the source.
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

  explicit Losses(const Graph& graph);

  /// Once for each cycle from 1 on, after `packets` has taken that in. `sends`: by node.
  void add(const Wires& wires, HeldPackets& packets, const std::vector<NodeSends>& sends);

  /// Link-cycles of a cause. Until a program posts again, what it lets idle counts as `kEnd`.
  std::uint64_t sum(Cause cause) const;
  std::uint64_t tail(Tail cause) const { return tails_[cause]; }
  /// Packet-cycles of packets that go on to another router: 0 where no packet ever waits for a
  /// link. One whose own flits have not come (kGapUpstream) does not wait.
  std::uint64_t packet_wait(PacketWait wait) const { return links_waits_[wait]; }
  /// Links between routers, and cycles seen: their product is the sum over all causes.
  std::uint64_t links() const { return links_.size(); }
  std::uint64_t cycles() const { return cycles_; }

  /// "links", "cycles", "link_cycles" by cause, "packet_waits" by what is waited for; "ejection":
  /// the same for links into interfaces, with "tail_stranded" by cause. Of `traffic`, which has no
  /// program and no end, what follows kBacklog is one: "nothing_source".
  nlohmann::json to_json(bool traffic) const;

 private:
  using PacketWaits = std::array<std::uint64_t, kNumPacketWaits>;
  struct Out {
    std::uint32_t link = 0, block = 0, port = 0, node = 0;
  };

  void note_wants(HeldPackets& packets);
  static nlohmann::json to_json(const PacketWaits& waits);
  void add_ejection(const Out& out, const Wires& wires, const HeldPackets& packets);
  Tail tail_of(const Out& out, const Wires& wires, const HeldPackets& packets) const;

  const Graph& graph_;
  std::vector<Out> links_, ejections_;
  std::vector<Cause> wants_;             // By out-port.
  std::vector<std::uint64_t> unposted_;  // By node: idle link-cycles since its last message.
  std::vector<std::uint64_t> posted_;    // By node: messages.
  std::array<std::uint64_t, kNumCauses> sums_ = {};
  std::array<std::uint64_t, kNumTails> tails_ = {};
  PacketWaits links_waits_ = {}, ejection_waits_ = {};
  std::uint64_t cycles_ = 0, eject_header_ = 0, eject_body_ = 0, eject_none_ = 0;
};

}  // namespace weft
