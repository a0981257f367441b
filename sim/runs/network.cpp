// A network of routers that moves packets as runs of flits.
#include "sim/runs/network.hpp"

#include <algorithm>
#include <bit>

namespace weft {

RunNetwork::RunNetwork(const Graph& graph, Packets& packets, const Powers& powers)
    : graph_(graph), packets_(packets), powers_(powers), nic_ports_(graph.nodes * graph.nic_links) {
  const VcRouter::Config& shape = graph.router_shapes.front();
  num_vc_ = shape.num_vc;
  depth_ = shape.depth;
  exit_depth_ = shape.local_depth;
  cut_through_ = shape.cut_through;
  store_forward_ = shape.store_forward;
  age_ = shape.age;
  by_dest_ = shape.route.per_dest;
  unsigned most_ports = 1;
  for (const VcRouter::Config& s : graph.router_shapes) most_ports = std::max(most_ports, s.num_ports);
  words_ = (most_ports * num_vc_ + 63) / 64;
  ring_mask_ = std::bit_ceil(std::max(depth_, exit_depth_) + 2) - 1;

  const auto links = static_cast<std::uint32_t>(graph.links.size());
  const auto channel_of = [&](std::uint32_t link) {
    return link < nic_ports_ ? nic_ports_ + link : 2 * nic_ports_ + (link - nic_ports_) * num_vc_;
  };
  channels_.resize(channel_of(links));
  factor_.resize(channels_.size());
  rings_.resize(channels_.size() * (ring_mask_ + 1));
  ports_.resize(graph.out_link.size());
  first_channel_.resize(ports_.size(), kNone);
  if (words_ > 1) wants_.resize(ports_.size() * words_);
  load_.resize(links);
  if (by_dest_) {
    rank_.resize(low_mask(graph.header.addr_w) + 1);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) rank_[graph.address[n]] = n;
  }
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const std::uint32_t link = graph.out_link[p];
    if (link == kOpen) continue;
    first_channel_[p] = channel_of(link);
    ports_[p].exit = link < nic_ports_;
    for (unsigned v = 0; v < (ports_[p].exit ? 1 : num_vc_); ++v) {
      Channel& channel = channels_[channel_of(link) + v];
      channel.from = p;
      channel.in_port = static_cast<std::uint16_t>(graph.links[link].dst_port);
      if (!ports_[p].exit) channel.router = graph.links[link].dst_block - graph.nodes;
      factor_[channel_of(link) + v] = digest_factor(link, v);
    }
  }
  for (std::uint32_t p = 0; p < nic_ports_; ++p) {
    ports_[p].router = kNone;
    channels_[p].port = p;
  }
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      ports_[block.first_out + o].router = b - graph.nodes;
    }
    routers_.push_back({channel_of(block.first_in), block.first_out, block.own, block.shape});
  }
}

void RunNetwork::step(Cycle cycle) {
  auto& fronts = fronts_.begin(cycle);
  for (const std::uint32_t x : fronts) move_up(x, cycle);
  fronts.clear();
  auto& ports = wheel_.begin(cycle);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    Port& port = ports_[ports[i]];
    if (port.look != cycle) continue;  // It was looked at, or is to be later.
    port.look = kNever;
    look(ports[i], cycle);
  }
  ports.clear();
}

// Looks at a port in a cycle: its run ends, goes on or is stopped; if it is free, the next begins.
void RunNetwork::look(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.packet != kNone) {
    if (cycle >= port.until) {
      if (port.left == 0) {
        finish(p, cycle);
      } else if (!go_on(p, cycle)) {
        stop(p);
      }
    }
  }
  if (port.packet == kNone && port.wants != 0) {
    if (port.router == kNone) {
      pick_vc(p, cycle);
    } else {
      pick(p, cycle);
    }
  }
  if (port.packet != kNone && (port.left != 0 || port.wants != 0 || port.exit)) {
    schedule(p, port.until);
  }
}

// The tail was granted in the cycle before.
void RunNetwork::finish(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  channels_[port.y].busy = false;
  if (port.exit) delivered_.push_back({graph_.out_link[p], port.packet});
  (void)cycle;
  port.packet = port.holder = kNone;
}

// The next flit is not there, or has no credit.
void RunNetwork::stop(std::uint32_t p) {
  Port& port = ports_[p];
  count(port);
  Channel& x = channels_[port.x];
  x.sent = static_cast<std::uint16_t>(packets_[port.packet].flits - port.left);
  port.packet = kNone;
  const std::uint32_t r = requester(port, port.x);
  wants(p)[r / 64] |= std::uint64_t{1} << r % 64;
  ++port.wants;
}

