// A network of crossbars that moves packets as runs of flits: checks of a state that was loaded, as
// those of network_loaded.cpp.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "sim/runs/crossbars.hpp"

namespace weft {
namespace {

void require(bool good) {
  if (!good) throw std::runtime_error("a packet, buffer or switch that is not there");
}

}  // namespace

bool RunCrossbars::holds(std::uint32_t b, std::uint32_t packet) const {
  const Buffer& buffer = buffers_[b];
  if (buffer.front == packet) return true;
  for (std::uint32_t i = 0; i < buffer.queued; ++i) {
    if (ring(b)[(buffer.oldest + i) & ring_mask_].packet == packet) return true;
  }
  return false;
}

// The stage that the front packet of an input buffer passes; kNone: none does.
std::uint32_t RunCrossbars::destination(const Buffer& buffer) const {
  const Switches& crossbar = crossbars_[buffer.crossbar];
  const unsigned dest = crossbar.decoder.decode(packets_[buffer.front].header, buffer.detour);
  if (dest < crossbar.decoder.num_out) return crossbar.outputs + dest + links_;
  return dest == crossbar.decoder.num_out ? crossbar.outputs + dest + buffer.number : kNone;
}

// Whether the header of a buffer's front packet has left it.
bool RunCrossbars::goes_on(std::uint32_t b) const {
  const Buffer& buffer = buffers_[b];
  if (buffer.to == kNone) return false;
  const Stage& stage = stages_[buffer.to];
  return stage.packet == buffer.front && stage.x == b && stage.left != packets_[buffer.front].flits;
}

bool RunCrossbars::good_buffer(std::uint32_t b, Cycle cycle, PacketPlaces& places) const {
  const Buffer& buffer = buffers_[b];
  if (!buffer.in.is_good() || !buffer.out.is_good()) return false;
  if (buffer.in.total - buffer.out.total >= PastLine::kMostRun) return false;
  // No flit leaves before it has come.
  const Cycle end = buffer.out.total == buffer.out.base ? cycle : buffer.out.end();
  if (buffer.in.before(std::max(cycle, end)) - buffer.out.total >= PastLine::kMostRun) return false;
  if (buffer.queued > ring_mask_ + 1 || buffer.oldest > ring_mask_) return false;
  if (buffer.queued != 0 && buffer.front == kNone) return false;
  for (std::uint32_t i = 0; i < buffer.queued; ++i) {
    const std::uint32_t packet = ring(b)[(buffer.oldest + i) & ring_mask_].packet;
    if (!packets_.lives(packet) || !places.add(packet)) return false;
  }
  if (buffer.front != kNone) {
    if (!packets_.lives(buffer.front)) return false;
    if (buffer.input && (buffer.to == kNone || buffer.to != destination(buffer))) return false;
  }
  if (buffer.to != kNone && buffer.to >= 2 * links_) return false;
  return (!buffer.awaits || buffer.to != kNone) && (!buffer.awaited || buffer.from != kNone);
}

bool RunCrossbars::good_stage(std::uint32_t s, Cycle cycle, PacketPlaces& places) const {
  const Stage& stage = stages_[s];
  // What no longer moves has come into the next buffer.
  const Buffer& y = buffers_[stage.y];
  if ((!stage.moves || stage.until <= cycle) && y.in.total != y.in.base && y.in.end() > cycle) {
    return false;
  }
  if (stage.packet == kNone) return !stage.moves;
  if (stage.x >= 2 * links_) return false;
  if (!stage.link) {
    const Buffer& from = buffers_[stage.x];
    const Arbiter& arbiter = arbiters_[stage.arbiters];
    if (!from.input || from.crossbar != arbiter.crossbar) return false;
    const std::uint32_t first_in = crossbars_[from.crossbar].first_in;
    if (arbiters_[stage.arbiters + from.number / first_in].granted != from.number % first_in) {
      return false;
    }
  }
  if (stage.left == 0) {
    if (!stage.moves || (stage.link && !stage.counted)) return false;
    if (stage.until <= cycle && stage.link && !stage.exit) return true;  // Its packet has left.
  }
  if (!packets_.lives(stage.packet)) return false;
  const Buffer& x = buffers_[stage.x];
  if (stage.left != 0 && x.front != stage.packet) return false;
  const std::uint32_t flits = packets_[stage.packet].flits;
  if (stage.left > flits) return false;
  if (!stage.moves) return true;
  if (std::uint32_t{stage.first} + stage.left > flits) return false;
  const std::uint32_t run = flits - stage.first - stage.left;
  if (stage.until < run || stage.until - run > cycle) return false;
  return !stage.exit || holds(stage.y, stage.packet) || places.add(stage.packet);
}

// How many requesters an arbiter has.
std::uint32_t RunCrossbars::requesters(std::uint32_t number) const {
  const Arbiter& arbiter = arbiters_[number];
  if (of_interface(arbiter.stage)) return controllers_;
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  const std::uint32_t first = number - stages_[arbiter.stage].arbiters;
  return first == crossbar.first ? crossbar.first : crossbar.first_in;
}

// The input buffer of a requester of a first switch.
std::uint32_t RunCrossbars::requester(std::uint32_t number, std::uint32_t i) const {
  const Arbiter& arbiter = arbiters_[number];
  const Switches& crossbar = crossbars_[arbiter.crossbar];
  return crossbar.inputs + (number - stages_[arbiter.stage].arbiters) * crossbar.first_in + i;
}

// Whether who requests a switch has a packet for it, once, and what is granted goes on.
void RunCrossbars::check_requests(const std::vector<std::uint32_t>& stages,
                                  PacketPlaces& places) const {
  std::map<std::uint32_t, std::uint64_t> waiting;  // By arbiter: also those that are on their way.
  for (const std::uint32_t s : stages) {
    if (stages_[s].arbiters == kNone) continue;
    const bool one =
        of_interface(s) || crossbars_[arbiters_[stages_[s].arbiters].crossbar].first == 1;
    const std::uint32_t count =
        one ? 1 : crossbars_[arbiters_[stages_[s].arbiters].crossbar].first + 1;
    for (std::uint32_t a = stages_[s].arbiters; a < stages_[s].arbiters + count; ++a) {
      waiting[a] = arbiters_[a].waiting;
    }
  }
  flags_.each([&](Cycle, std::uint32_t what) {
    const auto found = waiting.find(what / 64);
    const std::uint64_t bit = std::uint64_t{1} << what % 64;
    require(found != waiting.end() && (found->second & bit) == 0);
    found->second |= bit;
  });
  for (const auto& [number, requests] : waiting) {
    const Arbiter& arbiter = arbiters_[number];
    const std::uint32_t s = arbiter.stage, count = requesters(number);
    const bool granted = arbiter.granted != Arbiter::kFree;
    require(arbiter.round_robin.is_good() && fits(&requests, 1, count) &&
            (!granted || arbiter.granted < count));
    if (of_interface(s)) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if ((requests >> i & 1) == 0) continue;
        const std::uint32_t packet = offered_[s * controllers_ + i];
        require(packets_.lives(packet) && places.add(packet));
        places.offer(s * controllers_ + i, packet);
      }
      const std::uint32_t front = buffers_[stages_[s].x].front;
      // While one passes, its controller offers no other.
      require(front == kNone || (granted && (requests >> arbiter.granted & 1) == 0));
      if (front != kNone) places.offer(s * controllers_ + arbiter.granted, front);
      continue;
    }
    const Switches& crossbar = crossbars_[arbiter.crossbar];
    const std::uint32_t at = number - stages_[s].arbiters;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool requests_now = (requests >> i & 1) != 0, has = granted && arbiter.granted == i;
      if (!requests_now && !has) continue;
      if (at == crossbar.first) {
        require(arbiters_[stages_[s].arbiters + i].granted != Arbiter::kFree &&
                !(requests_now && has));
        continue;
      }
      const std::uint32_t b = requester(number, i);
      require(b < links_ && buffers_[b].input && buffers_[b].crossbar == arbiter.crossbar);
      const Stage& stage = stages_[s];
      const bool ends = stage.packet != kNone && stage.left == 0 && stage.x == b;
      if (requests_now || !ends) require(buffers_[b].front != kNone && buffers_[b].to == s);
      if (!has || ends) continue;
      // It passes, or waits for the second switch.
      const bool passes = stage.packet != kNone && stage.x == b;
      const std::uint32_t second = stages_[s].arbiters + crossbar.first;
      const bool waits = crossbar.first > 1 && (waiting.at(second) >> at & 1) != 0;
      require(!requests_now && passes != waits);
    }
  }
}

