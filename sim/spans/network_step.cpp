// The cycles of a network of routers that moves packets as spans.
//
// What is called for each packet and hop is inlined into `step`; what is rare is not.
#include <algorithm>
#include <bit>

#include "sim/spans/network_hot.hpp"

namespace weft {

// Makes `flits` more flits of the port's packet certain, without a break; `begins`: from this cycle
// on.
template <bool kPlain>
WEFT_HOT void SpanNetwork::advance(std::uint32_t p, std::uint32_t flits, Cycle cycle, bool begins) {
  Port& port = ports_[p];
  Channel &x = channels_[port.x], &y = channels_[port.y];
  const Cycle from = port.until;
  x.out.total += flits;
  y.in.total += flits;
  port.load += flits;
  port.until += flits;
  port.left = static_cast<std::uint16_t>(port.left - flits);
  moves_until_ = std::max(moves_until_, port.until);
  const bool header = begins && port.first == 0;
  if (port.left == 0) [[likely]] {
    if (port.first == 0 && (header || !packets_.shared())) [[likely]] {
      Packet& packet = packets_[port.packet];
      packets_.add_whole(
          packet, static_cast<std::uint16_t>(port.y - port.channels),
          static_cast<unsigned __int128>(powers_.of(port.until - packet.flits + 1)) * y.factor);
    } else {
      count_part(p, port.until);
    }
    port.counted = true;
    x.phase = Phase::kLeaving;
    if (x.queued != 0) fronts_.add(port.until, port.x);
    if (!kPlain && store_forward_ && y.phase == Phase::kStoring && y.front == port.packet) {
      fronts_.add(port.until, port.y);
    }
    if (of_interface(p)) {
      ++entered_;
      sent_.push_back({p, port.until});
    }
  }
  if (x.told == Told::kPart) [[unlikely]] {
    tell_out(x, from, flits, begins, cycle);
  } else if (x.told == Told::kPort) {
    x.told = Told::kNobody;
    schedule(x.from, cycle + 1);
  }
  if (port.exit) {
    exits_.push_back({port.channels - nic_ports_, from, flits, header});
  } else if (y.phase == Phase::kMirror) {
    tell_in(port, from, flits, begins, cycle);
  } else if (!header && y.phase == Phase::kMoving && y.front == port.packet &&
             ports_[y.port].packet == kNone) {
    schedule(y.port, cycle + 1);  // The port waited for flits.
  }
}

// Whether the whole chain of the packet's spans, from one that has all flits to one that has room
// for them all, moves: then none of its spans will be stopped, as each has a flit and a credit in
// every cycle.
WEFT_RARE bool SpanNetwork::chain(std::uint32_t p, Cycle cycle, bool begins) {
  const std::uint32_t packet = ports_[p].packet;
  const auto moves = [&](std::uint32_t q) {
    return ports_[q].packet == packet && ports_[q].until > cycle;
  };
  std::uint32_t first = p;
  for (;;) {
    const Port& port = ports_[first];
    const Channel& x = channels_[port.x];
    if (x.in.total - x.out.total >= port.left) break;
    // kPart: the channel is another part's. kNone: the interface offers too few flits, as in no
    // state that was saved.
    if (x.told == Told::kPart || x.from == kNone) return false;
    if (!moves(x.from) || ports_[x.from].y != port.x) return false;
    first = x.from;
  }
  std::uint32_t last = p;
  for (;;) {
    const Port& port = ports_[last];
    const Channel& y = channels_[port.y];
    if (y.out.total + depth_into(port) - y.in.total >= port.left) break;
    if (y.front != packet || y.phase != Phase::kMoving) return false;
    if (port.exit) {
      if (y.out.end() <= cycle) return false;
      break;  // An interface takes all that comes.
    }
    if (!moves(y.port) || ports_[y.port].x != port.y) return false;
    last = y.port;
  }
  for (std::uint32_t q = first;; q = channels_[ports_[q].y].port) {
    if (ports_[q].left != 0) advance<false>(q, ports_[q].left, cycle, begins && q == p);
    if (q == last) return true;
  }
}

// Begins a span from channel `from` to channel `to` in this cycle. The counts that limit it advance
// by one a cycle, as the span does, or are far enough already.
template <bool kPlain>
WEFT_HOT void SpanNetwork::grant(std::uint32_t p, std::uint32_t from, std::uint32_t to,
                                 Cycle cycle) {
  Port& port = ports_[p];
  Channel &x = channels_[from], &y = channels_[to];
  const bool header = x.phase == Phase::kWaiting;
  const std::uint32_t packet = x.front, r = from - port.requesters;
  drop_want(p, r);
  port.packet = packet;
  port.x = from;
  port.y = to;
  port.until = cycle;
  port.first = header ? 0 : x.sent;
  const std::uint32_t left = packets_[packet].flits - std::uint32_t{port.first};
  port.left = static_cast<std::uint16_t>(left);
  port.counted = false;
  if (!of_interface(p)) note_order(p, x, to, r, header);
  port.holder = kNone;
  x.phase = Phase::kMoving;
  x.to = to;
  x.out.begin(cycle);
  y.in.begin(cycle);
  y.taken = false;
  const std::uint32_t there = x.in.total - x.out.total;
  const std::uint32_t room = y.out.total + depth_into(port) - y.in.total;
  if (header) {
    if (port.exit) packets_[packet].time = cycle;
    push<kPlain>(to, packet, cycle);
  }
  if (there >= left && room >= left) [[likely]] {
    return advance<kPlain>(p, left, cycle, true);
  }
  if (chain(p, cycle, true)) return;
  advance<false>(p, std::min({left, there, room}), cycle, true);
}

// Switch allocation of a free port.
template <bool kPlain>
WEFT_HOT void SpanNetwork::pick(std::uint32_t p, Cycle cycle) {
  const Port& port = ports_[p];
  Cycle next = kNever;
  if (port.holder != kNone) [[unlikely]] {
    const std::uint32_t x = port.requesters + port.holder;
    const std::uint32_t y = eligible<kPlain>(port, x, cycle, next);
    if (y != kNone) return grant<kPlain>(p, x, y, cycle);
  }
  Choice choice;
  own_asks_.clear();
  if (kPlain || words_ == 1) {
    for (std::uint64_t left = port.want; left != 0; left &= left - 1) {
      const auto r = static_cast<std::uint32_t>(std::countr_zero(left));
      consider<kPlain>(p, port.requesters + r, cycle, choice, next);
    }
  } else {
    consider_wide(p, cycle, choice, next);
  }
  if (choice.from == kNone) {
    if (next != kNever) schedule(p, next);
    return;
  }
  if (choice.kind == kTransit && !own_asks_.empty() &&
      channels_[choice.from].phase == Phase::kWaiting) {
    count_waits();
  }
  grant<kPlain>(p, choice.from, choice.to, cycle);
}

// Counts a header in transit that goes before own packets, once for each VC that they request.
WEFT_RARE void SpanNetwork::count_waits() {
  std::ranges::sort(own_asks_);
  const auto end = std::unique(own_asks_.begin(), own_asks_.end());
  for (auto order = own_asks_.begin(); order != end; ++order) {
    if ((*order)->waits != own_after_) ++(*order)->waits;
  }
}

// Considers the requesters of a port that can have more than 64.
WEFT_RARE void SpanNetwork::consider_wide(std::uint32_t p, Cycle cycle, Choice& choice,
                                          Cycle& next) {
  const std::uint64_t* const want = &wants_[std::size_t{p} * words_];
  for (std::uint32_t w = 0; w < words_; ++w) {
    for (std::uint64_t left = want[w]; left != 0; left &= left - 1) {
      const std::uint32_t r = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
      consider<false>(p, ports_[p].requesters + r, cycle, choice, next);
    }
  }
}

// Allocates a VC at an interface (InjectUnit): the next one with a credit, or that of the
// destination.
WEFT_RARE void SpanNetwork::pick_vc(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  const Channel& x = channels_[p];
  Cycle next = kNever;
  std::uint32_t to = kNone;
  if (x.phase == Phase::kMoving || x.in.before(cycle) == x.out.total) {
    to = eligible<false>(port, p, cycle, next);
  } else {
    Packet& packet = packets_[x.front];
    if (by_dest_) {
      const std::uint32_t y = port.channels + rank_[packet.header & address_mask_];
      if (has_room(channels_[y], depth_, 1, cycle, next)) to = y;
    } else {
      for (std::uint32_t i = 0, v = port.pointer; i < inject_vcs_ && to == kNone; ++i) {
        if (has_room(channels_[port.channels + v], depth_, 1, cycle, next)) to = port.channels + v;
        v = v + 1 < inject_vcs_ ? v + 1 : 0;
      }
    }
    if (to != kNone) {
      const std::uint32_t vc = to - port.channels;
      port.pointer = vc + 1 < inject_vcs_ ? vc + 1 : 0;
      if (age_) packet.stamp = static_cast<std::uint16_t>(cycle);
    }
  }
  if (to != kNone) return grant<false>(p, p, to, cycle);
  if (next != kNever) schedule(p, next);
}

// Stops a span: the next flit is not there, or has no credit.
WEFT_RARE void SpanNetwork::stop(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  count_part(p, cycle);
  Channel& x = channels_[port.x];
  x.sent = static_cast<std::uint16_t>(packets_[port.packet].flits - port.left);
  channels_[port.y].taken = true;
  port.packet = kNone;
  const std::uint32_t r = port.x - port.requesters;
  if (!of_interface(p)) port.holder = r;
  want(p, r);
}

// Extends a span if the next flit is there and has a credit: finds how many more are certain.
WEFT_RARE bool SpanNetwork::go_on(std::uint32_t p, Cycle cycle) {
  const Port& port = ports_[p];
  const Channel &x = channels_[port.x], &y = channels_[port.y];
  if (x.in.before(cycle) == x.out.total) return false;
  if (y.in.total - y.out.before(cycle) >= depth_into(port)) return false;
  const std::uint32_t there = x.in.total - x.out.total;
  const std::uint32_t room = y.out.total + depth_into(port) - y.in.total;
  const std::uint32_t flits = std::min({std::uint32_t{port.left}, there, room});
  if (flits == port.left || !chain(p, cycle, false)) advance<false>(p, flits, cycle, false);
  return true;
}

// Looks at a port in a cycle: its span ends, goes on or is stopped; if it is free, a new one
// begins.
template <bool kPlain>
WEFT_HOT void SpanNetwork::look(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.packet != kNone && cycle >= port.until) {
    if (port.left == 0) [[likely]] {
      if (port.exit) delivered_.push_back({port.channels - nic_ports_, port.packet});
      port.packet = kNone;
    } else if (!go_on(p, cycle)) {
      stop(p, cycle);
    }
  }
  if (port.packet == kNone && port.want != 0) {
    if (of_interface(p)) {
      pick_vc(p, cycle);
    } else if (!kPlain || !hop(p, cycle)) {
      pick<kPlain>(p, cycle);
    }
  }
  if (port.packet != kNone && (port.left != 0 || port.want != 0 || port.exit)) {
    schedule(p, port.until);
  }
}

