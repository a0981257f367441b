// A network of routers that moves packets as spans: how it ends, and what is rare.
#include "sim/spans/network.hpp"

#include <algorithm>

#include "sim/router/route/route_unit.hpp"
#include "sim/spans/network_hot.hpp"

namespace weft {

SpanNetwork::SpanNetwork(NetworkState& state, Packets& packets, const Powers& powers)
    : NetworkBasis(state),
      channels_(state.channels_.data()),
      ports_(state.ports_.data()),
      orders_(state.orders_.data()),
      wants_(state.wants_.data()),
      rings_(state.rings_.data()),
      rank_(state.rank_.data()),
      most_channel_(state.channels_.size() - 1),
      packets_(packets),
      powers_(powers),
      stages_(state.stages_.empty() ? nullptr : state.stages_.data()) {}

// Computes the route of a packet at a router.
void SpanNetwork::find_way(const Channel& channel, Packet& packet) const {
  const std::uint64_t header = packet.header;
  const Port& router = ports_[channel.ports];
  const RouteOn way = graph_.route_units[router.shape]->route_on(
      channel.in_port, router.own, static_cast<std::uint32_t>(header >> src_lsb_) & address_mask_,
      static_cast<std::uint32_t>(header >> kHdrDstLsb) & address_mask_,
      (header >> (kHdrTagLsb + kTagOtherWay) & 1) != 0);
  packet.way_port = static_cast<std::uint8_t>(way.out.port);
  packet.way_set = way.out.set;
  packet.way_more = static_cast<std::uint16_t>(std::min(way.more, 0xfffeu) + 1);
}

// With store and forward, whether a packet from a neighbour that comes to the front waits for its
// tail.
bool SpanNetwork::stores(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (of_interface(channel.from) || channel.queued != 0) return false;  // Another has followed it.
  if (channel.in.total - channel.out.total < packets_[packet].flits) return true;
  if (channel.in.end() <= cycle) return false;
  fronts_.add(channel.in.end(), c);
  return true;
}

// Counts the port's span in the digest, as far as it is certain before `until`.
void SpanNetwork::count_part(std::uint32_t p, Cycle until) {
  const Port& port = ports_[p];
  packets_.count_part(port, static_cast<std::uint16_t>(port.y - port.channels),
                      channels_[port.y].factor, powers_, until);
}

void SpanNetwork::pop_exit(std::uint32_t link) {
  Channel& channel = exit(link);
  if (channel.queued == 0) {
    channel.front = kNone;
    channel.phase = Phase::kEmpty;
    return;
  }
  channel.front = next_queued(nic_ports_ + link);
  channel.phase = Phase::kWaiting;
}

void SpanNetwork::count_before(std::uint32_t p, Cycle cycle, bool undo) {
  const Port& port = ports_[p];
  if (port.packet == kNone) return;
  packets_.count_before(port, static_cast<std::uint16_t>(port.y - port.channels),
                        channels_[port.y].factor, powers_, cycle, undo);
}

void SpanNetwork::end(std::uint32_t p, Cycle cycle) {
  count_before(p, cycle, false);
  Port& port = ports_[p];
  if (port.packet == kNone || port.until <= cycle) return;
  port.load -= port.until - cycle;
  if (of_interface(p) && port.left == 0) --entered_;
}

// Tells that flits are granted out of a channel whose link comes from another part, or has
// registers.
void SpanNetwork::tell_out(const Channel& x, Cycle start, std::uint32_t flits, bool begins,
                           Cycle cycle) {
  const Mail::Flits what = {static_cast<std::uint32_t>(x.factor), x.front, start,
                            static_cast<std::uint16_t>(flits),    begins,  false};
  const auto part = static_cast<std::uint32_t>(x.factor >> 32);
  part == State::kOwnPart ? arrive(what, true, cycle + 1) : outbox_[part].out.push_back(what);
}

// Tells that flits of the port's packet are granted into a mirror.
void SpanNetwork::tell_in(const Port& port, Cycle start, std::uint32_t flits, bool begins,
                          Cycle cycle) {
  const Channel& y = channels_[port.y];
  const Mail::Flits what = {y.to,   port.packet,
                            start,  static_cast<std::uint16_t>(flits),
                            begins, begins && port.first == 0};
  y.port == State::kOwnPart ? arrive(what, false, cycle + 1) : outbox_[y.port].in.push_back(what);
}

void SpanNetwork::take(const Mail& mail, Cycle cycle) {
  for (const Mail::Flits& what : mail.out) arrive(what, true, cycle);
  for (const Mail::Flits& what : mail.in) arrive(what, false, cycle);
}

// Applies what happened in the cycle before at the other end of a link: it counts here in `cycle`
// plus the link's registers.
void SpanNetwork::arrive(const Mail::Flits& what, bool out, Cycle cycle) {
  const Cycle stages = stages_ == nullptr ? 0 : stages_[what.channel];
  if (stages == 0) return out ? apply_out(what, cycle) : apply_in(what, cycle);
  if (free_ways_.empty()) {
    free_ways_.push_back(static_cast<std::uint32_t>(ways_.size()));
    ways_.emplace_back();
  }
  OnTheWay& way = ways_[free_ways_.back()];
  way = {what, out};
  way.flits.start += stages;
  ends_.add(cycle + stages, free_ways_.back());
  free_ways_.pop_back();
}

// Applies what counts from this cycle on at the other ends of links with registers.
void SpanNetwork::end_ways(Cycle cycle) {
  auto& ended = ends_.begin(cycle);
  for (std::uint32_t i = 0; i < ended.size(); ++i) {
    const OnTheWay way = ways_[ended[i]];
    free_ways_.push_back(ended[i]);
    way.out ? apply_out(way.flits, cycle) : apply_in(way.flits, cycle);
  }
  ended.clear();
}

// Applies that flits are granted out of the channel of a mirror.
void SpanNetwork::apply_out(const Mail::Flits& what, Cycle cycle) {
  Channel& y = channels_[what.channel];
  if (what.begins) y.out.begin(what.start);
  y.out.total += what.count;
  if (y.told != Told::kPort) return;
  y.told = Told::kNobody;
  schedule(y.from, cycle);
}

// Applies that flits are granted into the mirror of a channel.
void SpanNetwork::apply_in(const Mail::Flits& what, Cycle cycle) {
  Channel& y = channels_[what.channel];
  if (what.begins) y.in.begin(what.start);
  if (what.header) push<false>(what.channel, what.packet, cycle - 1);
  y.in.total += what.count;
  if (y.front != what.packet) return;
  if (y.phase == Phase::kStoring) {
    if (y.in.total - y.out.total == packets_[what.packet].flits) {
      fronts_.add(y.in.end(), what.channel);
    }
  } else if (!what.header && y.phase == Phase::kMoving && ports_[y.port].packet == kNone) {
    schedule(y.port, cycle);  // The port waited for flits.
  }
}

}  // namespace weft
