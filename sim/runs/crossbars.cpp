// A network of crossbars that moves packets as runs of flits.
#include "sim/runs/crossbars.hpp"

#include <algorithm>
#include <bit>

#define WEFT_HOT [[gnu::always_inline]] inline

namespace weft {

RunCrossbars::RunCrossbars(const Graph& graph, Packets& packets, const Powers& powers,
                           unsigned controllers)
    : graph_(graph),
      packets_(packets),
      powers_(powers),
      nodes_(graph.nodes),
      controllers_(controllers),
      channels_(graph.links.size()),
      ports_(graph.out_link.size()),
      offered_(std::size_t{graph.nodes} * controllers) {
  constexpr std::uint32_t kInterface = 2;  // Its FIFO shows Buffer-Full with 3 flits.
  unsigned most_in = kInterface, most_out = 1;
  for (const Crossbar::Config& shape : graph.shapes) {
    most_in = std::max(most_in, shape.in_depth);
    most_out = std::max(most_out, shape.out_depth);
  }
  // With what is on the link, in the registers, and a packet that is on its way out.
  ring_mask_ = std::bit_ceil(most_in + 4) - 1;
  queue_mask_ = std::bit_ceil(most_out + 4) - 1;
  rings_.resize(channels_.size() * (ring_mask_ + 1));
  grants_.resize(rings_.size());
  queues_.resize(ports_.size() * (queue_mask_ + 1));
  for (std::uint32_t l = 0; l < channels_.size(); ++l) {
    Channel& channel = channels_[l];
    channel.factor = digest_factor(l, 0);
    channel.limit = kInterface;
  }
  const auto add_arbiters = [&](std::uint32_t p, unsigned count) {
    ports_[p].arbiters = static_cast<std::uint32_t>(arbiters_.size());
    arbiters_.resize(arbiters_.size() + count);
    arbiter_port_.resize(arbiters_.size(), p);
  };
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    port.y = graph.out_link[p];
    port.exit = port.y < nodes_;
    channels_[port.y].from = p;
    if (of_interface(p) && controllers_ > 1) add_arbiters(p, 1);
  }
  for (std::uint32_t b = nodes_; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    const Crossbar::Config shape = graph.crossbar_config(b);
    const auto switches =
        static_cast<std::uint16_t>((shape.num_in + shape.first_in - 1) / shape.first_in);
    for (std::uint32_t i = 0; i < block.num_in; ++i) {
      Channel& channel = channels_[block.first_in + i];
      channel.ports = block.first_out;
      channel.decoder = b - nodes_;
      channel.limit = shape.in_depth;
      channel.input = static_cast<std::uint16_t>(i);
      channel.first = static_cast<std::uint16_t>(i / shape.first_in);
      channel.position = static_cast<std::uint16_t>(i % shape.first_in);
      channel.detour = shape.detour && i < shape.num_out;
    }
    for (std::uint32_t o = 0; o < block.num_out; ++o) {
      Port& port = ports_[block.first_out + o];
      port.inputs = block.first_in;
      port.first_in = static_cast<std::uint16_t>(shape.first_in);
      port.depth = static_cast<std::uint16_t>(shape.out_depth);
      port.switches = switches;
      port.detour = o >= shape.num_out;
      if (port.detour) {
        port.x = block.first_in + (o - shape.num_out);
      } else {
        add_arbiters(block.first_out + o, switches + (switches > 1));
      }
    }
    decoders_.push_back(
        {shape.route, shape.num_out, shape.digit_lsb, shape.digit_w, shape.own, shape.header});
  }
}

WEFT_HOT void RunCrossbars::wake_link(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.moves && cycle < port.until) cycle = port.until;
  if (port.look <= cycle) return;
  port.look = cycle;
  links_.add(cycle, p);
}

WEFT_HOT void RunCrossbars::wake_input(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.in_moves && cycle < port.in_until) cycle = port.in_until;
  if (port.in_look <= cycle) return;
  port.in_look = cycle;
  inputs_.add(cycle, p);
}

