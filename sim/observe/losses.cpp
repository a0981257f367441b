// Why the links of a network of routers idle: every cycle of every link goes to one cause.
#include "sim/observe/losses.hpp"

#include <algorithm>

namespace weft {
namespace {

constexpr const char* kCauseNames[] = {
    "header",          "body",         "credit",          "vc",
    "behind",          "gap_upstream", "nothing_backlog", "nothing_barrier",
    "nothing_program", "nothing_end"};
constexpr const char* kTailNames[] = {"interface", "behind", "link", "credit", "moving", "source"};
constexpr const char* kPacketWaitNames[] = {"link", "vc", "credit", "behind"};
static_assert(std::size(kPacketWaitNames) == Losses::kNumPacketWaits);
static_assert(std::size(kCauseNames) == Losses::kNumCauses);
static_assert(std::size(kTailNames) == Losses::kNumTails);

// The cause that a packet in a buffer is for its own link, which idles.
Losses::Cause cause_of(Wait wait, bool in_progress) {
  switch (wait) {
    case Wait::kCredit:
      return Losses::kCredit;
    case Wait::kBehind:
      return Losses::kBehind;
    case Wait::kVc:
      return Losses::kVc;
    case Wait::kLink:
      return in_progress ? Losses::kCredit : Losses::kVc;
    default:
      return Losses::kGapUpstream;
  }
}

// What a packet waits for; kNumPacketWaits where it does not.
Losses::PacketWait packet_wait_of(Wait wait) {
  switch (wait) {
    case Wait::kLink:
      return Losses::kForLink;
    case Wait::kVc:
      return Losses::kForVc;
    case Wait::kCredit:
      return Losses::kForCredit;
    case Wait::kBehind:
      return Losses::kForFront;
    default:
      return Losses::kNumPacketWaits;
  }
}

}  // namespace

Losses::Losses(const Graph& graph)
    : graph_(graph), wants_(graph.out_link.size()), unposted_(graph.nodes), posted_(graph.nodes) {
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
      list.push_back({link, b, p, node[b]});
    }
  }
}

// What each packet waits for, and what each out-port would idle for.
void Losses::note_wants(HeldPackets& packets) {
  std::fill(wants_.begin(), wants_.end(), kNumCauses);
  packets.for_each([&](const HeldVc& vc) {
    for (std::size_t i = 0; i < vc.packets.size(); ++i) {
      const std::uint32_t out = graph_.blocks[vc.block].first_out + vc.packets[i].out_port;
      const Wait wait = packets.wait_of(vc, i);
      wants_[out] = std::min(wants_[out], cause_of(wait, vc.flowing));
      const PacketWait packet_wait = packet_wait_of(wait);
      if (packet_wait == kNumPacketWaits) continue;
      const bool ejects = graph_.links[graph_.out_link[out]].dst_block < graph_.nodes;
      ++(ejects ? ejection_waits_ : links_waits_)[packet_wait];
    }
  });
}

void Losses::add(const Wires& wires, HeldPackets& packets, const std::vector<NodeSends>& sends) {
  ++cycles_;
  note_wants(packets);
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (!sends[n].posted) continue;
    ++posted_[n];
    sums_[kProgram] += unposted_[n];
    unposted_[n] = 0;
  }
  for (const Out& out : links_) {
    if (wires.stands(out.link)) {
      ++sums_[packets.header_on(out.link) ? kHeader : kBody];
    } else if (const Cause want = wants_[graph_.blocks[out.block].first_out + out.port];
               want != kNumCauses) {
      ++sums_[want];
    } else if (posted_[out.node] > sends[out.node].sent) {
      ++sums_[kBacklog];
    } else if (sends[out.node].in_barrier) {
      ++sums_[kBarrier];
    } else {
      ++unposted_[out.node];
    }
  }
  for (const Out& out : ejections_) add_ejection(out, wires, packets);
}

void Losses::add_ejection(const Out& out, const Wires& wires, const HeldPackets& packets) {
  if (wires.stands(out.link)) {
    ++(packets.header_on(out.link) ? eject_header_ : eject_body_);
  } else if (wants_[graph_.blocks[out.block].first_out + out.port] == kNumCauses) {
    ++eject_none_;
  } else {
    ++tails_[tail_of(out, wires, packets)];
  }
}

// Follows the packet that has the link from its last flit there towards its source, to where more
// of it is.
Losses::Tail Losses::tail_of(const Out& out, const Wires& wires, const HeldPackets& packets) const {
  std::uint32_t block = out.block, port = out.port;
  unsigned vc = 0;
  auto has = packets.router(block).out_vc(port, vc);
  if (!has.owned) return has.places == 0 ? kTailInterface : kTailBehind;
  for (bool first = true;; first = false) {
    const auto view = packets.router(block).in_vc(has.owner.port, has.owner.vc);
    if (view.occupancy != 0) {
      if (has.places == 0) return first ? kTailInterface : kTailCredit;
      const std::uint32_t link = graph_.out_link[graph_.blocks[block].first_out + port];
      return wires.stands(link) ? kTailLink : kTailMoving;
    }
    const std::uint32_t link = graph_.blocks[block].first_in + has.owner.port;
    if (wires.stands(link) && wires.on(link).vc == has.owner.vc) return kTailMoving;
    block = graph_.links[link].src_block;
    port = graph_.links[link].src_port;
    vc = has.owner.vc;
    if (block < graph_.nodes) return kTailSource;
    has = packets.router(block).out_vc(port, vc);
    if (!has.owned) return kTailMoving;
  }
}

std::uint64_t Losses::sum(Cause cause) const {
  std::uint64_t sum = sums_[cause];
  if (cause == kEnd) {
    for (const std::uint64_t cycles : unposted_) sum += cycles;
  }
  return sum;
}

nlohmann::json Losses::to_json(const PacketWaits& waits) {
  nlohmann::json object;
  for (unsigned w = 0; w < kNumPacketWaits; ++w) object[kPacketWaitNames[w]] = waits[w];
  return object;
}

nlohmann::json Losses::to_json(bool traffic) const {
  nlohmann::json object = {{"links", links()}, {"cycles", cycles()}};
  for (unsigned c = 0; c < (traffic ? kBarrier : kNumCauses); ++c) {
    object["link_cycles"][kCauseNames[c]] = sum(static_cast<Cause>(c));
  }
  if (traffic) object["link_cycles"]["nothing_source"] = sum(kProgram) + sum(kEnd);
  object["packet_waits"] = to_json(links_waits_);
  auto& ejection = object["ejection"];
  ejection = {{"links", ejections_.size()},
              {"header", eject_header_},
              {"body", eject_body_},
              {"no_packet", eject_none_},
              {"packet_waits", to_json(ejection_waits_)}};
  for (unsigned t = 0; t < kNumTails; ++t) {
    ejection["tail_stranded"][kTailNames[t]] = tails_[t];
  }
  return object;
}

}  // namespace weft