bool RunNetwork::go_on(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  const Channel &x = channels_[port.x], &y = channels_[port.y];
  if (x.in.before(cycle) == x.out.total()) return false;
  if (y.in.total() - y.out.before(cycle) >= depth_into(port)) return false;
  promise(p, cycle);
  return true;
}

// The next flit of the port's packet can be granted in this cycle: finds how many more are certain.
void RunNetwork::promise(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  const Channel &x = channels_[port.x], &y = channels_[port.y];
  // Both counts advance by one a cycle, as the run does, or are far enough already.
  const std::uint32_t there = x.in.total() - x.out.total();
  const std::uint32_t room = y.out.total() + depth_into(port) - y.in.total();
  const std::uint32_t flits = std::min({std::uint32_t{port.left}, there, room});
  if (flits < port.left && chain(p, cycle)) return;
  advance(p, flits, cycle);
}

// If the whole chain of the packet's runs, from one that has all flits to one that has room for them
// all, is in motion, none of its runs will be stopped: each has a flit and a credit in every cycle.
bool RunNetwork::chain(std::uint32_t p, Cycle cycle) {
  const std::uint32_t packet = ports_[p].packet;
  const auto moves = [&](std::uint32_t q) {
    return ports_[q].packet == packet && ports_[q].until > cycle;
  };
  std::uint32_t first = p;
  for (;;) {
    const Port& port = ports_[first];
    const Channel& x = channels_[port.x];
    if (x.in.total() - x.out.total() >= port.left) break;
    if (!moves(x.from) || ports_[x.from].y != port.x) return false;
    first = x.from;
  }
  std::uint32_t last = p;
  for (;;) {
    const Port& port = ports_[last];
    const Channel& y = channels_[port.y];
    if (y.out.total() + depth_into(port) - y.in.total() >= port.left) break;
    if (y.front != packet || y.phase != Phase::kMoving) return false;
    if (port.exit) {
      if (y.out.end() <= cycle) return false;
      break;  // An interface takes what comes.
    }
    if (!moves(y.port) || ports_[y.port].x != port.y) return false;
    last = y.port;
  }
  for (std::uint32_t q = first;; q = channels_[ports_[q].y].port) {
    if (ports_[q].left != 0) advance(q, ports_[q].left, cycle);
    if (q == last) return true;
  }
}

// So many more flits of the port's packet are certain, without a break.
void RunNetwork::advance(std::uint32_t p, std::uint32_t flits, Cycle cycle) {
  Port& port = ports_[p];
  Channel &x = channels_[port.x], &y = channels_[port.y];
  const Cycle from = port.until;
  x.out.length += flits;
  y.in.length += flits;
  port.until += flits;
  port.left = static_cast<std::uint16_t>(port.left - flits);
  moves_until_ = std::max(moves_until_, port.until);
  flit_hops_ += flits;
  load_[graph_.out_link[p]] += flits;
  if (port.left == 0) {
    count(port);
    x.phase = Phase::kLeaving;
    if (x.queued != 0) fronts_.add(port.until, port.x);
    if (y.phase == Phase::kStoring && y.front == port.packet) fronts_.add(port.until, port.y);
  }
  if (port.router == kNone) {
    flits_ += flits;
    if (port.left == 0) {
      ++entered_;
      sent_.push_back({p, port.until});
    }
  } else if (const Port& before = ports_[x.from]; before.packet == kNone && before.wants != 0) {
    schedule(x.from, cycle + 1);  // For want of credits, perhaps.
  }
  if (port.exit) {
    exits_.push_back({graph_.out_link[p], from, flits, port.first == 0 && from == port.start});
  } else if (y.phase == Phase::kMoving && y.front == port.packet) {
    // For want of flits, perhaps.
    if (ports_[y.port].packet == kNone) schedule(y.port, cycle + 1);
  }
}

// Counts the port's run in the digest, as far as it is certain.
void RunNetwork::count(Port& port) {
  if (port.counted) return;
  port.counted = true;
  Packet& packet = packets_[port.packet];
  const auto vc = static_cast<std::uint16_t>(port.y - first_channel_[&port - ports_.data()]);
  const std::uint32_t end = packet.flits - port.left;
  if (port.first == 0 && port.left == 0) {
    packets_.add_whole(packet, vc,
                       static_cast<unsigned __int128>(powers_.of(port.start + 1)) * factor_[port.y]);
  } else {
    packets_.add_part(packet, vc, port.first, end,
                      Mod61::times(powers_.of(port.start + 1), factor_[port.y]));
  }
}