// One more packet for the port's link.
void RunCrossbars::enqueue(std::uint32_t p, std::uint32_t packet) {
  Port& port = ports_[p];
  if (port.packet == kNone) {
    port.packet = packet;
    port.left = packets_[packet].flits;
  } else {
    queue(p)[(port.oldest + port.queued++) & queue_mask_] = packet;
  }
}

// A packet's header is granted into a link in this cycle.
void RunCrossbars::arrive(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.front != kNone) {
    const std::uint32_t at = (channel.oldest + channel.queued++) & ring_mask_;
    ring(c)[at] = packet;
    grants(c)[at] = cycle;
  } else if (channel.ports == kNone) {
    channel.front = packet;
  } else {
    request(c, packet, std::max(cycle + kInput, channel.free));
  }
}

// The packet's header is in the output register of its input from `cycle` on.
void RunCrossbars::request(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  channel.front = packet;
  const DestinationDecoder& decoder = decoders_[channel.decoder];
  const unsigned dest = decoder.decode(packets_[packet].header, channel.detour);
  if (dest == decoder.num_out) {
    channel.port = channel.ports + dest + channel.input;
    enqueue(channel.port, packet);
    wake_link(channel.port, cycle);
  } else {
    channel.port = channel.ports + dest;
    const std::uint32_t arbiter = ports_[channel.port].arbiters + channel.first;
    flags_.add(cycle + 1, arbiter * 64 + channel.position);
  }
}

// Flits that can pass a stage one a cycle from this cycle on, as far as that is certain, if the
// first of them can.
WEFT_HOT std::uint32_t RunCrossbars::flits_there(Stage stage, Cycle cycle) const {
  const Port& port = ports_[stage.port];
  if (!stage.into_link() || port.detour) {
    const Channel& x = channels_[port.x];
    return x.in.certain(x.out.total, std::max(cycle, x.out.end()) - kInput);
  }
  return port.pushed.total - channels_[port.y].in.total;
}

// Whether the next flit can pass a stage in this cycle; if not, when that may change.
WEFT_HOT bool RunCrossbars::flit_there(Stage stage, Cycle cycle, Cycle& next) {
  Port& port = ports_[stage.port];
  if (!stage.into_link() || port.detour) {
    Channel& x = channels_[port.x];
    const std::uint32_t done = x.out.total;
    if (x.in.before(cycle - kInput + 1) > done) return true;
    if (x.in.total != done) {
      next = x.in.cycle_of(done) + kInput;
    } else {
      x.awaits = true;
    }
    return false;
  }
  const std::uint32_t done = channels_[port.y].in.total;
  if (port.pushed.before(cycle) > done) return true;
  if (port.pushed.total != done) {
    next = port.pushed.reaches(done + 1);
  } else {
    port.awaits = true;
  }
  return false;
}

// Flits for which there will be space behind a stage, as far as that is certain.
WEFT_HOT std::uint32_t RunCrossbars::space_behind(Stage stage, Cycle cycle) const {
  constexpr std::uint32_t kAll = 1u << 16;
  const Port& port = ports_[stage.port];
  const Channel& y = channels_[port.y];
  if (!stage.into_link()) return y.in.total + port.depth - port.pushed.total;
  // An interface takes what comes.
  if (port.exit && y.taken && y.front == port.packet && y.out.end() > cycle) return kAll;
  // A flit that was granted in the cycle before does not count for Buffer-Full yet.
  return y.out.total + y.limit + 2 - y.in.total;
}

// The stage before one that the same packet is passing in this cycle.
WEFT_HOT RunCrossbars::Stage RunCrossbars::before(Stage stage, Cycle cycle) const {
  const Port& port = ports_[stage.port];
  if (stage.into_link() && !port.detour) {
    const bool same = port.x != kNone && port.queued == 0 && port.in_left != 0;
    return same && port.in_moves && port.in_until > cycle ? Stage::input(stage.port) : Stage{};
  }
  const Channel& x = channels_[port.x];
  const Port& from = ports_[x.from];
  return from.packet == x.front && from.moves && from.until > cycle ? Stage::link(x.from) : Stage{};
}

