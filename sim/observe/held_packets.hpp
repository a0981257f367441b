// The packets in the buffers of a fabric's routers, followed from cycle to cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/fabric/wires.hpp"
#include "sim/observe/waits.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/vc_router_signals.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Why a packet in a buffer did not move.
enum class Wait : std::uint8_t {
  kNone,        ///< It moved, or became eligible only after that clock edge.
  kCredit,      ///< It has a VC and a flit here, but no credit.
  kVc,          ///< No VC that its header requests is idle with a credit.
  kHolBlocked,  ///< It is not at the front of its buffer.
  kGap,         ///< It is in progress, but its next flit is not here.
  kTail,        ///< With store and forward: its tail is not here.
  kLink,        ///< It is eligible, but another packet was granted the link.
  kPipeline,    ///< Its flit is in a stage of the router's pipeline before the switch.
};

/// A packet in a buffer, from the cycle in which its header arrives until its tail leaves.
struct HeldPacket {
  Header header;
  std::uint32_t out_port = 0;  ///< Out-port of the router, by route computation; kOpen: it leads
                               ///< nowhere, as after an error on a wire.
  std::uint32_t held = 0;      ///< Flits of the packet in the buffer.
  bool whole = false;          ///< Its tail has arrived.
  unsigned lane = 0;           ///< Number that no other packet in this buffer has.
  Wait wait = Wait::kNone;     ///< Cause since cycle `since`, with `reason` in words; used by
                               ///< WaitEvents.
  std::uint64_t since = 0;
  std::string reason;
};

/// A VC's buffer.
struct HeldVc {
  std::uint32_t block = 0;
  unsigned port = 0, vc = 0;
  bool popped = false;   ///< A flit left at the last clock edge.
  bool flowing = false;  ///< The front packet is in progress.
  bool listed = false;
  std::deque<HeldPacket> packets;  ///< The oldest first.
};

/// Watches the links and the routers' buffers in every cycle, to know which packet each flit
/// belongs to even if the packet's header is several hops ahead.
class HeldPackets {
 public:
  /// Packets are routed as in `ways`, whose routers and ports are numbered as those of `graph`.
  HeldPackets(const Graph& graph, const Graph& ways, RouterModels routers);

  /// Updates the buffers after a clock edge and reads the links; called once for each cycle from 0
  /// on. It calls `gone` with each buffer whose front packet has left, before removing that packet.
  template <class Gone>
  void update(const Wires& wires, Gone gone) {
    for (const Arrival& arrival : arrivals_) add(arrival);
    for (const std::uint32_t id : active_) {
      HeldVc& vc = vcs_[id];
      if (!look(vc)) continue;
      gone(vc);
      vc.packets.pop_front();
    }
    std::erase_if(active_, [this](std::uint32_t id) {
      vcs_[id].listed = !vcs_[id].packets.empty();
      return !vcs_[id].listed;
    });
    read(wires);
  }

  /// Calls `visit` with every buffer that has a packet.
  template <class Visit>
  void for_each(Visit visit) {
    for (const std::uint32_t id : active_) visit(vcs_[id]);
  }

  /// Why packet `i` of a buffer did not move at the last clock edge.
  Wait wait_of(const HeldVc& vc, std::size_t i) const;
  /// Why packet `i` of a buffer did not move at the last clock edge, in words: what it waits for,
  /// and which packet has it.
  std::string reason(const HeldVc& vc, std::size_t i, const Wires& wires) const;
  /// Name of a packet: "3 -> 7".
  std::string name(const Header& header) const;

  const VcRouter& router(std::uint32_t block) const { return *routers_[block - graph_.nodes]; }
  const HeldVc& at(std::uint32_t block, const VcRouterSignals::VcId& in) const {
    return vcs_[(graph_.blocks[block].first_in + in.port) * graph_.num_vc + in.vc];
  }
  /// Whether the flit on a link in this cycle is a header.
  bool header_on(std::uint32_t link) const { return header_on_[link] != 0; }

 private:
  struct Arrival {
    std::uint32_t vc;
    Flit flit;
  };

  void add(const Arrival& arrival);
  bool known(std::uint32_t address) const {
    const std::uint32_t rank = rank_[address];
    return rank < graph_.nodes && graph_.address[rank] == address;
  }
  std::uint32_t out_port(const HeldVc& vc, const Header& header) const;
  bool look(HeldVc& vc) const;
  bool stores(const HeldVc& vc) const;
  Wait of_eligible(const HeldVc& vc, std::uint32_t link) const;
  void read(const Wires& wires);

  const Graph& graph_;
  const Graph& ways_;
  RouterModels routers_;
  std::vector<std::uint32_t> rank_;  // By address: rank of the node.
  std::vector<HeldVc> vcs_;          // By link and VC.
  std::vector<std::uint32_t> active_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint8_t> in_packet_;  // By link and VC.
  std::vector<Header> on_link_;          // By link and VC: header of the packet whose flit passed
                                         // last.
  std::vector<std::uint8_t> header_on_;  // By link.
  std::vector<std::uint8_t> moves_;      // By link: a flit is on it.
};

}  // namespace weft