// Handles the usual case of a free port: the only requester has a header that is buffered, the only
// channel that it may have is free and empties in time, and all of the packet is certain. Does what
// `pick` would, with less to look at; in other cases nothing. Not inlined: it needs all registers.
[[gnu::noinline]] bool SpanNetwork::hop(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (!std::has_single_bit(port.want)) return false;
  const auto r = static_cast<std::uint32_t>(std::countr_zero(port.want));
  const std::uint32_t from = port.requesters + r;
  Channel& x = channels_[from];
  if (x.phase != Phase::kWaiting || x.choices != 1 || x.queued != 0 || x.told != Told::kNobody)
    return false;
  if (port.holder != kNone || port.exit) return false;
  const std::uint32_t to = x.to, number = x.front;
  Channel& y = channels_[to];
  Packet& packet = packets_[number];
  const std::uint32_t flits = packet.flits, done = x.out.total;
  if (x.in.before(cycle) == done || x.in.total - done < flits) return false;
  if (y.taken || y.queued != 0 || y.out.total + depth_ - y.in.total < flits) return false;
  if (y.in.total - y.out.before(cycle) >= depth_) return false;
  if (y.phase != Phase::kEmpty && (y.phase != Phase::kLeaving || y.out.end() > cycle + 1)) {
    return false;
  }
  const Cycle until = cycle + flits;
  port.want = 0;
  note_order(p, x, to, r, true);
  port.packet = number;
  port.x = from;
  port.y = to;
  port.first = port.left = 0;
  port.until = until;
  port.counted = true;
  port.load += flits;
  moves_until_ = std::max(moves_until_, until);
  x.phase = Phase::kLeaving;
  x.out = {done, cycle, done + flits};
  y.in = {y.in.total, cycle, y.in.total + flits};
  packets_.add_whole(packet, static_cast<std::uint16_t>(to - port.channels),
                     static_cast<unsigned __int128>(powers_.of(cycle + 1)) * y.factor);
  y.front = number;
  find_route(to, cycle + 1);
  return true;
}