// The stage after one that the same packet is passing in this cycle.
WEFT_HOT RunCrossbars::Stage RunCrossbars::after(Stage stage, Cycle cycle) const {
  const Port& port = ports_[stage.port];
  if (!stage.into_link()) {
    const bool same = port.packet == channels_[port.x].front;
    return same && port.moves && port.until > cycle ? stage.link(stage.port) : Stage{};
  }
  const Channel& y = channels_[port.y];
  if (y.front != port.packet || y.ports == kNone) return {};
  const Port& next = ports_[y.port];
  if (next.detour) {
    const bool same = next.packet == port.packet && next.moves && next.until > cycle;
    return same ? Stage::link(y.port) : Stage{};
  }
  // Once its tail is certain, the packet is not in front any more.
  const bool same = next.x == port.y && next.in_left != 0 && next.in_moves && next.in_until > cycle;
  return same ? Stage::input(y.port) : Stage{};
}

// Whether the next flit of a stage, which follows what is certain, is in time for the stage after.
WEFT_HOT bool RunCrossbars::follows(Stage first, Stage second, Cycle cycle) const {
  if (!first.exists() || !second.exists()) return false;
  if (!first.into_link()) return true;
  const Cycle at = std::max(cycle, ports_[first.port].until);
  const Channel& y = channels_[ports_[first.port].y];
  const std::uint32_t held = y.in.total - y.out.total;
  return flits_there(second, cycle) == held && std::max(cycle, y.out.end()) + held >= at + kInput;
}

// Buffer-Full is up, and falls when so many have left the buffer that the limit is kept: then the
// port that sends is looked at.
WEFT_HOT void RunCrossbars::let_in(Channel& y, Cycle cycle) {
  const std::uint32_t need = y.in.total - y.limit;
  y.awaited = y.out.total < need;
  if (!y.awaited) wake_link(y.from, std::max(cycle + 1, y.out.reaches(need)));
}

// So many more flits of an input's packet leave its buffer, without a break.
WEFT_HOT void RunCrossbars::take_in(std::uint32_t c, std::uint32_t flits, Cycle cycle, bool tail) {
  Channel& x = channels_[c];
  x.out.total += flits;
  if (x.awaited) let_in(x, cycle);
  if (!tail) return;
  x.free = x.out.end();
  x.front = kNone;
  if (x.queued == 0) return;
  const std::uint32_t at = x.oldest;
  x.oldest = static_cast<std::uint16_t>((at + 1) & ring_mask_);
  --x.queued;
  request(c, ring(c)[at], std::max(grants(c)[at] + kInput, x.free));
}

// So many more flits of the packet on the link are certain, without a break.
void RunCrossbars::advance_link(std::uint32_t p, std::uint32_t flits, Cycle cycle) {
  Port& port = ports_[p];
  Channel& y = channels_[port.y];
  const Cycle from = port.until;
  const bool header = packets_[port.packet].flits == port.left;
  y.in.total += flits;
  port.load += flits;
  port.until += flits;
  port.left = static_cast<std::uint16_t>(port.left - flits);
  moves_until_ = std::max(moves_until_, port.until);
  if (port.left == 0) {
    if (port.first == 0) {
      Packet& packet = packets_[port.packet];
      packets_.add_whole(
          packet, 0,
          static_cast<unsigned __int128>(powers_.of(port.until - packet.flits + 1)) * y.factor);
    } else {
      count_part(p, port.until);
    }
    port.counted = true;
    if (of_interface(p)) {
      ++entered_;
      std::uint32_t controller = 0;
      if (controllers_ > 1) {
        controller = arbiters_[port.arbiters].granted;
        ends_.add(port.until - 1, p);
      }
      sent_.push_back({p * controllers_ + controller, port.until});
    }
  }
  if (port.detour) take_in(port.x, flits, cycle, port.left == 0);
  if (port.exit) {
    exits_.push_back({port.y, from, flits, header});
  } else if (y.awaits) {
    y.awaits = false;
    const Cycle there = y.in.cycle_of(y.out.total) + kInput;
    ports_[y.port].detour ? wake_link(y.port, there) : wake_input(y.port, there);
  }
  if (port.awaits_space) {
    port.awaits_space = false;
    wake_input(p, from + 1);
  }
  if (port.left != 0 || port.queued != 0 || port.exit) wake_link(p, port.until);
}

