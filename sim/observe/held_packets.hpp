// The packets in the buffers of a network's routers, followed from cycle to cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/fabric/wires.hpp"
#include "sim/observe/waits.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Why a packet in a buffer did not move.
enum class Wait : std::uint8_t {
  kNone,        ///< It did, or its way was free only now.
  kCredit,      ///< It has a VC and a flit here, but no place at the other side.
  kVc,          ///< Its header may take no VC that is free with a place.
  kHolBlocked,  ///< It is not in front of its buffer.
  kGap,         ///< It is in progress, but no flit of it is here.
  kTail,        ///< With store and forward: its last flit is not here.
  kLink,        ///< It could go, but the link moves another packet's flit.
};

/// A packet from the cycle in which its header is in a buffer to the one before its last flit has
/// left it.
struct HeldPacket {
  Header header;
  std::uint32_t out_port = 0;  ///< Of the router, where it goes on.
  std::uint32_t held = 0;      ///< Flits of it in the buffer.
  bool whole = false;          ///< Its last flit has come.
  unsigned lane = 0;           ///< Number that no other packet in this buffer has.
  Wait wait = Wait::kNone;     ///< Since `since`, in words `reason`; for who shows it (WaitEvents).
  std::uint64_t since = 0;
  std::string reason;
};

/// A VC's buffer.
struct HeldVc {
  std::uint32_t block = 0;
  unsigned port = 0, vc = 0;
  bool popped = false;   ///< A flit has left in the last clock edge.
  bool flowing = false;  ///< The packet in front is in progress.
  bool listed = false;
  std::deque<HeldPacket> packets;  ///< The oldest first.
};

/// Sees the links in every cycle and the routers' buffers, and knows from that which packet each
/// flit belongs to, also when its header is far ahead.
class HeldPackets {
 public:
  HeldPackets(const Graph& graph, RouterModels routers);

  /// Takes in what stands on the links and what the last clock edge has done. `gone` is called with
  /// each buffer from whose front a packet has left, while that is still there. Once for each cycle
  /// from 0 on.
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

  /// Calls `visit` with every buffer that has a packet, by its number.
  template <class Visit>
  void for_each(Visit visit) {
    for (const std::uint32_t id : active_) visit(vcs_[id]);
  }

  /// Why packet `i` of a buffer did not move in the last clock edge.
  Wait wait_of(const HeldVc& vc, std::size_t i) const;
  /// The same in words: what it waits for, and which packet has that.
  std::string reason(const HeldVc& vc, std::size_t i, const Wires& wires) const;
  /// "3 -> 7".
  std::string name(const Header& header) const;

  const VcRouter& router(std::uint32_t block) const { return *routers_[block - graph_.nodes]; }
  const HeldVc& at(std::uint32_t block, const VcRouter::Place& place) const {
    return vcs_[(graph_.blocks[block].first_in + place.port) * graph_.num_vc + place.vc];
  }
  /// Whether the flit on a link in this cycle is a header.
  bool header_on(std::uint32_t link) const { return header_on_[link] != 0; }

 private:
  struct Arrival {
    std::uint32_t vc;
    Flit flit;
  };

  void add(const Arrival& arrival);
  bool look(HeldVc& vc) const;
  bool stores(const HeldVc& vc) const;
  void read(const Wires& wires);

  const Graph& graph_;
  RouterModels routers_;
  std::vector<std::uint32_t> rank_;  // By address.
  std::vector<HeldVc> vcs_;          // By link and VC.
  std::vector<std::uint32_t> active_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint8_t> in_packet_;  // By link and VC.
  std::vector<Header> on_link_;          // By link and VC: of the packet whose flit came last.
  std::vector<std::uint8_t> header_on_;  // By link.
};

}  // namespace weft