// Whether a channel has `need` credits; if not, and it is certain when it will, sets `next`.
bool RunNetwork::has_room(const Channel& y, std::uint32_t depth, std::uint32_t need, Cycle cycle,
                          Cycle& next) const {
  const std::uint32_t room = depth - (y.in.total() - y.out.before(cycle));
  if (room >= need) return true;
  const std::uint32_t missing = need - room;
  const std::uint32_t gone = y.out.before(cycle);
  if (y.out.total() - gone >= missing) next = std::min(next, y.out.reaches(gone + missing));
  return false;
}

// Of the channels from `first` on the idle one with the most credits, the lowest of equals; kNone if
// it has fewer than `need`.
std::uint32_t RunNetwork::best(std::uint32_t first, std::uint32_t count, std::uint32_t depth,
                               std::uint32_t need, Cycle cycle, Cycle& next) const {
  std::uint32_t found = kNone, most = need - 1;
  for (std::uint32_t y = first; y < first + count; ++y) {
    const Channel& channel = channels_[y];
    if (channel.busy) continue;
    const std::uint32_t room = depth - (channel.in.total() - channel.out.before(cycle));
    if (room > most) {
      most = room;
      found = y;
    }
  }
  if (found != kNone) return found;
  for (std::uint32_t y = first; y < first + count; ++y) {
    if (!channels_[y].busy) has_room(channels_[y], depth, need, cycle, next);
  }
  return kNone;
}

// The channel to which the front flit of channel `x` can be granted in this cycle; kNone if there is
// none: then `next` is at most the first cycle in which there will be one, as far as that is certain.
std::uint32_t RunNetwork::eligible(std::uint32_t p, std::uint32_t x, Cycle cycle,
                                   Cycle& next) const {
  const Channel& from = channels_[x];
  if (from.in.before(cycle) == from.out.total()) {
    if (from.in.total() != from.out.total()) {
      next = std::min(next, from.in.reaches(from.out.total() + 1));
    }
    return kNone;
  }
  const Port& port = ports_[p];
  const std::uint32_t depth = depth_into(port);
  if (from.phase == Phase::kMoving) {
    return has_room(channels_[from.to], depth, 1, cycle, next) ? from.to : kNone;
  }
  const std::uint32_t first = first_channel_[p];
  if (port.exit) return best(first, 1, depth, 1, cycle, next);
  const std::uint32_t need = cut_through_ ? packets_[from.front].flits : 1;
  const std::uint32_t half = num_vc_ / 2;
  std::uint32_t only = 0;
  switch (from.set) {
    case VcSet::kAny:
      return best(first, num_vc_, depth, need, cycle, next);
    case VcSet::kLow:
      return best(first, std::max(1u, half), depth, need, cycle, next);
    case VcSet::kHigh:
      return best(first + half, num_vc_ - half, depth, need, cycle, next);
    case VcSet::kSame:
      only = requester(port, x) % num_vc_;
      break;
    case VcSet::kFirst:
      break;
    case VcSet::kNext:
      only = std::min(requester(port, x) % num_vc_ + 1, num_vc_ - 1);
      break;
  }
  return best(first + only, 1, depth, need, cycle, next);
}

// Switch allocation of a free port.
void RunNetwork::pick(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  const std::uint32_t channel = routers_[port.router].first_channel;
  const std::uint64_t* const want = wants(p);
  Cycle next = kNever;
  std::uint32_t chosen = kNone, to = kNone;
  if (port.holder != kNone && (want[port.holder / 64] >> port.holder % 64 & 1) != 0) {
    to = eligible(p, channel + port.holder, cycle, next);
    if (to != kNone) return grant(p, channel + port.holder, to, cycle);
  }
  int greatest = -1;
  // From the pointer on, then from 0 on.
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t w = round == 0 ? port.pointer / 64 : 0; w < words_; ++w) {
      std::uint64_t left = want[w];
      if (w == port.pointer / 64) {
        const std::uint64_t before = low_mask(port.pointer % 64);
        left &= round == 0 ? ~before : before;
      } else if (round == 1 && w > port.pointer / 64) {
        break;
      }
      for (; left != 0; left &= left - 1) {
        const std::uint32_t r = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t y = eligible(p, channel + r, cycle, next);
        if (y == kNone) continue;
        if (!age_) return grant(p, channel + r, y, cycle);
        const int its = static_cast<std::uint16_t>(
            cycle - packets_[channels_[channel + r].front].stamp);
        if (its <= greatest) continue;
        greatest = its;
        chosen = r;
        to = y;
      }
    }
  }
  if (chosen != kNone) return grant(p, channel + chosen, to, cycle);
  if (next != kNever) schedule(p, next);
}