// So many more flits of the connected packet are certain, without a break.
WEFT_HOT void RunCrossbars::advance_input(std::uint32_t p, std::uint32_t flits, Cycle cycle) {
  Port& port = ports_[p];
  port.pushed.total += flits;
  port.in_until += flits;
  port.in_left = static_cast<std::uint16_t>(port.in_left - flits);
  take_in(port.x, flits, cycle, port.in_left == 0);
  if (port.in_left == 0) {
    ends_.add(port.in_until - 1, p);
  } else {
    wake_input(p, port.in_until);
  }
  if (port.awaits) {
    port.awaits = false;
    wake_link(p, cycle + 1);
  }
}

WEFT_HOT void RunCrossbars::advance(Stage stage, std::uint32_t flits, Cycle cycle) {
  stage.into_link() ? advance_link(stage.port, flits, cycle)
                    : advance_input(stage.port, flits, cycle);
}

// A packet passes `stage` in this cycle. All stages that it is passing go on together until the
// first of them has no more flits or the last has no more space: finds how far.
void RunCrossbars::run_on(const Stage stage, Cycle cycle) {
  const std::uint32_t all = left(stage);
  std::uint32_t there = flits_there(stage, cycle), space = space_behind(stage, cycle);
  chain_.clear();
  // Upstream, with the flits that will have come to each stage.
  if (there < all) {
    Stage first = stage;
    for (Stage s = before(stage, cycle); follows(s, first, cycle); s = before(first, cycle)) {
      first = s;
      chain_.push_back({s, flits_there(s, cycle), space_behind(s, cycle)});
      if (chain_.back().there >= left(s)) break;
    }
    std::uint32_t sum = 0;
    for (auto step = chain_.rbegin(); step != chain_.rend(); ++step)
      step->there = sum += step->there;
    there += sum;
  }
  const auto upstream = static_cast<std::ptrdiff_t>(chain_.size());
  // Downstream, with the space that there will be.
  if (space < all) {
    Stage last = stage;
    for (Stage s = after(stage, cycle); follows(last, s, cycle); s = after(last, cycle)) {
      last = s;
      chain_.push_back({s, flits_there(s, cycle), space_behind(s, cycle)});
      if (chain_.back().space >= left(s)) break;
    }
    std::uint32_t sum = there;
    for (auto step = chain_.begin() + upstream; step != chain_.end(); ++step) {
      step->there = sum += step->there;
    }
    sum = 0;
    for (auto step = chain_.end(); step-- != chain_.begin() + upstream;) {
      step->space = sum += step->space;
    }
    space += sum;
  }
  std::uint32_t sum = space;
  for (auto step = chain_.begin(); step != chain_.begin() + upstream; ++step) {
    step->space = sum += step->space;
  }
  advance(stage, std::min({all, there, space}), cycle);
  for (const ChainStep& step : chain_) {
    const std::uint32_t flits = std::min({left(step.stage), step.there, step.space});
    if (flits != 0) advance(step.stage, flits, cycle);
  }
}

