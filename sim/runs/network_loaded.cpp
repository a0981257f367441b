// A network of routers that moves packets as runs of flits: checks of a state that was loaded. A
// checkpoint may hold any numbers; here each index, count and limit of a loop is compared with what
// is there, so that the cycles need not.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sim/runs/network.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMostPacket = 256;  // Flits.

void require(bool good) {
  if (!good) throw std::runtime_error("a packet, port or channel that is not there");
}

}  // namespace

bool RunNetwork::wants(std::uint32_t p, std::uint32_t requester) const {
  const std::uint64_t want =
      words_ == 1 ? ports_[p].want : wants_[std::size_t{p} * words_ + requester / 64];
  return (want >> requester % 64 & 1) != 0;
}

// Whether flits of the front packet of channel `c` are certain to move through port `p` in `cycle`
// or later.
bool RunNetwork::moves_now(std::uint32_t p, std::uint32_t c, Cycle cycle) const {
  const Port& port = ports_[p];
  return port.packet != kNone && port.x == c && (port.left != 0 || port.until > cycle);
}

bool RunNetwork::holds(std::uint32_t c, std::uint32_t packet) const {
  const Channel& channel = channels_[c];
  if (channel.front == packet) return true;
  for (std::uint32_t i = 0; i < channel.queued; ++i) {
    if (ring(c)[(channel.oldest + i) & ring_mask_] == packet) return true;
  }
  return false;
}

template <class Use>
void RunNetwork::each_channel(const Block& block, Use use) const {
  const std::uint32_t first = channel_of(block.first_in);
  const std::uint32_t count = block.num_in * (block.first_in < nic_ports_ ? 1 : num_vc_);
  for (std::uint32_t c = first; c < first + count; ++c) use(c);
  if (block.first_out >= nic_ports_) return;
  for (std::uint32_t c = block.first_out; c < block.first_out + block.num_out; ++c) use(c);
}

// The counts of a channel and the packets that wait in it.
bool RunNetwork::good_channel(std::uint32_t c, Cycle cycle, PacketPlaces& places) const {
  const Channel& channel = channels_[c];
  if (channel.queued > ring_mask_ + 1 || channel.oldest > ring_mask_) return false;
  const std::uint32_t depth = c < nic_ports_ ? kMostPacket : std::max(depth_, exit_depth_);
  if (!channel.in.is_good() || !channel.out.is_good()) return false;
  // No flit leaves before it has come.
  const Cycle end = channel.out.total == channel.out.base ? cycle : channel.out.end();
  const bool left_late = channel.in.before(std::max(cycle, end)) - channel.out.total <= depth;
  if (!left_late || channel.in.total - channel.out.total > depth) return false;
  for (std::uint32_t i = 0; i < channel.queued; ++i) {
    const std::uint32_t packet = ring(c)[(channel.oldest + i) & ring_mask_];
    if (!packets_.lives(packet) || !places.add(packet)) return false;
  }
  return true;
}

// The front packet of a channel.
bool RunNetwork::good_front(const Block& block, std::uint32_t c, Cycle cycle) const {
  const Channel& channel = channels_[c];
  const Phase phase = channel.phase;
  if (channel.to != kNone && channel.to > most_channel_) return false;
  if (phase == Phase::kEmpty) return channel.queued == 0;
  const bool left = phase == Phase::kLeaving && channel.out.end() <= cycle;
  if (left) return true;
  if (!packets_.lives(channel.front)) return false;
  const bool exit = c >= nic_ports_ && channel.ports == kNone;
  if (exit) return phase == Phase::kWaiting || phase == Phase::kMoving;
  if (phase == Phase::kStoring) return store_forward_ && channel.ports != kNone;
  const std::uint32_t p = channel.port;
  if (p < block.first_out || p >= block.first_out + block.num_out) return false;
  const Port& port = ports_[p];
  if (port.channels == kNone || c < port.requesters) return false;
  if (phase == Phase::kLeaving) return moves_now(p, c, cycle);
  if (phase == Phase::kMoving && moves_now(p, c, cycle)) return port.left != 0;
  // It requests its port.
  if (!wants(p, c - port.requesters)) return false;
  const std::uint32_t vcs = port.exit ? 1 : num_vc_;
  if (phase == Phase::kWaiting && c < nic_ports_) return true;  // Its VC is still to be chosen.
  const std::uint32_t choices = phase == Phase::kWaiting ? channel.choices : 1;
  return choices != 0 && channel.to >= port.channels && choices <= vcs &&
         channel.to - port.channels <= vcs - choices &&
         (phase == Phase::kWaiting || channel.sent < packets_[channel.front].flits);
}

// Requesters of a port are channels that request it.
bool RunNetwork::good_wants(const Block& block, std::uint32_t p) const {
  const Port& port = ports_[p];
  const std::uint32_t count = requesters_of(block);
  std::uint64_t found = 0;
  for (std::uint32_t r = 0; r < words_ * 64; ++r) {
    if (!wants(p, r)) continue;
    ++found;
    if (r >= count) return false;
    const Channel& x = channels_[port.requesters + r];
    if (x.port != p || (x.phase != Phase::kWaiting && x.phase != Phase::kMoving)) return false;
    if (port.packet != kNone && port.left != 0 && port.x == port.requesters + r) return false;
  }
  return words_ == 1 || port.want == found;
}