// The choice of an interface (InjectUnit): of the VCs with a credit the next one, or that of the
// destination.
void RunNetwork::pick_vc(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  const Channel& x = channels_[p];
  Cycle next = kNever;
  std::uint32_t to = kNone;
  if (x.phase == Phase::kMoving || x.in.before(cycle) == x.out.total()) {
    to = eligible(p, p, cycle, next);
  } else {
    const std::uint32_t first = first_channel_[p];
    if (by_dest_) {
      const std::uint64_t dst = packets_[x.front].header & low_mask(graph_.header.addr_w);
      const std::uint32_t y = first + rank_[dst];
      if (has_room(channels_[y], depth_, 1, cycle, next)) to = y;
    } else {
      for (std::uint32_t i = 0, v = port.pointer; i < num_vc_ && to == kNone; ++i) {
        if (has_room(channels_[first + v], depth_, 1, cycle, next)) to = first + v;
        v = v + 1 < num_vc_ ? v + 1 : 0;
      }
    }
    if (to != kNone) {
      port.pointer = to - first + 1 < num_vc_ ? to - first + 1 : 0;
      if (age_) packets_[x.front].stamp = static_cast<std::uint16_t>(cycle);
    }
  }
  if (to != kNone) return grant(p, p, to, cycle);
  if (next != kNever) schedule(p, next);
}

// Begins a run from channel `x` to channel `to` in this cycle.
void RunNetwork::grant(std::uint32_t p, std::uint32_t from, std::uint32_t to, Cycle cycle) {
  Port& port = ports_[p];
  Channel &x = channels_[from], &y = channels_[to];
  const bool header = x.phase == Phase::kWaiting;
  port.packet = x.front;
  port.x = from;
  port.y = to;
  port.start = port.until = cycle;
  port.first = header ? 0 : x.sent;
  port.left = static_cast<std::uint16_t>(packets_[x.front].flits - port.first);
  port.counted = false;
  const std::uint32_t r = requester(port, from);
  wants(p)[r / 64] &= ~(std::uint64_t{1} << r % 64);
  --port.wants;
  if (port.router != kNone) {
    const std::uint32_t requesters = graph_.blocks[graph_.nodes + port.router].num_in * num_vc_;
    port.pointer = r + 1 < requesters ? r + 1 : 0;
    port.holder = r;
  }
  x.phase = Phase::kMoving;
  x.to = to;
  x.out.begin(cycle);
  y.in.begin(cycle);
  y.busy = true;
  if (header) push(to, port.packet, cycle);
  promise(p, cycle);
}

// A packet's header is granted into channel `c` in this cycle.
void RunNetwork::push(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (ports_[channel.from].exit) packets_[packet].time = cycle;
  if (channel.phase == Phase::kEmpty ||
      (channel.phase == Phase::kLeaving && channel.queued == 0 &&
       channel.out.end() <= cycle + 1)) {
    return come_front(c, packet, cycle + 1);
  }
  rings_[std::size_t{c} * (ring_mask_ + 1) + ((channel.oldest + channel.queued) & ring_mask_)] =
      packet;
  if (channel.queued++ == 0 && channel.phase == Phase::kLeaving) fronts_.add(channel.out.end(), c);
}

// The front packet has left, or its tail was awaited.
void RunNetwork::move_up(std::uint32_t c, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.phase == Phase::kStoring) return find_route(c, cycle);
  const std::uint32_t packet = rings_[std::size_t{c} * (ring_mask_ + 1) + channel.oldest];
  channel.oldest = static_cast<std::uint16_t>((channel.oldest + 1) & ring_mask_);
  --channel.queued;
  come_front(c, packet, cycle);
}

// A packet whose header is buffered before `cycle` is in front from then on.
void RunNetwork::come_front(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  channel.front = packet;
  const Port& before = ports_[channel.from];
  if (before.exit) {
    channel.phase = Phase::kWaiting;
    return;
  }
  if (store_forward_ && before.router != kNone && channel.queued == 0 && channel.busy) {
    // Its tail may not be buffered yet.
    if (before.packet != packet || before.left != 0 || before.until > cycle) {
      channel.phase = Phase::kStoring;
      if (before.packet == packet && before.left == 0) fronts_.add(before.until, c);
      return;
    }
  }
  find_route(c, cycle);
}