// Looks at a link in a cycle: its run ends, goes on or is stopped, or one begins.
void RunCrossbars::look_at_link(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.packet == kNone) return;
  if (port.moves && cycle < port.until) {
    if (port.left != 0 || port.queued != 0 || port.exit) wake_link(p, port.until);
    return;
  }
  if (port.moves && port.left == 0) {
    if (port.exit) delivered_.push_back({port.y, port.packet});
    port.moves = false;
    port.packet = kNone;
    if (port.queued == 0) return;
    port.packet = queue(p)[port.oldest];
    port.left = packets_[port.packet].flits;
    port.oldest = static_cast<std::uint16_t>((port.oldest + 1) & queue_mask_);
    --port.queued;
  }
  Channel& y = channels_[port.y];
  Cycle next = kNever;
  bool goes = flit_there(Stage::link(p), cycle, next);
  if (goes && full(y, cycle)) {
    goes = false;
    let_in(y, cycle);
  }
  if (!goes) {
    if (port.moves) count_part(p, cycle);
    port.moves = false;
    if (next != kNever) wake_link(p, next);
    return;
  }
  if (!port.moves) {
    port.moves = true;
    port.counted = false;
    port.until = cycle;
    port.first = static_cast<std::uint16_t>(packets_[port.packet].flits - port.left);
    y.in.begin(cycle);
    if (port.detour) channels_[port.x].out.begin(cycle);
    if (port.first == 0) {
      if (port.exit) packets_[port.packet].time = cycle;
      arrive(port.y, port.packet, cycle);
    }
  }
  run_on(Stage::link(p), cycle);
}

// Looks at the way into an output buffer in a cycle.
void RunCrossbars::look_at_input(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.x == kNone || port.in_left == 0) return;
  if (port.in_moves && cycle < port.in_until) return wake_input(p, port.in_until);
  const PastLine& link = channels_[port.y].in;
  Cycle next = kNever;
  bool goes = flit_there(Stage::input(p), cycle, next);
  if (goes && port.pushed.before(cycle) - link.before(cycle) >= port.depth) {
    goes = false;
    const std::uint32_t need = port.pushed.total - port.depth + 1;
    if (link.total >= need) {
      next = link.reaches(need);
    } else {
      port.awaits_space = true;
    }
  }
  if (!goes) {
    port.in_moves = false;
    if (next != kNever) wake_input(p, next);
    return;
  }
  if (!port.in_moves) {
    port.in_moves = true;
    port.in_until = cycle;
    port.pushed.begin(cycle);
    channels_[port.x].out.begin(cycle);
  }
  if (port.in_first) {
    port.in_first = false;
    enqueue(p, channels_[port.x].front);
    wake_link(p, cycle + 1);
  }
  run_on(Stage::input(p), cycle);
}

// Counts the run on a link in the digest, as far as it is certain: the last flit is in the cycle
// before `until`.
void RunCrossbars::count_part(std::uint32_t p, Cycle until) {
  const Port& port = ports_[p];
  Packet& packet = packets_[port.packet];
  const std::uint32_t end = packet.flits - port.left;
  const Cycle start = port.until - (end - port.first);
  const std::uint32_t last = std::min(end, port.first + (until - start));
  packets_.add_part(packet, 0, port.first, last,
                    Mod61::times(powers_.of(start + 1), channels_[port.y].factor));
}

// A request that has reached its arbiter: number of the arbiter times 64, and requester.
void RunCrossbars::flag(std::uint32_t what) {
  arbiters_[what / 64].waiting |= std::uint64_t{1} << what % 64;
  dirty_.push_back(what / 64);
}

// The connected packet's tail is granted in this cycle.
void RunCrossbars::end_packet(std::uint32_t p) {
  Port& port = ports_[p];
  const auto release = [&](std::uint32_t arbiter) {
    arbiters_[arbiter].granted = Arbiter::kFree;
    dirty_.push_back(arbiter);
  };
  if (of_interface(p)) return release(port.arbiters);
  release(port.arbiters + channels_[port.x].first);
  if (port.switches > 1) release(port.arbiters + port.switches);
  port.x = kNone;
  port.in_moves = false;
}

