// Steps of the cycles of a SpanNetwork (network_step.cpp): packets come to the front and request a
// port, credits of channels are looked up, and what ports will need is fetched into the cache.
#pragma once

#include <algorithm>
#include <bit>
#include <tuple>

#include "sim/spans/network.hpp"

#define WEFT_HOT [[gnu::always_inline]] inline
#define WEFT_RARE [[gnu::noinline, gnu::cold]]

namespace weft {

WEFT_HOT void SpanNetwork::schedule(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.packet != kNone && cycle < port.until) cycle = port.until;
  if (port.look <= cycle) return;
  port.look = cycle;
  wheel_.add(cycle, p);
}

WEFT_HOT void SpanNetwork::want(std::uint32_t p, std::uint32_t requester) {
  Port& port = ports_[p];
  if (words_ == 1) {
    port.want |= std::uint64_t{1} << requester;
  } else {
    wants_[std::size_t{p} * words_ + requester / 64] |= std::uint64_t{1} << requester % 64;
    ++port.want;
  }
}
WEFT_HOT void SpanNetwork::drop_want(std::uint32_t p, std::uint32_t requester) {
  Port& port = ports_[p];
  if (words_ == 1) {
    port.want &= ~(std::uint64_t{1} << requester);
  } else {
    wants_[std::size_t{p} * words_ + requester / 64] &= ~(std::uint64_t{1} << requester % 64);
    --port.want;
  }
}

WEFT_HOT void SpanNetwork::request(std::uint32_t p, std::uint32_t x, Cycle cycle) {
  want(p, x - ports_[p].requesters);
  schedule(p, cycle);
}

// Routes the front packet of a router's channel, which requests from `cycle` on.
WEFT_HOT void SpanNetwork::find_route(std::uint32_t x, Cycle cycle) {
  Channel& channel = channels_[x];
  Packet& packet = packets_[channel.front];
  if (packet.way_more == 0) find_way(channel, packet);
  --packet.way_more;
  const std::uint32_t p = channel.ports + packet.way_port;
  const Port& port = ports_[p];
  channel.port = p;
  channel.phase = Phase::kWaiting;
  channel.to = port.channels;
  channel.choices = 1;
  if (!port.exit) {
    const auto& [first, count] = sets_[static_cast<unsigned>(packet.way_set)];
    channel.to += first;
    channel.choices = count;
    if (count == 0) [[unlikely]] {
      const std::uint32_t vc = (x - port.requesters) % num_vc_;
      channel.to += packet.way_set == VcSet::kSame ? vc : std::min(vc + 1, num_vc_ - 1);
      channel.choices = 1;
    }
  }
  request(p, x, cycle);
}

// A packet comes to the front of channel `c`: its header is buffered before `cycle`.
template <bool kPlain>
WEFT_HOT void SpanNetwork::come_front(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  channel.front = packet;
  if (channel.ports == kNone) {
    channel.phase = Phase::kWaiting;
  } else if (!kPlain && store_forward_ && stores(c, packet, cycle)) {
    channel.phase = Phase::kStoring;
  } else {
    find_route(c, cycle);
  }
}

// A packet's header is granted into channel `c` in this cycle.
template <bool kPlain>
WEFT_HOT void SpanNetwork::push(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.phase == Phase::kEmpty || (channel.phase == Phase::kLeaving && channel.queued == 0 &&
                                         channel.out.end() <= cycle + 1)) [[likely]] {
    return come_front<kPlain>(c, packet, cycle + 1);
  }
  if (channel.phase == Phase::kMirror) return;  // The other part is told and does it there.
  ring(c)[(channel.oldest + channel.queued) & ring_mask_] = packet;
  if (channel.queued++ == 0 && channel.phase == Phase::kLeaving) fronts_.add(channel.out.end(), c);
}