template <bool kPlain>
void SpanNetwork::step_ports(Cycle cycle) {
  auto& ports = wheel_.begin(cycle);
  for (std::uint32_t i = 0; i < ports.size(); ++i) {
    if (large_) fetch(ports, i);
    const std::uint32_t p = ports[i];
    if (ports_[p].look != cycle) continue;  // It was looked at already, or is to be later.
    ports_[p].look = kNever;
    look<kPlain>(p, cycle);
  }
  ports.clear();
}

void SpanNetwork::step(Cycle cycle) {
  if (stages_ != nullptr) end_ways(cycle);
  auto& fronts = fronts_.begin(cycle);
  for (std::uint32_t i = 0; i < fronts.size(); ++i) {
    if (large_) fetch_fronts(fronts, i);
    move_up(fronts[i], cycle);
  }
  fronts.clear();
  plain_ ? step_ports<true>(cycle) : step_ports<false>(cycle);
}

void SpanNetwork::offer(std::uint32_t p, std::uint32_t packet, Cycle cycle) {
  Channel& x = channels_[p];
  x.in.begin(cycle - 1);
  x.in.total += packets_[packet].flits;
  x.front = packet;
  x.phase = Phase::kWaiting;
  request(p, p, cycle);
}

void SpanNetwork::take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins) {
  Channel& channel = exit(link);
  if (begins) channel.out.begin(cycle);
  channel.out.total += flits;
  channel.phase = Phase::kMoving;
  if (channel.told == Told::kPort) {
    channel.told = Told::kNobody;
    schedule(channel.from, cycle + 1);
  }
}

}  // namespace weft