// Arbitration at the end of a cycle.
void RunCrossbars::choose(std::uint32_t number, Cycle cycle) {
  Arbiter& arbiter = arbiters_[number];
  if (arbiter.granted != Arbiter::kFree || arbiter.waiting == 0) return;
  arbiter.granted = static_cast<std::uint8_t>(arbiter.round_robin.choose(arbiter.waiting));
  arbiter.waiting &= ~(std::uint64_t{1} << arbiter.granted);
  const std::uint32_t p = arbiter_port_[number];
  Port& port = ports_[p];
  if (of_interface(p)) {
    const std::uint32_t packet = offered_[p * controllers_ + arbiter.granted];
    port.pushed.begin(cycle);
    port.pushed.total += packets_[packet].flits;
    enqueue(p, packet);
    return wake_link(p, cycle + 1);
  }
  std::uint32_t first = number - port.arbiters;
  const std::uint32_t second = port.arbiters + port.switches;
  if (port.switches > 1 && number != second) return flags_.add(cycle + 2, second * 64 + first);
  if (port.switches > 1) first = arbiter.granted;
  port.x = port.inputs + first * port.first_in + arbiters_[port.arbiters + first].granted;
  port.in_left = packets_[channels_[port.x].front].flits;
  port.in_first = true;
  wake_input(p, cycle + 1);
}

void RunCrossbars::step(Cycle cycle) {
  const auto each = [cycle](Wheel& wheel, auto use) {
    auto& due = wheel.begin(cycle);
    for (std::uint32_t i = 0; i < due.size(); ++i) use(due[i]);
    due.clear();
  };
  each(flags_, [&](std::uint32_t what) { flag(what); });
  each(links_, [&](std::uint32_t p) {
    if (ports_[p].look != cycle) return;  // It was looked at, or is to be later.
    ports_[p].look = kNever;
    look_at_link(p, cycle);
  });
  each(inputs_, [&](std::uint32_t p) {
    if (ports_[p].in_look != cycle) return;
    ports_[p].in_look = kNever;
    look_at_input(p, cycle);
  });
  each(ends_, [&](std::uint32_t p) { end_packet(p); });
  for (const std::uint32_t arbiter : dirty_) choose(arbiter, cycle);
  dirty_.clear();
}

void RunCrossbars::offer(std::uint32_t controller, std::uint32_t packet, Cycle cycle) {
  const std::uint32_t p = controller / controllers_;
  Port& port = ports_[p];
  if (controllers_ > 1) {
    offered_[controller] = packet;
    flags_.add(cycle + 1, port.arbiters * 64 + controller % controllers_);
    return;
  }
  port.pushed.begin(cycle - 1);
  port.pushed.total += packets_[packet].flits;
  enqueue(p, packet);
  wake_link(p, cycle);
}

void RunCrossbars::take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins) {
  Channel& channel = channels_[link];
  if (begins) channel.out.begin(cycle);
  channel.out.total += flits;
  channel.taken = true;
  if (channel.awaited) let_in(channel, cycle);
}

void RunCrossbars::pop_exit(std::uint32_t link) {
  Channel& channel = channels_[link];
  channel.front = kNone;
  channel.taken = false;
  if (channel.queued == 0) return;
  channel.front = ring(link)[channel.oldest];
  channel.oldest = static_cast<std::uint16_t>((channel.oldest + 1) & ring_mask_);
  --channel.queued;
}

void RunCrossbars::end(Cycle cycle) {
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    if (port.packet == kNone || !port.moves) continue;
    const std::uint32_t over = port.until > cycle ? port.until - cycle : 0;
    port.load -= over;
    if (of_interface(p) && port.left == 0 && over != 0) --entered_;
    if (!port.counted) {
      count_part(p, cycle);
    } else if (over != 0) {
      // The whole run was counted.
      count_part(p, cycle);
      Packet& packet = packets_[port.packet];
      const Cycle start = port.until - (packet.flits - port.first);
      packets_.add_part(
          packet, 0, port.first, packet.flits,
          Mod61::kPrime - Mod61::times(powers_.of(start + 1), channels_[port.y].factor));
    }
  }
}

std::vector<std::uint64_t> RunCrossbars::load() const {
  std::vector<std::uint64_t> load(channels_.size());
  for (const Port& port : ports_) load[port.y] = port.load;
  return load;
}

bool RunCrossbars::empty() const {
  return std::all_of(channels_.begin(), channels_.end(),
                     [](const Channel& c) { return c.in.total == c.out.total; }) &&
         std::all_of(ports_.begin(), ports_.end(), [&](const Port& port) {
           return port.packet == kNone || (port.moves && port.left == 0);
         });
}

}  // namespace weft