// Route computation for the front packet of a router's channel, which requests from `cycle` on.
void RunNetwork::find_route(std::uint32_t x, Cycle cycle) {
  Channel& channel = channels_[x];
  const std::uint64_t word = packets_[channel.front].header;
  const Header header = Header::unpack(word, graph_.header);
  const Router& router = routers_[channel.router];
  const RouteOut way =
      graph_.route_units[router.shape].route(channel.in_port, router.own, header.src, header.dst,
                                             (header.tag >> kTagOtherWay & 1) != 0);
  channel.set = way.set;
  channel.port = router.first_port + way.port;
  channel.phase = Phase::kWaiting;
  request(channel.port, x, cycle);
}

void RunNetwork::request(std::uint32_t p, std::uint32_t x, Cycle cycle) {
  Port& port = ports_[p];
  const std::uint32_t r = requester(port, x);
  wants(p)[r / 64] |= std::uint64_t{1} << r % 64;
  ++port.wants;
  schedule(p, cycle);
}

void RunNetwork::offer(std::uint32_t p, std::uint32_t packet, Cycle cycle) {
  Channel& x = channels_[p];
  x.in.begin(cycle - 1);
  x.in.length = packets_[packet].flits;
  x.front = packet;
  x.phase = Phase::kWaiting;
  request(p, p, cycle);
}

void RunNetwork::take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins) {
  Channel& channel = exit(link);
  if (begins) channel.out.begin(cycle);
  channel.out.length += flits;
  channel.phase = Phase::kMoving;
  if (const Port& port = ports_[channel.from]; port.packet == kNone && port.wants != 0) {
    schedule(channel.from, cycle + 1);
  }
}

void RunNetwork::pop_exit(std::uint32_t link) {
  Channel& channel = exit(link);
  if (channel.queued == 0) {
    channel.front = kNone;
    channel.phase = Phase::kEmpty;
    return;
  }
  const std::size_t ring = std::size_t{nic_ports_ + link} * (ring_mask_ + 1);
  channel.front = rings_[ring + channel.oldest];
  channel.oldest = static_cast<std::uint16_t>((channel.oldest + 1) & ring_mask_);
  --channel.queued;
  channel.phase = Phase::kWaiting;
}

bool RunNetwork::empty() const {
  return std::all_of(channels_.begin() + nic_ports_, channels_.end(), [](const Channel& channel) {
    return channel.in.total() == channel.out.total();
  });
}

void RunNetwork::end(Cycle cycle) {
  if (getenv("DBG")) for (std::uint32_t p = 0; p < ports_.size(); ++p) { Port& q=ports_[p]; if (q.packet==kNone && !q.wants) continue;
    fprintf(stderr,"port %u packet %d x %u y %u start %u until %u first %u left %u wants %u look %d\n",p,(int)q.packet,q.x,q.y,q.start,q.until,q.first,q.left,q.wants,(int)q.look);
    for (auto c : {q.x,q.y}) { auto&h=channels_[c]; fprintf(stderr,"   ch %u in %u@%u+%u out %u@%u+%u phase %d front %d queued %u busy %d\n",c,h.in.base,h.in.start,h.in.length,h.out.base,h.out.start,h.out.length,(int)h.phase,(int)h.front,h.queued,h.busy);} }
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    if (port.packet == kNone) continue;
    const std::uint32_t link = graph_.out_link[p];
    Packet& packet = packets_[port.packet];
    const std::uint32_t certain = port.until - port.start;
    const std::uint32_t over = port.until > cycle ? port.until - std::max(cycle, port.start) : 0;
    flit_hops_ -= over;
    load_[link] -= over;
    if (port.router == kNone) {
      flits_ -= over;
      if (port.left == 0 && over != 0) --entered_;
    }
    const auto vc = static_cast<std::uint16_t>(port.y - first_channel_[p]);
    const std::uint64_t factor = Mod61::times(powers_.of(port.start + 1), factor_[port.y]);
    if (!port.counted) {
      packets_.add_part(packet, vc, port.first, port.first + certain - over, factor);
    } else if (over != 0) {
      const std::uint32_t end = port.first + certain;
      packets_.add_part(packet, vc, port.first, end - over, factor);
      packets_.add_part(packet, vc, port.first, end, Mod61::kPrime - factor);
    }
  }
}

}  // namespace weft