// Takes the first of the packets behind the front packet out of the ring.
WEFT_HOT std::uint32_t SpanNetwork::next_queued(std::uint32_t c) {
  Channel& channel = channels_[c];
  const std::uint32_t packet = ring(c)[channel.oldest];
  channel.oldest = static_cast<std::uint16_t>((channel.oldest + 1) & ring_mask_);
  --channel.queued;
  return packet;
}

// The next packet moves to the front: the front packet has left, or its tail was awaited and is
// there.
WEFT_HOT void SpanNetwork::move_up(std::uint32_t c, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.phase == Phase::kStoring) return find_route(c, cycle);
  come_front<false>(c, next_queued(c), cycle);
}

// Whether a channel has `need` credits; if it does not, and it is certain when it will, lowers
// `next`.
WEFT_HOT bool SpanNetwork::has_room(Channel& y, std::uint32_t depth, std::uint32_t need,
                                    Cycle cycle, Cycle& next) {
  const std::uint32_t gone = y.out.before(cycle);
  const std::uint32_t room = depth - (y.in.total - gone);
  if (room >= need) return true;
  const std::uint32_t missing = need - room;
  if (y.out.total - gone >= missing) {
    next = std::min(next, y.out.reaches(gone + missing));
  } else {
    y.told = Told::kPort;
  }
  return false;
}

// The free channel with the most credits of those that a header may have, the lowest of equals. If
// none has `need` credits, returns kNone and lowers `next` to when one is certain to have them.
WEFT_RARE inline std::uint32_t SpanNetwork::best(const Port& port, const Channel& x,
                                                 std::uint32_t need, Cycle cycle, Cycle& next) {
  const std::uint32_t depth = depth_into(port);
  std::uint32_t found = kNone, most = need - 1;
  for (std::uint32_t y = x.to; y < x.to + x.choices; ++y) {
    const Channel& channel = channels_[y];
    if (channel.taken) continue;
    const std::uint32_t room = depth - (channel.in.total - channel.out.before(cycle));
    if (room > most) {
      most = room;
      found = y;
    }
  }
  if (found != kNone) return found;
  for (std::uint32_t y = x.to; y < x.to + x.choices; ++y) {
    if (!channels_[y].taken) has_room(channels_[y], depth, need, cycle, next);
  }
  return kNone;
}

// Updates the order of an out-port's VCs after a grant to requester `r`.
WEFT_HOT void SpanNetwork::note_order(std::uint32_t p, const Channel& x, std::uint32_t to,
                                      std::uint32_t r, bool header) {
  Port& port = ports_[p];
  State::Order* const orders = orders_ + std::size_t{p} * num_vc_;
  const std::uint32_t vc = to - port.channels;
  if (!is_own(x)) {
    port.pointer = vc + 1;
    if (header) orders[vc].next = r + 1;
    return;
  }
  orders->own_vc = vc + 1;
  if (!header) return;
  orders[vc].own_next = r + 1;
  orders[vc].waits = 0;
}

// The channel to which the front flit of channel `x` can be granted in this cycle. If there is
// none, returns kNone and lowers `next` to the first cycle in which there will be one, as far as
// that is certain.
template <bool kPlain>
WEFT_HOT std::uint32_t SpanNetwork::eligible(const Port& port, std::uint32_t x, Cycle cycle,
                                             Cycle& next) {
  const Channel& from = channels_[x];
  if (from.in.before(cycle) == from.out.total) {
    if (from.in.total != from.out.total) {
      next = std::min(next, from.in.reaches(from.out.total + 1));
    }
    return kNone;
  }
  std::uint32_t need = 1;
  if (from.phase == Phase::kWaiting) {
    if (!kPlain && cut_through_ && !port.exit) need = packets_[from.front].flits;
    if (from.choices != 1) return best(port, from, need, cycle, next);
    if (channels_[from.to].taken) return kNone;
  }
  return has_room(channels_[from.to], depth_into(port), need, cycle, next) ? from.to : kNone;
}