void RunCrossbars::check_loaded(const std::vector<std::uint32_t>& blocks, Cycle cycle,
                                PacketPlaces& places) const {
  std::vector<std::uint32_t> own_stages, own_buffers;
  std::vector<bool> own(2 * std::size_t{links_});
  for (const std::uint32_t b : blocks) {
    const Block& block = graph_.blocks[b];
    for (std::uint32_t l = block.first_in; l < block.first_in + block.num_in; ++l) {
      own_buffers.push_back(l);
    }
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      own_buffers.push_back(links_ + p);
      for (const std::uint32_t s : {p, links_ + p}) {
        own_stages.push_back(s);
        own[s] = true;
      }
    }
  }
  for (const std::uint32_t b : own_buffers) require(good_buffer(b, cycle, places));
  for (const std::uint32_t s : own_stages) {
    require(good_stage(s, cycle, places));
    const Buffer& y = buffers_[stages_[s].y];
    if (y.mirror) require(y.in.is_good() && y.out.is_good() && (!y.awaits || y.to != kNone));
  }
  // A header is in the last of the buffers whose front packet is the same.
  for (const std::uint32_t b : own_buffers) {
    const std::uint32_t packet = buffers_[b].front;
    if (packet == kNone) continue;
    if (!goes_on(b)) {
      require(places.add(packet));
    } else {
      const std::uint32_t y = stages_[buffers_[b].to].y;
      require(buffers_[y].mirror || holds(y, packet) || stages_[buffers_[b].to].exit);
      std::size_t passed = 0;
      for (std::uint32_t at = b; at < 2 * links_ && buffers_[at].front == packet && goes_on(at);
           at = stages_[buffers_[at].to].y) {
        require(++passed <= own_buffers.size());
      }
    }
    const bool alone = b >= links_ && b < links_ + nodes_ && stages_[b - links_].arbiters == kNone;
    if (alone) places.offer(b - links_, packet);
  }
  check_requests(own_stages, places);
  looks_.each([&](Cycle, std::uint32_t s) { require(s < own.size() && own[s]); });
  std::vector<bool> ends(own.size());
  ends_.each([&](Cycle at, std::uint32_t s) {
    require(s < own.size() && own[s] && !ends[s] && stages_[s].arbiters != kNone);
    ends[s] = true;
    const Stage& stage = stages_[s];
    require(stage.moves && stage.left == 0 && at + 1 == stage.until);
    if (of_interface(s)) return;
    const Buffer& x = buffers_[stage.x];
    require(x.input && x.crossbar == arbiters_[stage.arbiters].crossbar);
  });
}

}  // namespace weft
