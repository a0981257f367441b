// Parts of the cycles of a RunNetwork (network_step.cpp): packets come to the front and request a
// port.
#pragma once

#include <algorithm>
#include <bit>

#include "sim/runs/network.hpp"

#define WEFT_HOT [[gnu::always_inline]] inline
#define WEFT_RARE [[gnu::noinline, gnu::cold]]

namespace weft {

WEFT_HOT void RunNetwork::schedule(std::uint32_t p, Cycle cycle) {
  Port& port = ports_[p];
  if (port.packet != kNone && cycle < port.until) cycle = port.until;
  if (port.look <= cycle) return;
  port.look = cycle;
  wheel_.add(cycle, p);
}

WEFT_HOT void RunNetwork::want(std::uint32_t p, std::uint32_t requester) {
  Port& port = ports_[p];
  if (words_ == 1) {
    port.want |= std::uint64_t{1} << requester;
  } else {
    wants_[std::size_t{p} * words_ + requester / 64] |= std::uint64_t{1} << requester % 64;
    ++port.want;
  }
}
WEFT_HOT void RunNetwork::drop_want(std::uint32_t p, std::uint32_t requester) {
  Port& port = ports_[p];
  if (words_ == 1) {
    port.want &= ~(std::uint64_t{1} << requester);
  } else {
    wants_[std::size_t{p} * words_ + requester / 64] &= ~(std::uint64_t{1} << requester % 64);
    --port.want;
  }
}

WEFT_HOT void RunNetwork::request(std::uint32_t p, std::uint32_t x, Cycle cycle) {
  want(p, x - ports_[p].requesters);
  schedule(p, cycle);
}

// The front packet of a router's channel requests from `cycle` on.
WEFT_HOT void RunNetwork::find_route(std::uint32_t x, Cycle cycle) {
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

// A packet whose header is buffered before `cycle` is in front from then on.
template <bool kPlain>
WEFT_HOT void RunNetwork::come_front(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
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
WEFT_HOT void RunNetwork::push(std::uint32_t c, std::uint32_t packet, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.phase == Phase::kEmpty || (channel.phase == Phase::kLeaving && channel.queued == 0 &&
                                         channel.out.end() <= cycle + 1)) [[likely]] {
    return come_front<kPlain>(c, packet, cycle + 1);
  }
  ring(c)[(channel.oldest + channel.queued) & ring_mask_] = packet;
  if (channel.queued++ == 0 && channel.phase == Phase::kLeaving) fronts_.add(channel.out.end(), c);
}

// The front packet has left, or its tail was awaited.
WEFT_HOT void RunNetwork::move_up(std::uint32_t c, Cycle cycle) {
  Channel& channel = channels_[c];
  if (channel.phase == Phase::kStoring) return find_route(c, cycle);
  const std::uint32_t packet = ring(c)[channel.oldest];
  channel.oldest = static_cast<std::uint16_t>((channel.oldest + 1) & ring_mask_);
  --channel.queued;
  come_front<false>(c, packet, cycle);
}

}  // namespace weft
