// A network of routers that moves packets as spans: checks of a loaded state. A checkpoint may hold
// any numbers; here each index, and each count that limits a loop, is compared with what there is,
// so that the cycles need not check.
#include <algorithm>

#include "sim/spans/network.hpp"

namespace weft {

bool NetworkState::in_part(const Link& link, bool source, unsigned part) const {
  const std::uint32_t block = source ? link.src_block : link.dst_block;
  return block != kOpen && division_.of_block[block] == part;
}

bool NetworkState::has_port(std::uint32_t p, unsigned part) const {
  return p < ports_.size() && graph_.out_link[p] != kOpen &&
         in_part(graph_.links[graph_.out_link[p]], true, part);
}

bool NetworkState::is_mirror(std::uint32_t c, unsigned part) const {
  return c >= own_channels_ && c < own_channels_ + mirrors_ &&
         channels_[c].phase == Phase::kMirror && has_port(channels_[c].from, part);
}

// Link of a channel that is between routers or leads out of an interface.
std::uint32_t NetworkState::link_of(std::uint32_t c) const {
  return nic_ports_ + (c - 2 * nic_ports_) / num_vc_;
}

bool NetworkState::is_buffer(std::uint32_t c, unsigned part) const {
  return c >= 2 * nic_ports_ && c < own_channels_ && in_part(graph_.links[link_of(c)], false, part);
}

// Whether the out-port of the packet's computed route exists in all routers for which it holds; the
// next of them is `block`.
bool NetworkState::good_way(std::uint32_t block, const Packet& packet) const {
  for (std::uint32_t more = packet.way_more; more != 0; --more) {
    if (packet.way_port >= graph_.blocks[block].num_out) return false;
    const std::uint32_t link = graph_.out_link[graph_.blocks[block].first_out + packet.way_port];
    if (link == kOpen) return false;
    if (link < nic_ports_) return true;
    block = graph_.links[link].dst_block;
  }
  return true;
}

// Whether a packet can come to the front of a channel.
bool SpanNetwork::good_queued(const State& state, std::uint32_t c, const LoadedPackets& packets,
                              std::uint32_t packet) const {
  if (channels_[c].ports == kNone) return packets.exists(packet);
  return packets.has_route(packet) &&
         state.good_way(graph_.links[state.link_of(c)].dst_block, packets[packet]);
}

// Checks the counts of a channel and the packets that wait in it.
bool SpanNetwork::good_channel(const State& state, std::uint32_t c, Cycle cycle,
                               const LoadedPackets& packets) const {
  const Channel& channel = channels_[c];
  if (channel.queued > ring_mask_ + 1 || channel.oldest > ring_mask_) return false;
  if (!has_order(channel.in, channel.out, cycle)) return false;
  for (std::uint32_t i = 0; i < channel.queued; ++i) {
    const std::uint32_t packet = ring(c)[(channel.oldest + i) & ring_mask_];
    if (!good_queued(state, c, packets, packet)) return false;
  }
  return channel.told != Told::kPort || channel.from != kNone;
}

bool SpanNetwork::wants(std::uint32_t p, std::uint32_t requester) const {
  const std::uint64_t want =
      words_ == 1 ? ports_[p].want : wants_[std::size_t{p} * words_ + requester / 64];
  return (want >> requester % 64 & 1) != 0;
}

// Whether flits of a port's packet are certain to move in `cycle` or later.
bool SpanNetwork::moves(const Port& port, Cycle cycle) const {
  return port.packet != kNone && (port.left != 0 || port.until > cycle);
}

// Checks the front packet of channel `c` of a block.
bool SpanNetwork::good_front(const State& state, const Block& block, std::uint32_t c, Cycle cycle,
                             const LoadedPackets& packets) const {
  const Channel& channel = channels_[c];
  const Phase phase = channel.phase;
  const bool offered = c < nic_ports_, router = channel.ports != kNone;
  if (phase == Phase::kEmpty && channel.queued != 0) return false;
  if (!offered && !router) {  // The interface looks at any front packet.
    const bool takes = phase == Phase::kWaiting || phase == Phase::kMoving;
    return takes ? packets.exists(channel.front) : phase == Phase::kEmpty && channel.front == kNone;
  }
  if (phase == Phase::kEmpty) return true;
  if (phase == Phase::kLeaving && channel.out.end() <= cycle) return true;
  if (!packets.exists(channel.front)) return false;
  if (phase == Phase::kStoring) {
    return router && good_queued(state, c, packets, channel.front);
  }
  const std::uint32_t p = channel.port;
  if (p < block.first_out || p >= block.first_out + block.num_out) return false;
  const Port& port = ports_[p];
  if (port.channels == kNone || graph_.out_link[p] == kOpen) return false;
  if (phase == Phase::kLeaving) return true;
  if (phase == Phase::kWaiting) {
    if (!packets.has_route(channel.front)) return false;
    const std::uint32_t link = graph_.out_link[p];
    if (!port.exit && !state.good_way(graph_.links[link].dst_block, packets[channel.front])) {
      return false;
    }
    if (offered) return channel.to == kNone || channel.to <= most_channel_;
  }
  const std::uint32_t vcs = port.exit ? 1 : num_vc_;
  const std::uint32_t choices = phase == Phase::kWaiting ? channel.choices : 1;
  return choices <= vcs && channel.to >= port.channels &&
         channel.to - port.channels <= vcs - choices;
}

// Checks that requesters of a port are channels that request it.
bool SpanNetwork::good_wants(const Block& block, std::uint32_t p, Cycle cycle) const {
  const Port& port = ports_[p];
  const std::uint32_t count = requesters_of(block);
  for (std::uint32_t r = 0; r < words_ * 64; ++r) {
    if (!wants(p, r)) continue;
    if (r >= count) return false;
    const Channel& x = channels_[port.requesters + r];
    if (x.port != p || (x.phase != Phase::kWaiting && x.phase != Phase::kMoving)) return false;
    // An interface offers the next packet when it knows the end of the one before.
    if (!of_interface(p) && x.out.total != x.out.base && x.out.end() > cycle) return false;
  }
  return true;
}

bool SpanNetwork::good_port(const Block& block, std::uint32_t p, Cycle cycle,
                            const LoadedPackets& packets) const {
  const Port& port = ports_[p];
  const std::uint32_t count = requesters_of(block);
  if (!good_wants(block, p, cycle)) return false;
  if (port.holder != kNone && (port.holder >= count || !wants(p, port.holder))) return false;
  if (of_interface(p) && port.pointer >= inject_vcs_) return false;
  if (port.packet == kNone) return true;
  if (port.channels == kNone || graph_.out_link[p] == kOpen) return false;
  if (!packets.exists(port.packet)) return false;
  if (port.x < port.requesters || port.x - port.requesters >= count) return false;
  if (port.y < port.channels || port.y - port.channels >= (port.exit ? 1 : num_vc_)) return false;
  if (!moves(port, cycle)) return true;
  // The certain flits of a span are those that its channels have.
  const Channel &x = channels_[port.x], &y = channels_[port.y];
  if (x.out.end() != port.until || y.in.end() != port.until || port.until < cycle) return false;
  // An interface offers the next packet behind one whose tail is certain to leave.
  if (of_interface(p) && port.left == 0) return true;
  return x.front == port.packet && x.port == p && !wants(p, port.x - port.requesters) &&
         (x.phase == Phase::kMoving || x.phase == Phase::kLeaving);
}

template <class Use>
void SpanNetwork::each_channel(const State& state, const Block& block, Use use) const {
  const std::uint32_t first = state.channel_of(block.first_in);
  const std::uint32_t count = block.num_in * (block.first_in < nic_ports_ ? 1 : num_vc_);
  for (std::uint32_t c = first; c < first + count; ++c) use(c);
  if (block.first_out >= nic_ports_) return;
  for (std::uint32_t c = block.first_out; c < block.first_out + block.num_out; ++c) use(c);
}

void SpanNetwork::check_events(const State& state, unsigned part, Cycle cycle,
                               const LoadedPackets& packets) const {
  for (const Wheel* wheel : {&wheel_, &fronts_, &ends_}) {
    require_loaded(wheel->is_good(cycle), "an event that is over");
  }
  wheel_.each([&](Cycle, std::uint32_t p) {
    require_loaded(state.has_port(p, part), "a port to look at that is not there");
  });
  std::vector<std::uint32_t> fronts;
  fronts_.each([&](Cycle at, std::uint32_t c) {
    require_loaded(state.is_buffer(c, part), "a channel that is not there");
    const Channel& x = channels_[c];
    const bool leaves = x.phase == Phase::kLeaving && x.queued != 0 && at >= x.out.end();
    require_loaded(x.phase == Phase::kStoring || leaves, "a channel without the next packet");
    fronts.push_back(c);
  });
  require_loaded(are_different(fronts), "a channel without the next packet");
  const auto require_way = [&](std::uint32_t way) {
    require_loaded(way < ways_.size(), "flits on a link that are not there");
  };
  std::for_each(free_ways_.begin(), free_ways_.end(), require_way);
  ends_.each([&](Cycle, std::uint32_t way) {
    require_way(way);
    require_loaded(good_flits(state, part, ways_[way].flits, ways_[way].out, packets),
                   "flits on a link that is not there");
  });
}

bool SpanNetwork::good_flits(const State& state, unsigned part, const Mail::Flits& what, bool out,
                             const LoadedPackets& packets) const {
  if (out) return state.is_mirror(what.channel, part);
  return state.is_buffer(what.channel, part) && channels_[what.channel].told == Told::kPart &&
         (!what.header || good_queued(state, what.channel, packets, what.packet));
}

void SpanNetwork::check_mail(const State& state, unsigned part, const Mail& mail,
                             const LoadedPackets& packets) const {
  for (const Mail::Flits& what : mail.in) {
    require_loaded(good_flits(state, part, what, false, packets),
                   "flits into a channel that is not there");
  }
  for (const Mail::Flits& what : mail.out) {
    require_loaded(good_flits(state, part, what, true, packets),
                   "flits out of a channel that is not there");
  }
}

void SpanNetwork::check_loaded(const State& state, unsigned part,
                               const std::vector<std::uint32_t>& blocks, Cycle cycle,
                               const LoadedPackets& packets) const {
  for (const std::uint32_t b : blocks) {
    const Block& block = graph_.blocks[b];
    each_channel(state, block, [&](std::uint32_t c) {
      require_loaded(good_channel(state, c, cycle, packets), "counts of a channel that cannot be");
      require_loaded(good_front(state, block, c, cycle, packets),
                     "a packet in a channel that cannot be");
    });
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      require_loaded(good_port(block, p, cycle, packets), "a packet at a port that cannot be");
      if (ports_[p].channels == kNone) continue;
      for (std::uint32_t v = 0; v < num_vc_; ++v) {
        const Channel& mirror =
            channels_[std::min<std::size_t>(ports_[p].channels + v, most_channel_)];
        require_loaded(mirror.phase != Phase::kMirror || has_order(mirror.in, mirror.out, cycle),
                       "counts of a channel that cannot be");
      }
    }
  }
  check_events(state, part, cycle, packets);
}

}  // namespace weft
