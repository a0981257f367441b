// A network of crossbars that moves packets as spans: checks of a loaded state, like those of
// network_loaded.cpp.
#include <algorithm>

#include "sim/spans/crossbars.hpp"

namespace weft {

bool CrossbarState::has_stage(std::uint32_t s, unsigned part) const {
  if (s >= 2 * links) return false;
  const Link& link = graph_.links[graph_.out_link[s < links ? s : s - links]];
  return division_.of_block[link.src_block] == part;
}

bool CrossbarState::is_mirror(std::uint32_t b, unsigned part) const {
  return b >= 2 * links && b < buffers.size() && has_stage(buffers[b].from, part);
}

bool CrossbarState::is_told(std::uint32_t b, unsigned part) const {
  return b < links && buffers[b].told && division_.of_block[graph_.links[b].dst_block] == part;
}

bool SpanCrossbars::good_buffer(const State& state, std::uint32_t b, unsigned part, Cycle cycle,
                                const LoadedPackets& packets) const {
  const Buffer& buffer = buffers_[b];
  if (!has_order(buffer.in, buffer.out, cycle)) return false;
  if (buffer.queued > ring_mask_ + 1 || buffer.oldest > ring_mask_) return false;
  if (buffer.queued != 0 && buffer.front == kNone) return false;
  const auto good = [&](std::uint32_t packet) {
    return buffer.input ? packets.has_route(packet) : packets.exists(packet);
  };
  for (std::uint32_t i = 0; i < buffer.queued; ++i) {
    if (!good(ring(b)[(buffer.oldest + i) & ring_mask_].packet)) return false;
  }
  if (buffer.front != kNone) {
    if (!packets.exists(buffer.front)) return false;
    if (buffer.input && buffer.to == kNone) return false;
  }
  if (buffer.to != kNone && !state.has_stage(buffer.to, part)) return false;
  return (!buffer.awaits || buffer.to != kNone) && (!buffer.awaited || buffer.from != kNone);
}

// Whether a buffer is an input buffer of a crossbar, from which a stage's packet may come.
bool SpanCrossbars::is_input(std::uint32_t b, std::uint32_t crossbar) const {
  return b < links_ && buffers_[b].input && buffers_[b].crossbar == crossbar;
}

bool SpanCrossbars::good_stage(std::uint32_t s, Cycle cycle, const LoadedPackets& packets) const {
  const Stage& stage = stages_[s];
  if (!stage.link && stage.arbiters == kNone) return stage.packet == kNone && !stage.moves;
  const Buffer& y = buffers_[stage.y];
  const bool moves = stage.moves && (stage.left != 0 || stage.until > cycle);
  // A packet that no longer moves has come into the next buffer.
  if (!moves && y.in.total != y.in.base && y.in.end() > cycle) return false;
  if (stage.packet == kNone) return !stage.moves;
  if (!packets.exists(stage.packet)) return false;
  if (!stage.link && !is_input(stage.x, arbiters_[stage.arbiters].crossbar)) return false;
  const Buffer& x = buffers_[stage.x];
  if (stage.left != 0 && (x.front != stage.packet || x.to != s)) return false;
  if (!stage.link) {
    const std::uint32_t first_in = crossbars_[x.crossbar].first_in;
    const Arbiter& first = arbiters_[stage.arbiters + x.number / first_in];
    if (first.granted != x.number % first_in) return false;
  }
  return !moves || (x.out.end() == stage.until && y.in.end() == stage.until);
}

// Number of requesters of an arbiter.
std::uint32_t SpanCrossbars::requesters(std::uint32_t number) const {
  const Arbiter& arbiter = arbiters_[number];
  if (of_interface(arbiter.stage)) return controllers_;
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  const std::uint32_t first = number - stages_[arbiter.stage].arbiters;
  return first == crossbar.first ? crossbar.first : crossbar.first_in;
}

// The input buffer of a requester of a switch of the first stage.
std::uint32_t SpanCrossbars::requester(std::uint32_t number, std::uint32_t i) const {
  const Arbiter& arbiter = arbiters_[number];
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  return crossbar.inputs + (number - stages_[arbiter.stage].arbiters) * crossbar.first_in + i;
}

// Whether requester `i` of an arbiter has a packet for its switch.
bool SpanCrossbars::has_packet(std::uint32_t number, std::uint32_t i) const {
  const Arbiter& arbiter = arbiters_[number];
  const std::uint32_t b = requester(number, i);
  return is_input(b, arbiter.crossbar) && buffers_[b].front != kNone &&
         buffers_[b].to == arbiter.stage;
}

// Whether requester `i` of an arbiter has a packet for it that was not granted.
bool SpanCrossbars::good_request(std::uint32_t number, std::uint32_t i,
                                 const LoadedPackets& packets) const {
  if (i >= requesters(number)) return false;
  const Arbiter& arbiter = arbiters_[number];
  const std::uint32_t s = arbiter.stage;
  const Stage& stage = stages_[s];
  if (of_interface(s)) return packets.has_route(offered_[s * controllers_ + i]);
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  if (number - stage.arbiters == crossbar.first) {  // Granted by a switch of the first stage.
    const std::uint32_t first = stage.arbiters + i;
    const bool passes = stage.packet != kNone && buffers_[stage.x].number / crossbar.first_in == i;
    return !passes && arbiters_[first].granted != Arbiter::kFree &&
           arbiters_[first].granted < requesters(first) &&
           has_packet(first, arbiters_[first].granted);
  }
  // A packet behind one that ends may request.
  const bool ends = stage.packet != kNone && stage.left == 0 && stage.x == requester(number, i);
  return has_packet(number, i) && (arbiter.granted != i || ends);
}

void SpanCrossbars::check_arbiter(std::uint32_t number, const LoadedPackets& packets) const {
  const Arbiter& arbiter = arbiters_[number];
  const bool free = arbiter.granted == Arbiter::kFree;
  require_loaded(arbiter.round_robin.is_good() && (free || arbiter.granted < requesters(number)),
                 "an arbiter that grants what is not there");
  for (std::uint32_t i = 0; i < 64; ++i) {
    require_loaded((arbiter.waiting >> i & 1) == 0 || good_request(number, i, packets),
                   "a request without a packet");
  }
  if (!of_interface(arbiter.stage)) return;
  // The packet is from the controller that was granted.
  const Buffer& x = buffers_[stages_[arbiter.stage].x];
  require_loaded(x.queued == 0 && (x.front == kNone || !free), "a packet without a grant");
}

void SpanCrossbars::check_events(const State& state, unsigned part, Cycle cycle,
                                 const LoadedPackets& packets) const {
  for (const Wheel* wheel : {&flags_, &looks_, &ends_}) {
    require_loaded(wheel->is_good(cycle), "an event that is over");
  }
  const auto has_arbiter = [&](std::uint32_t number) {
    return number < state.arbiters.size() && state.has_stage(arbiters_[number].stage, part);
  };
  std::vector<std::uint32_t> requests;
  flags_.each([&](Cycle, std::uint32_t what) {
    require_loaded(has_arbiter(what / 64) && good_request(what / 64, what % 64, packets) &&
                       (arbiters_[what / 64].waiting >> what % 64 & 1) == 0,
                   "a request without a packet");
    requests.push_back(what);
  });
  require_loaded(are_different(requests), "a request without a packet");
  for (const std::uint32_t number : dirty_) {
    require_loaded(has_arbiter(number), "an arbiter that is not there");
  }
  looks_.each([&](Cycle, std::uint32_t s) {
    require_loaded(state.has_stage(s, part), "a link or switch to look at that is not there");
  });
  ends_.each([&](Cycle at, std::uint32_t s) {
    require_loaded(state.has_stage(s, part) && stages_[s].arbiters != kNone,
                   "the end of a packet where there is none");
    const Stage& stage = stages_[s];
    require_loaded(stage.packet != kNone && stage.moves && stage.left == 0 &&
                       at + 1 == stage.until && stage.until > cycle,
                   "the end of a packet where there is none");
  });
}

bool SpanCrossbars::good_flits(const State& state, unsigned part, const Mail::Flits& what, bool out,
                               const LoadedPackets& packets) const {
  if (out) return state.is_mirror(what.channel, part);
  return state.is_told(what.channel, part) && (!what.header || packets.has_route(what.packet));
}

void SpanCrossbars::check_mail(const State& state, unsigned part, const Mail& mail,
                               const LoadedPackets& packets) const {
  for (const Mail::Flits& what : mail.in) {
    require_loaded(good_flits(state, part, what, false, packets),
                   "flits into a buffer that is not there");
  }
  for (const Mail::Flits& what : mail.out) {
    require_loaded(good_flits(state, part, what, true, packets),
                   "flits out of a buffer that is not there");
  }
}

void SpanCrossbars::check_loaded(const State& state, unsigned part,
                                 const std::vector<std::uint32_t>& blocks, Cycle cycle,
                                 const LoadedPackets& packets) const {
  const auto check_buffer = [&](std::uint32_t b) {
    require_loaded(good_buffer(state, b, part, cycle, packets),
                   "a packet in a buffer that cannot be");
  };
  for (const std::uint32_t number : blocks) {
    const Block& block = state.graph().blocks[number];
    for (std::uint32_t l = block.first_in; l < block.first_in + block.num_in; ++l) check_buffer(l);
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      check_buffer(links_ + p);
      const Buffer& y = buffers_[stages_[p].y];
      require_loaded(!y.mirror || (has_order(y.in, y.out, cycle) && !y.awaits && y.to == kNone),
                     "a packet in a buffer that cannot be");
    }
  }
  for (const std::uint32_t number : blocks) {
    const Block& block = state.graph().blocks[number];
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      for (const std::uint32_t s : {p, links_ + p}) {
        require_loaded(good_stage(s, cycle, packets),
                       "a packet at a link or switch that cannot be");
        std::size_t a = stages_[s].arbiters;
        for (; a < state.arbiters.size() && arbiters_[a].stage == s; ++a) {
          check_arbiter(static_cast<std::uint32_t>(a), packets);
        }
      }
    }
  }
  check_events(state, part, cycle, packets);
}

}  // namespace weft