bool RunNetwork::good_port(const Block& block, std::uint32_t p, Cycle cycle,
                           PacketPlaces& places) const {
  const Port& port = ports_[p];
  const std::uint32_t count = requesters_of(block);
  if (!good_wants(block, p)) return false;
  if (port.holder != kNone && (port.holder >= count || !wants(p, port.holder))) return false;
  if (of_interface(p) ? port.pointer >= inject_vcs_ : port.pointer > count) return false;
  if (port.packet == kNone) return true;
  if (port.channels == kNone) return false;
  const bool moves = port.left != 0 || port.until > cycle;
  if (!moves && !port.exit) return port.counted;  // Its packet has left.
  if (!packets_.lives(port.packet) || port.counted != (port.left == 0)) return false;
  const std::uint32_t flits = packets_[port.packet].flits;
  if (std::uint32_t{port.first} + port.left > flits) return false;
  const std::uint32_t run = flits - port.first - port.left;
  if (port.until < run || port.until - run > cycle) return false;
  if (port.x < port.requesters || port.x - port.requesters >= count) return false;
  if (port.y < port.channels || port.y - port.channels >= (port.exit ? 1 : num_vc_)) return false;
  if (moves) {
    const Channel& x = channels_[port.x];
    const Phase phase = port.left != 0 ? Phase::kMoving : Phase::kLeaving;
    if (x.front != port.packet || x.phase != phase || x.port != p) return false;
  }
  // The interface may have taken it for certain before it has come.
  return !port.exit || holds(port.y, port.packet) || places.add(port.packet);
}

// Whether each packet whose header has left a channel goes on in the next one, and so up to where
// its header is.
bool RunNetwork::good_rows(const std::vector<std::uint32_t>& blocks, Cycle cycle) const {
  std::vector<std::uint32_t> next(most_channel_ + 1, kNone);
  std::vector<bool> follows(most_channel_ + 1);
  bool good = true;
  for (const std::uint32_t b : blocks) {
    each_channel(graph_.blocks[b], [&](std::uint32_t c) {
      const Channel& x = channels_[c];
      const bool exit = c >= nic_ports_ && x.ports == kNone;
      const bool goes_on =
          x.phase == Phase::kMoving || (x.phase == Phase::kLeaving && x.out.end() > cycle);
      if (!good || exit || !goes_on) return;
      const bool moves = moves_now(x.port, c, cycle);
      const std::uint32_t to = moves ? ports_[x.port].y : x.to;
      if (channels_[to].phase == Phase::kMirror) return;
      if (follows[to]) good = false;
      follows[to] = true;
      if (ports_[x.port].exit) {
        good = good && (moves || holds(to, x.front));
      } else {
        good = good && holds(to, x.front);
        next[c] = to;
      }
    });
  }
  // Each channel follows one at most: what has no first one goes round.
  std::size_t rows = 0, passed = 0;
  for (std::uint32_t c = 0; c < next.size(); ++c) {
    rows += next[c] != kNone ? 1 : 0;
    if (next[c] == kNone || follows[c]) continue;
    for (std::uint32_t at = c; next[at] != kNone; at = next[at]) ++passed;
  }
  return good && rows == passed;
}

void RunNetwork::check_loaded(const std::vector<std::uint32_t>& blocks, Cycle cycle,
                              PacketPlaces& places) const {
  std::vector<bool> own_channel(most_channel_ + 1), own_port(graph_.out_link.size());
  for (const std::uint32_t b : blocks) {
    const Block& block = graph_.blocks[b];
    each_channel(block, [&](std::uint32_t c) {
      own_channel[c] = true;
      require(good_channel(c, cycle, places));
    });
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      own_port[p] = true;
      const std::uint32_t first = ports_[p].channels;
      for (std::uint32_t v = 0; first != kNone && v < num_vc_ && first + v <= most_channel_; ++v) {
        const Channel& mirror = channels_[first + v];
        if (mirror.phase != Phase::kMirror) break;
        require(mirror.in.is_good() && mirror.out.is_good());
        own_channel[first + v] = true;
      }
    }
  }
  for (const std::uint32_t b : blocks) {
    const Block& block = graph_.blocks[b];
    each_channel(block, [&](std::uint32_t c) {
      const Channel& channel = channels_[c];
      require(good_front(block, c, cycle));
      const bool exit = c >= nic_ports_ && channel.ports == kNone;
      const bool has_header = channel.phase == Phase::kWaiting ||
                              channel.phase == Phase::kStoring ||
                              (exit && channel.phase == Phase::kMoving);
      if (has_header) require(places.add(channel.front));
      const bool offered = channel.phase == Phase::kWaiting || channel.phase == Phase::kMoving;
      if (c < nic_ports_ && offered) places.offer(c, channel.front);
    });
  }
  for (const std::uint32_t b : blocks) {
    const Block& block = graph_.blocks[b];
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      require(good_port(block, p, cycle, places));
    }
  }
  require(good_rows(blocks, cycle));

  // Events.
  wheel_.each([&](Cycle, std::uint32_t p) { require(p < own_port.size() && own_port[p]); });
  std::vector<bool> comes(most_channel_ + 1);
  fronts_.each([&](Cycle at, std::uint32_t c) {
    require(c <= most_channel_ && own_channel[c] && !comes[c]);
    comes[c] = true;
    const Channel& channel = channels_[c];
    require(channel.phase == Phase::kStoring ||
            (channel.phase == Phase::kLeaving && channel.queued != 0 && at == channel.out.end()));
  });
  std::vector<bool> used(ways_.size());
  const auto use = [&](std::uint32_t way) {
    require(way < used.size() && !used[way]);
    used[way] = true;
  };
  for (const std::uint32_t way : free_ways_) use(way);
  ends_.each([&](Cycle, std::uint32_t way) {
    use(way);
    const Mail::Flits& flits = ways_[way].flits;
    require(flits.channel <= most_channel_ && own_channel[flits.channel] &&
            (ways_[way].out || packets_.lives(flits.packet)));
  });
}

}  // namespace weft