// Makes a requester the choice if its front flit can be granted in this cycle and it goes before
// the choice so far.
template <bool kPlain>
WEFT_HOT void SpanNetwork::consider(std::uint32_t p, std::uint32_t x, Cycle cycle, Choice& choice,
                                    Cycle& next) {
  const Port& port = ports_[p];
  const std::uint32_t y = eligible<kPlain>(port, x, cycle, next);
  if (y == kNone) return;
  const std::uint32_t vc = y - port.channels, r = x - port.requesters;
  State::Order* const orders = orders_ + std::size_t{p} * num_vc_;
  State::Order& order = orders[vc];
  Choice other = {x, y, -1, kTransit, vc - port.pointer, r - order.next};
  if (is_own(channels_[x])) {
    other.kind = order.waits == own_after_ ? kTransit - 1 : kTransit + 1;
    other.vc = vc - orders->own_vc;
    other.place = r - order.own_next;
    own_asks_.push_back(&order);
  }
  if (!kPlain && age_) {
    other.age = age(x, cycle);
    if (other.age < choice.age) return;
    if (other.age > choice.age) {
      choice = other;
      return;
    }
  }
  if (choice.from == kNone || std::tie(other.kind, other.vc, other.place) <
                                  std::tie(choice.kind, choice.vc, choice.place)) {
    choice = other;
  }
}

// Fetches into the cache what the ports after index `i` will need: first the port, then the channel
// that requests it, then the channel that its packet goes to, and the packet.
WEFT_HOT void SpanNetwork::fetch(const Wheel::Bucket& ports, std::uint32_t i) const {
  constexpr std::uint32_t kAhead = 6;
  if (i + 3 * kAhead < ports.size()) __builtin_prefetch(&ports_[ports[i + 3 * kAhead]], 1);
  const auto channel_of = [&](std::uint32_t k) {
    const Port& port = ports_[ports[k]];
    const auto r = words_ == 1 ? static_cast<std::uint32_t>(std::countr_zero(port.want)) % 64 : 0;
    return &channels_[std::min<std::size_t>(port.requesters + r, most_channel_)];
  };
  if (i + 2 * kAhead < ports.size()) __builtin_prefetch(channel_of(i + 2 * kAhead), 1);
  if (i + kAhead < ports.size()) {
    const Channel& x = *channel_of(i + kAhead);
    if (x.front == kNone || x.to == kNone) return;
    __builtin_prefetch(&channels_[x.to], 1);
    __builtin_prefetch(&packets_[x.front], 1);
    __builtin_prefetch(ring(x.to), 1);
  }
  if (i + kAhead / 2 < ports.size()) {
    const Channel& x = *channel_of(i + kAhead / 2);
    // While a packet's header waits, the packet belongs to this part.
    if (x.phase != Phase::kWaiting || x.to == kNone) return;
    const std::uint32_t next = channels_[x.to].ports;
    if (next == kNone) return;
    // Where a router has yet to route the packet, its first port is fetched: it has the address.
    const Packet& packet = packets_[x.front];
    __builtin_prefetch(&ports_[next + (packet.way_more != 0 ? packet.way_port : 0)], 1);
  }
}

// Fetches into the cache what channels whose next packet comes to the front will need.
WEFT_HOT void SpanNetwork::fetch_fronts(const Wheel::Bucket& fronts, std::uint32_t i) const {
  constexpr std::uint32_t kAhead = 6;
  if (i + 2 * kAhead < fronts.size()) {
    __builtin_prefetch(&channels_[fronts[i + 2 * kAhead]], 1);
    __builtin_prefetch(ring(fronts[i + 2 * kAhead]), 1);
  }
  if (i + kAhead < fronts.size()) {
    const std::uint32_t c = fronts[i + kAhead];
    const Channel& channel = channels_[c];
    if (channel.ports != kNone) __builtin_prefetch(&ports_[channel.ports], 1);
    if (channel.queued != 0) __builtin_prefetch(&packets_[ring(c)[channel.oldest]], 1);
  }
}

}  // namespace weft
