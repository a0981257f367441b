// The packets in the buffers of a fabric's routers, followed from cycle to cycle.
#include "sim/observe/held_packets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/router/vc_router.hpp"

namespace weft {

HeldPackets::HeldPackets(const Graph& graph, const Graph& ways, RouterModels routers)
    : graph_(graph),
      ways_(ways),
      routers_(std::move(routers)),
      rank_(ranks_by_address(graph)),
      vcs_(graph.links.size() * graph.num_vc),
      in_packet_(vcs_.size()),
      on_link_(vcs_.size()),
      header_on_(graph.links.size()),
      moves_(graph.links.size()) {
  for (std::uint32_t id = 0; id < vcs_.size(); ++id) {
    const Link& link = graph.links[id / graph.num_vc];
    vcs_[id].block = link.dst_block;
    vcs_[id].port = link.dst_port;
    vcs_[id].vc = id % graph.num_vc;
  }
}

std::uint32_t HeldPackets::out_port(const HeldVc& vc, const Header& header) const {
  if (!known(header.src) || !known(header.dst)) return kOpen;
  const bool other_way = (header.tag >> kTagOtherWay & 1) != 0;
  const std::uint32_t port = ways_.route(vc.block, vc.port, header.src, header.dst, other_way).port;
  return link_at(graph_, vc.block, port) == kOpen ? kOpen : port;
}

void HeldPackets::add(const Arrival& arrival) {
  HeldVc& vc = vcs_[arrival.vc];
  if (vc.packets.empty() || vc.packets.back().whole) {
    HeldPacket packet;
    packet.header = Header::unpack(arrival.flit.data, graph_.header);
    packet.out_port = out_port(vc, packet.header);
    const auto taken = [&](const HeldPacket& p) { return p.lane == packet.lane; };
    while (std::any_of(vc.packets.begin(), vc.packets.end(), taken)) ++packet.lane;
    vc.packets.push_back(std::move(packet));
    if (!vc.listed) active_.push_back(arrival.vc);
    vc.listed = true;
  }
  HeldPacket& packet = vc.packets.back();
  ++packet.held;
  packet.whole = arrival.flit.last;
}

// Updates a buffer; returns whether the tail of its front packet has left.
bool HeldPackets::look(HeldVc& vc) const {
  std::uint32_t known = 0;
  for (const HeldPacket& packet : vc.packets) known += packet.held;
  const auto view = router(vc.block).in_vc(vc.port, vc.vc);
  vc.popped = known != view.occupancy;
  vc.flowing = view.in_progress;
  if (!vc.popped || vc.packets.empty()) return false;
  HeldPacket& front = vc.packets.front();
  return --front.held == 0 && front.whole;
}

void HeldPackets::read(const Wires& wires) {
  arrivals_.clear();
  for (std::uint32_t link = 0; link < graph_.links.size(); ++link) {
    if (wires.arrives(link) && graph_.links[link].dst_block >= graph_.nodes) {
      const Flit& flit = wires.arriving(link);  // An error may have changed its VC.
      if (flit.vc < graph_.num_vc) arrivals_.push_back({link * graph_.num_vc + flit.vc, flit});
    }
    moves_[link] = wires.has_flit(link);
    if (moves_[link] == 0) continue;
    const Flit& flit = wires.on(link);
    if (flit.vc >= graph_.num_vc) continue;
    const std::uint32_t id = link * graph_.num_vc + flit.vc;
    header_on_[link] = in_packet_[id] == 0;
    if (header_on_[link] != 0) on_link_[id] = Header::unpack(flit.data, graph_.header);
    in_packet_[id] = !flit.last;
  }
}

// Whether the packets in this buffer are stored and forwarded.
bool HeldPackets::stores(const HeldVc& vc) const {
  const VcRouter::Config& config = router(vc.block).config();
  return config.store_forward && vc.port < config.num_ports - config.num_local;
}

// What a packet waits for that has a flit, and a VC of `link` with a credit. Allocation is
// work-conserving, so another packet moves, unless the flit has only now come so far in the
// router's pipeline.
Wait HeldPackets::of_eligible(const HeldVc& vc, std::uint32_t link) const {
  return router(vc.block).config().pipeline == 1 || moves_[link] != 0 ? Wait::kLink
                                                                      : Wait::kPipeline;
}

Wait HeldPackets::wait_of(const HeldVc& vc, std::size_t i) const {
  const HeldPacket& packet = vc.packets[i];
  if (packet.out_port == kOpen) return Wait::kNone;  // The packet is lost.
  // Not head-of-line blocked: it could not leave even if it were in front.
  if (!packet.whole && stores(vc)) return Wait::kTail;
  if (i > 0) return Wait::kHolBlocked;
  const VcRouter& here = router(vc.block);
  const auto view = here.in_vc(vc.port, vc.vc);
  const std::uint32_t link = link_at(graph_, vc.block, view.port);
  if (link == kOpen) return Wait::kNone;  // The packet is lost.
  if (view.in_progress) {
    if (vc.popped) return Wait::kNone;
    if (packet.held == 0) return Wait::kGap;
    return here.out_vc(view.port, view.vc).credits == 0 ? Wait::kCredit : of_eligible(vc, link);
  }
  // The packet reached the front at this clock edge; until then it was head-of-line blocked.
  if (vc.popped) return Wait::kHolBlocked;
  const bool local = graph_.links[link].dst_block < graph_.nodes;
  const unsigned need = here.config().cut_through && !local ? packet.header.len + 1 : 1;
  for (unsigned v = 0; v < (local ? 1 : graph_.num_vc); ++v) {
    if (!local && !may_request(view.set, vc.vc, v, graph_.num_vc)) continue;
    const auto out = here.out_vc(view.port, v);
    if (!out.owned && out.credits >= need) return of_eligible(vc, link);
  }
  return Wait::kVc;
}

std::string HeldPackets::reason(const HeldVc& vc, std::size_t i, const Wires& wires) const {
  const HeldPacket& packet = vc.packets[i];
  const Block& block = graph_.blocks[vc.block];
  const std::uint32_t link = graph_.out_link[block.first_out + packet.out_port];
  const auto view = router(vc.block).in_vc(vc.port, vc.vc);
  const std::string link_name = graph_.link_name(link);
  switch (wait_of(vc, i)) {
    case Wait::kHolBlocked:
      return i == 0 ? "the packet that has just left"
                    : fmt::format("packet {} in front of it", name(vc.packets[i - 1].header));
    case Wait::kCredit:
      return fmt::format("a credit for {} vc {}", link_name, view.vc);
    case Wait::kGap:
      return fmt::format("its next flit by {} vc {}", graph_.link_name(block.first_in + vc.port),
                         vc.vc);
    case Wait::kTail:
      return fmt::format("its last flit by {} vc {}", graph_.link_name(block.first_in + vc.port),
                         vc.vc);
    case Wait::kPipeline:
      return "the stages of the router before the switch";
    case Wait::kLink:
      return fmt::format("{}, which packet {} has", link_name,
                         name(on_link_[link * graph_.num_vc + wires.on(link).vc]));
    default:
      break;
  }
  const bool local = graph_.links[link].dst_block < graph_.nodes;
  std::string text = "a VC of " + link_name;
  for (unsigned v = 0; v < (local ? 1 : graph_.num_vc); ++v) {
    if (!local && !may_request(view.set, vc.vc, v, graph_.num_vc)) continue;
    const auto out = router(vc.block).out_vc(view.port, v);
    const auto& owner = at(vc.block, out.owner).packets;
    text += !out.owned ? fmt::format("; vc {}: no credit", v)
            : owner.empty()
                ? fmt::format("; vc {}: a packet without an end has it", v)
                : fmt::format("; vc {}: packet {} has it", v, name(owner.front().header));
  }
  return text;
}

std::string HeldPackets::name(const Header& header) const {
  return fmt::format("{} -> {}", rank_[header.src], rank_[header.dst]);
}

}  // namespace weft
