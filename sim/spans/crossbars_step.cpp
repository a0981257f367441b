// The cycles of a network of crossbars that moves packets as spans.
#include <algorithm>

#include "sim/spans/crossbars.hpp"

#define WEFT_HOT [[gnu::always_inline]] inline

namespace weft {

WEFT_HOT void SpanCrossbars::wake(std::uint32_t s, Cycle cycle) {
  Stage& stage = stages_[s];
  if (stage.moves && cycle < stage.until) cycle = stage.until;
  if (stage.look <= cycle) return;
  stage.look = cycle;
  looks_.add(cycle, s);
}

// Handles that a packet's header is granted into a buffer in this cycle.
WEFT_HOT void SpanCrossbars::arrive(std::uint32_t b, std::uint32_t packet, Cycle cycle) {
  Buffer& buffer = buffers_[b];
  if (buffer.front == kNone) return come_front(b, {packet, cycle});
  ring(b)[(buffer.oldest + buffer.queued++) & ring_mask_] = {packet, cycle};
}

// Brings a packet to the front; it requests the stage that it will pass as soon as it is there.
void SpanCrossbars::come_front(std::uint32_t b, Queued what) {
  Buffer& buffer = buffers_[b];
  buffer.front = what.packet;
  const Cycle there = std::max(what.granted + buffer.delay, buffer.free);
  if (buffer.input) {
    const Switches& crossbar = crossbars_[buffer.crossbar];
    const unsigned dest = crossbar.decoder.decode(packets_[what.packet].header, buffer.detour);
    buffer.to = crossbar.outputs + dest;
    if (dest < crossbar.decoder.num_out) {
      buffer.to += links_;
      const std::uint32_t arbiter = stages_[buffer.to].arbiters + buffer.number / crossbar.first_in;
      return flags_.add(there + 1, arbiter * 64 + buffer.number % crossbar.first_in);
    }
    buffer.to += buffer.number;
  }
  if (buffer.to != kNone) wake(buffer.to, there);
}

// Brings the next packet to the front: the front packet's tail is certain to leave.
WEFT_HOT void SpanCrossbars::leave(std::uint32_t b) {
  Buffer& buffer = buffers_[b];
  buffer.free = buffer.out.end();
  buffer.front = kNone;
  if (buffer.queued == 0) return;
  const Queued next = ring(b)[buffer.oldest];
  buffer.oldest = static_cast<std::uint16_t>((buffer.oldest + 1) & ring_mask_);
  --buffer.queued;
  come_front(b, next);
}

// Wakes the stage that fills the buffer and waits for space: it is looked at when there will be
// some.
WEFT_HOT void SpanCrossbars::let_in(Buffer& y, Cycle cycle) {
  const std::uint32_t need = y.in.total - y.space + (y.link ? State::kLate : 1);
  y.awaited = y.out.total < need;
  if (!y.awaited) wake(y.from, std::max(cycle + 1, y.out.reaches(need)));
}

// Wakes the stage that empties the buffer and waits for flits: it is looked at when the first can
// leave.
WEFT_HOT void SpanCrossbars::bring(Buffer& x) {
  x.awaits = false;
  wake(x.to, x.in.cycle_of(x.out.total) + x.delay);
}

// Whether the next flit can pass the stage in this cycle; if not, the stage is looked at when it
// can.
WEFT_HOT bool SpanCrossbars::flit_there(const Stage& stage, Cycle cycle) {
  Buffer& x = buffers_[stage.x];
  const std::uint32_t done = x.out.total;
  if (x.in.before(cycle - x.delay + 1) > done) return true;
  if (x.in.total == done) {
    x.awaits = true;
  } else {
    bring(x);
  }
  return false;
}

// Whether there is space for the next flit; if not, the stage is looked at when there is. A flit
// that was granted into a link in the cycle before does not count for Buffer-Full yet.
WEFT_HOT bool SpanCrossbars::space_there(const Stage& stage, Cycle cycle) {
  Buffer& y = buffers_[stage.y];
  const std::uint32_t left = y.out.before(cycle);
  if (y.link ? y.in.before(cycle - 1) + State::kLate <= left + y.space
             : y.in.before(cycle) < left + y.space) {
    return true;
  }
  let_in(y, cycle);
  return false;
}

// Flits that are certain to be there in time for a stage that passes the next one as soon as
// possible after what is certain.
WEFT_HOT std::uint32_t SpanCrossbars::flits_before(const Stage& stage, Cycle cycle) const {
  const Buffer& x = buffers_[stage.x];
  return x.in.certain(x.out.total, std::max(cycle, x.out.end()) - x.delay);
}

// Flits for which there will be space behind a stage.
WEFT_HOT std::uint32_t SpanCrossbars::space_behind(const Stage& stage, Cycle cycle) const {
  constexpr std::uint32_t kAll = 1u << 16;
  const Buffer& y = buffers_[stage.y];
  // An interface takes all that comes.
  if (y.taken && y.front == stage.packet && y.out.end() > cycle) return kAll;
  return y.out.total + y.space - y.in.total;
}

// Whether a packet passes a stage in this cycle, other than the one that is being looked at.
WEFT_HOT bool SpanCrossbars::passes(std::uint32_t s, std::uint32_t packet, Cycle cycle) const {
  return s != kNone && stages_[s].packet == packet && stages_[s].moves && stages_[s].until > cycle;
}

// Whether the flits of the first stage after the certain ones are in time for the second stage.
WEFT_HOT bool SpanCrossbars::follows(std::uint32_t first, std::uint32_t second, Cycle cycle) const {
  const Buffer& x = buffers_[stages_[second].x];
  const std::uint32_t held = x.in.total - x.out.total;
  return flits_before(stages_[second], cycle) == held &&
         std::max(cycle, x.out.end()) + held >= std::max(cycle, stages_[first].until) + x.delay;
}

// Makes `flits` more flits of the packet certain, without a break.
void SpanCrossbars::advance(std::uint32_t s, std::uint32_t flits, Cycle cycle) {
  Stage& stage = stages_[s];
  Buffer &x = buffers_[stage.x], &y = buffers_[stage.y];
  Packet& packet = packets_[stage.packet];
  const Cycle from = stage.until;
  const bool header = stage.left == packet.flits;
  const auto flits_told = [&](const Buffer& buffer) {
    return Mail::Flits{buffer.twin, stage.packet, from, static_cast<std::uint16_t>(flits),
                       false,       header};
  };
  x.out.total += flits;
  y.in.total += flits;
  stage.until += flits;
  stage.left = static_cast<std::uint16_t>(stage.left - flits);
  const bool tail = stage.left == 0;
  if (x.awaited) let_in(x, cycle);
  if (y.awaits) bring(y);
  if (x.told) outbox_[x.part].out.push_back(flits_told(x));
  if (y.mirror) outbox_[y.part].in.push_back(flits_told(y));
  if (tail) {
    leave(stage.x);
    if (stage.arbiters != kNone) ends_.add(stage.until - 1, s);
  }
  if (!tail || stage.exit) wake(s, stage.until);
  if (!stage.link) return;
  stage.load += flits;
  moves_until_ = std::max(moves_until_, stage.until);
  if (stage.exit) exits_.push_back({stage.y, from, flits, header});
  if (!tail) return;
  // Terms added after the packet's header has passed go to the part of the packet's destination
  // (Packets).
  if (stage.first == 0 && (header || !packets_.shared())) {
    packets_.add_whole(
        packet, 0,
        static_cast<unsigned __int128>(powers_.of(stage.until - packet.flits + 1)) * y.factor);
  } else {
    count_part(s, stage.until);
  }
  stage.counted = true;
  if (of_interface(s)) {
    ++entered_;
    const std::uint32_t controller =
        stage.arbiters != kNone ? arbiters_[stage.arbiters].granted : 0u;
    sent_.push_back({s * controllers_ + controller, stage.until});
  }
}

// Extends the spans of a packet that passes the stage in this cycle. All stages that it is passing
// go on together until the first has no more flits or the last has no more space: finds how far.
void SpanCrossbars::go_on(std::uint32_t s, Cycle cycle) {
  const Stage& stage = stages_[s];
  const std::uint32_t packet = stage.packet, all = stage.left;
  std::uint32_t there = flits_before(stage, cycle), space = space_behind(stage, cycle);
  chain_.clear();
  const auto add = [&](std::uint32_t q) -> ChainStep& {
    return chain_.emplace_back(
        ChainStep{q, flits_before(stages_[q], cycle), space_behind(stages_[q], cycle)});
  };
  // Upstream, with the flits that will have come to each stage.
  if (there < all) {
    for (std::uint32_t last = s, q;
         passes(q = buffers_[stages_[last].x].from, packet, cycle) && follows(q, last, cycle);
         last = q) {
      if (add(q).there >= stages_[q].left) break;
    }
    std::uint32_t sum = 0;
    for (auto step = chain_.rbegin(); step != chain_.rend(); ++step)
      step->there = sum += step->there;
    there += sum;
  }
  const std::size_t upstream = chain_.size();
  // Downstream, with the space that there will be.
  if (space < all) {
    for (std::uint32_t last = s, q;
         passes(q = buffers_[stages_[last].y].to, packet, cycle) && follows(last, q, cycle);
         last = q) {
      if (add(q).space >= stages_[q].left) break;
    }
    std::uint32_t sum = there;
    for (std::size_t i = upstream; i < chain_.size(); ++i) chain_[i].there = sum += chain_[i].there;
    sum = 0;
    for (std::size_t i = chain_.size(); i-- > upstream;) chain_[i].space = sum += chain_[i].space;
    space += sum;
  }
  std::uint32_t sum = space;
  for (std::size_t i = 0; i < upstream; ++i) chain_[i].space = sum += chain_[i].space;
  advance(s, std::min({all, there, space}), cycle);
  for (const ChainStep& step : chain_) {
    const std::uint32_t left = stages_[step.stage].left;
    const std::uint32_t flits = std::min({left, step.there, step.space});
    if (flits != 0) advance(step.stage, flits, cycle);
  }
}

// Looks at a stage in a cycle: its span ends, goes on or is stopped, or a new one begins.
WEFT_HOT void SpanCrossbars::look(std::uint32_t s, Cycle cycle) {
  Stage& stage = stages_[s];
  if (stage.moves && cycle < stage.until) {
    const bool more = stage.left != 0 || stage.exit || buffers_[stage.x].front != kNone;
    if (more) wake(s, stage.until);
    return;
  }
  if (stage.moves && stage.left == 0) {
    if (stage.exit) delivered_.push_back({stage.y, stage.packet});
    stage.moves = false;
    stage.packet = kNone;
  }
  if (stage.packet == kNone) {
    // A switch gets its packets from its arbiters.
    if (!stage.link) return;
    const Buffer& x = buffers_[stage.x];
    if (x.front == kNone || x.to != s) return;
    stage.packet = x.front;
    stage.left = packets_[x.front].flits;
  }
  if (!flit_there(stage, cycle) || !space_there(stage, cycle)) {
    if (stage.moves && stage.link) count_part(s, cycle);
    stage.moves = false;
    return;
  }
  if (!stage.moves) {
    stage.moves = true;
    stage.counted = false;
    stage.until = cycle;
    stage.first = static_cast<std::uint16_t>(packets_[stage.packet].flits - stage.left);
    buffers_[stage.y].in.begin(cycle);
    buffers_[stage.x].out.begin(cycle);
    if (stage.first == 0) {
      if (stage.exit) packets_[stage.packet].time = cycle;
      if (!buffers_[stage.y].mirror) arrive(stage.y, stage.packet, cycle);
    }
  }
  go_on(s, cycle);
}

// Handles that the granted packet's tail passes in this cycle.
void SpanCrossbars::end_packet(std::uint32_t s) {
  Stage& stage = stages_[s];
  const auto release = [&](std::uint32_t arbiter) {
    arbiters_[arbiter].granted = Arbiter::kFree;
    dirty_.push_back(arbiter);
  };
  if (of_interface(s)) return release(stage.arbiters);
  const Buffer& x = buffers_[stage.x];
  const Switches& crossbar = crossbars_[x.crossbar];
  release(stage.arbiters + x.number / crossbar.first_in);
  if (crossbar.first > 1) release(stage.arbiters + crossbar.first);
  stage.packet = kNone;
  stage.moves = false;
}

// Arbitration at the end of a cycle.
void SpanCrossbars::choose(std::uint32_t number, Cycle cycle) {
  Arbiter& arbiter = arbiters_[number];
  if (arbiter.granted != Arbiter::kFree || arbiter.waiting == 0) return;
  arbiter.granted = static_cast<std::uint8_t>(arbiter.round_robin.choose(arbiter.waiting));
  arbiter.waiting &= ~(std::uint64_t{1} << arbiter.granted);
  const std::uint32_t s = arbiter.stage;
  Stage& stage = stages_[s];
  if (of_interface(s)) {
    const std::uint32_t packet = offered_[s * controllers_ + arbiter.granted];
    buffers_[stage.x].in.begin(cycle);
    buffers_[stage.x].in.total += packets_[packet].flits;
    return arrive(stage.x, packet, cycle);
  }
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  std::uint32_t first = number - stage.arbiters;
  if (crossbar.first > 1) {
    const std::uint32_t second = stage.arbiters + crossbar.first;
    if (number != second) return flags_.add(cycle + 2, second * 64 + first);
    first = arbiter.granted;
  }
  stage.x = crossbar.inputs + first * crossbar.first_in + arbiters_[stage.arbiters + first].granted;
  stage.packet = buffers_[stage.x].front;
  stage.left = packets_[stage.packet].flits;
  wake(s, cycle + 1);
}

void SpanCrossbars::step(Cycle cycle) {
  const auto each = [cycle](Wheel& wheel, auto use) {
    auto& due = wheel.begin(cycle);
    for (std::uint32_t i = 0; i < due.size(); ++i) use(due[i]);
    due.clear();
  };
  // A request: 64 times the number of its arbiter, plus the requester.
  each(flags_, [&](std::uint32_t what) {
    arbiters_[what / 64].waiting |= std::uint64_t{1} << what % 64;
    dirty_.push_back(what / 64);
  });
  each(looks_, [&](std::uint32_t s) {
    if (stages_[s].look != cycle) return;  // It was looked at already, or is to be later.
    stages_[s].look = kNever;
    look(s, cycle);
  });
  each(ends_, [&](std::uint32_t s) { end_packet(s); });
  for (const std::uint32_t arbiter : dirty_) choose(arbiter, cycle);
  dirty_.clear();
}

void SpanCrossbars::offer(std::uint32_t port, std::uint32_t packet, Cycle cycle) {
  const Stage& stage = stages_[port / controllers_];
  if (stage.arbiters != kNone) {
    offered_[port] = packet;
    return flags_.add(cycle + 1, stage.arbiters * 64 + port % controllers_);
  }
  buffers_[stage.x].in.begin(cycle - 1);
  buffers_[stage.x].in.total += packets_[packet].flits;
  arrive(stage.x, packet, cycle - 1);
}

void SpanCrossbars::take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins) {
  Buffer& buffer = buffers_[link];
  if (begins) buffer.out.begin(cycle);
  buffer.out.total += flits;
  buffer.taken = true;
  if (buffer.awaited) let_in(buffer, cycle);
}

void SpanCrossbars::take(const Mail& mail, Cycle cycle) {
  for (const Mail::Flits& what : mail.out) {
    Buffer& y = buffers_[what.channel];
    if (what.start != y.out.end()) y.out.begin(what.start);
    y.out.total += what.count;
    if (y.awaited) let_in(y, cycle - 1);
  }
  for (const Mail::Flits& what : mail.in) {
    Buffer& y = buffers_[what.channel];
    y.in.begin(what.start);
    y.in.total += what.count;
    if (what.header) arrive(what.channel, what.packet, what.start);
    if (y.awaits) bring(y);
  }
}

void SpanCrossbars::pop_exit(std::uint32_t link) {
  buffers_[link].taken = false;
  leave(link);
}

}  // namespace weft
