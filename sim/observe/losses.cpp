// Why the links of a fabric of routers idle: every cycle of every link counts for one cause.
#include "sim/observe/losses.hpp"

#include <algorithm>

namespace weft {
namespace {

// The cause for which a packet's link idles, from what the packet waits for.
LossSums::Cause cause_of(Wait wait, bool in_progress) {
  switch (wait) {
    case Wait::kCredit:
      return LossSums::kCredit;
    case Wait::kHolBlocked:
      return LossSums::kHolBlocked;
    case Wait::kVc:
      return LossSums::kVc;
    case Wait::kPipeline:
      return LossSums::kPipeline;
    case Wait::kLink:
      return in_progress ? LossSums::kCredit : LossSums::kVc;
    default:
      return LossSums::kGapUpstream;
  }
}

// What a packet waits for; kNumPacketWaits if it does not wait.
LossSums::PacketWait packet_wait_of(Wait wait) {
  switch (wait) {
    case Wait::kLink:
      return LossSums::kForLink;
    case Wait::kVc:
      return LossSums::kForVc;
    case Wait::kCredit:
      return LossSums::kForCredit;
    case Wait::kHolBlocked:
      return LossSums::kForHolBlocked;
    default:
      return LossSums::kNumPacketWaits;
  }
}

}  // namespace

Losses::Losses(const Graph& graph)
    : graph_(graph), wants_(graph.out_link.size()), posted_(graph.nodes) {
  std::vector<std::uint32_t> node(graph.blocks.size());
  for (std::uint32_t l = 0; l < graph.nodes * graph.nic_links; ++l) {
    node[graph.links[l].src_block] = graph.links[l].dst_block;
  }
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    for (std::uint32_t p = 0; p < block.num_out; ++p) {
      const std::uint32_t link = graph.out_link[block.first_out + p];
      if (link == kOpen) continue;
      auto& list = graph.links[link].dst_block < graph.nodes ? ejections_ : links_;
      list.push_back({.link = link, .block = b, .port = p, .node = node[b]});
    }
  }
}

// Counts what each packet waits for, and finds for each out-port the cause if it idles.
void Losses::note_wants(HeldPackets& packets) {
  std::fill(wants_.begin(), wants_.end(), LossSums::kNumCauses);
  packets.for_each([&](const HeldVc& vc) {
    for (std::size_t i = 0; i < vc.packets.size(); ++i) {
      if (vc.packets[i].out_port == kOpen) continue;
      const std::uint32_t out = graph_.blocks[vc.block].first_out + vc.packets[i].out_port;
      const Wait wait = packets.wait_of(vc, i);
      wants_[out] = std::min(wants_[out], cause_of(wait, vc.flowing));
      const LossSums::PacketWait packet_wait = packet_wait_of(wait);
      if (packet_wait == LossSums::kNumPacketWaits) continue;
      const bool ejects = graph_.links[graph_.out_link[out]].dst_block < graph_.nodes;
      ++(ejects ? sums_.ejection.packet_waits : sums_.packet_waits)[packet_wait];
    }
  });
}

void Losses::add(const Wires& wires, HeldPackets& packets, const std::vector<NodeSends>& sends) {
  ++sums_.cycles;
  note_wants(packets);
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    posted_[n] += sends[n].posted ? 1 : 0;
  }
  for (Out& out : links_) {
    if (sends[out.node].posted) {
      out.causes[LossSums::kProgram] += out.unposted;
      out.unposted = 0;
    }
    if (wires.has_flit(out.link)) {
      ++out.causes[packets.header_on(out.link) ? LossSums::kHeader : LossSums::kBody];
    } else if (const LossSums::Cause want = wants_[graph_.blocks[out.block].first_out + out.port];
               want != LossSums::kNumCauses) {
      ++out.causes[want];
    } else if (posted_[out.node] > sends[out.node].sent) {
      ++out.causes[LossSums::kBacklog];
    } else if (sends[out.node].in_barrier) {
      ++out.causes[LossSums::kBarrier];
    } else {
      ++out.unposted;
    }
  }
  for (const Out& out : ejections_) add_ejection(out, wires, packets);
}

void Losses::add_ejection(const Out& out, const Wires& wires, const HeldPackets& packets) {
  if (wires.has_flit(out.link)) {
    ++(packets.header_on(out.link) ? sums_.ejection.header : sums_.ejection.body);
    return;
  }
  const LossSums::Cause want = wants_[graph_.blocks[out.block].first_out + out.port];
  if (want == LossSums::kNumCauses) {
    ++sums_.ejection.no_packet;
  } else if (want == LossSums::kPipeline) {
    ++sums_.ejection.tails[LossSums::kTailPipeline];
  } else {
    ++sums_.ejection.tails[tail_of(out, wires, packets)];
  }
}

// Follows the packet that has the link upstream to its next flit.
LossSums::Tail Losses::tail_of(const Out& out, const Wires& wires,
                               const HeldPackets& packets) const {
  std::uint32_t block = out.block, port = out.port;
  unsigned vc = 0;
  auto has = packets.router(block).out_vc(port, vc);
  if (!has.owned) return has.credits == 0 ? LossSums::kTailInterface : LossSums::kTailHolBlocked;
  for (bool first = true;; first = false) {
    const auto view = packets.router(block).in_vc(has.owner.port, has.owner.vc);
    if (view.occupancy != 0) {
      if (has.credits == 0) return first ? LossSums::kTailInterface : LossSums::kTailCredit;
      const std::uint32_t link = graph_.out_link[graph_.blocks[block].first_out + port];
      return wires.has_flit(link) ? LossSums::kTailLink : LossSums::kTailMoving;
    }
    const std::uint32_t link = graph_.blocks[block].first_in + has.owner.port;
    if (wires.has_flit(link) && wires.on(link).vc == has.owner.vc) return LossSums::kTailMoving;
    block = graph_.links[link].src_block;
    port = graph_.links[link].src_port;
    vc = has.owner.vc;
    if (block < graph_.nodes) return LossSums::kTailSource;
    has = packets.router(block).out_vc(port, vc);
    if (!has.owned) return LossSums::kTailMoving;
  }
}

std::vector<LinkLosses> Losses::links(bool traffic) const {
  std::vector<LinkLosses> all;
  for (const Out& out : links_) {
    LossSums::Causes causes = out.causes;
    causes[LossSums::kEnd] = out.unposted;
    if (traffic) {
      causes[LossSums::kSource] = causes[LossSums::kProgram] + causes[LossSums::kEnd];
      causes[LossSums::kProgram] = causes[LossSums::kEnd] = 0;
    }
    all.push_back({out.link, causes});
  }
  return all;
}

LossSums Losses::sums(bool traffic) const {
  LossSums sums = sums_;
  sums.pipelined = graph_.router_cycles() != 1;
  sums.traffic = traffic;
  sums.links = links_.size();
  sums.ejection.links = ejections_.size();
  for (const LinkLosses& link : links(traffic)) {
    for (unsigned c = 0; c < LossSums::kNumCauses; ++c) sums.causes[c] += link.causes[c];
  }
  return sums;
}

}  // namespace weft
