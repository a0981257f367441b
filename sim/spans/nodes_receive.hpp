// The receive side of the interfaces on engine `model`; part of sim/spans/nodes.hpp.
#pragma once

#include "sim/spans/nodes.hpp"

namespace weft {

// Applies the inputs that endpoints drove in the cycle before.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::open_windows() {
  for (const Driven& in : driven_) {
    nodes_[in.n].window_base = in.rx_base;
    nodes_[in.n].window_flits = in.rx_size;
    nodes_[in.n].reduction = in.reduction;
  }
  driven_.clear();
}

// Steps the receive side of one link.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::step_receiver(std::uint32_t link, Cycle cycle) {
  ReceiverState& r = receivers_[link];
  if (r.packet != kNone || network_.exit(link).front != kNone) receive(link, cycle);
  if constexpr (!kTraffic) {
    const std::uint32_t n = link / links_;
    if (!r.starts.empty()) begin_words(n, link, cycle);
    store(n, link, cycle);
  }
}

// Takes the flits that are certain and can be taken in a cycle.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::receive(std::uint32_t link, Cycle cycle) {
  ReceiverState& r = receivers_[link];
  auto& channel = network_.exit(link);
  if (r.packet == kNone) {
    if (channel.front == kNone || cycle < take_from(r, channel.front)) return;
    r.packet = channel.front;
    r.left = packets_[r.packet].flits;
    r.until = cycle;
    r.stopped = false;
    const std::uint32_t flits = std::min(r.left, channel.in.total - channel.out.total);
    network_.take(link, cycle, flits, true);
    r.until += flits;
    r.left -= flits;
  } else if (r.left != 0 && cycle >= r.until) {
    // A flit that is granted in a cycle can be taken two cycles later.
    if (channel.in.before(cycle - 1) == channel.out.total) {
      r.stopped = true;
      if (channel.in.total != channel.out.total) {
        takes_.add(channel.in.reaches(channel.out.total + 1) + 1, link);
      }
      return;
    }
    const std::uint32_t flits = std::min(r.left, channel.in.total - channel.out.total);
    network_.take(link, cycle, flits, cycle != r.until);
    r.until = cycle + flits;
    r.left -= flits;
    r.stopped = false;
  }
  if (r.left != 0) {
    takes_.add(r.until, link);
  } else if (kTraffic || r.until == cycle + 1) {
    accept(link / links_, link, r.until - 1);
  } else {
    takes_.add(r.until - 1, link);
  }
}

// Accepts or refuses the packet whose tail is taken in `cycle`; an accepted packet is written.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::accept(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  NodeState& node = nodes_[n];
  ReceiverState& r = receivers_[link];
  const std::uint32_t number = r.packet;
  Packet& packet = packets_[number];
  const Header header = Header::unpack(packet.header, graph_.header);
  r.packet = kNone;
  r.free = cycle + 1;
  network_.pop_exit(link);
  if (header.off + header.len > node.window_flits) {
    ++node.status.rx_refused;
    tell(n, cycle);
    if constexpr (kTraffic) {
      packet.time = kNever;
      ++r.accepted;
    } else {
      packets_.free(number);
    }
    return plan_take(link);
  }
  if constexpr (!kTraffic) {
    if (memories_[n].crowded()) memories_[n].catch_up(endpoints_[n], packets_, cycle, cycle);
  }
  // The packet's first word is stored in the cycle after, or right after the last word before it.
  const bool none = header.len == 0;
  const Cycle write = std::max(cycle + 1, r.stored[2] + (none || r.empty ? 1 : 0));
  packet.time = write;
  r.stored = {r.stored[1], r.stored[2], write + header.len};
  r.empty = none;
  const bool counts = by_packet_ || header.eom;
  const std::uint32_t tag = header.tag % kNumRxCounts;
  if constexpr (kTraffic) {
    r.tag = {r.tag[1], r.tag[2], counts ? static_cast<std::int32_t>(tag) : -1};
    node.status.rx_count[tag] += counts;
    node.status.rx_link[(link - n * links_) * kNumRxCounts + tag] += counts;
    ++r.accepted;
    return plan_take(link);
  }
  if (counts) {
    ++node.status.rx_arrived[tag];
    tell(n, cycle);
  }
  if (reduce_) {
    r.starts.push_back({number, node.window_base + header.off});
    takes_.add(write, link);
  } else {
    if (counts) {
      r.counts.push_back({r.stored[2], tag});
      takes_.add(r.stored[2], link);
    }
    if (none) {
      packets_.free(number);
    } else {
      memories_[n].write(number, link - n * links_, node.window_base + header.off, write + 1,
                         header.len);
    }
  }
  plan_take(link);
}

// With reduction: handles packets whose first word leaves the receive side after this cycle. All
// words take the accumulator's latency, and its setting changes only while it has nothing to do.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::begin_words(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  NodeState& node = nodes_[n];
  ReceiverState& r = receivers_[link];
  while (!r.starts.empty() && packets_[r.starts.front().packet].time == cycle) {
    const auto [number, address] = r.starts.front();
    r.starts.erase(r.starts.begin());
    const Header header = Header::unpack(packets_[number].header, graph_.header);
    if (cycle >= r.settles) r.setting = node.reduction;
    const Cycle delay = 1 + (r.setting.op == ReduceOp::kMean ? kMeanLatency : kReduceLatency);
    const Cycle counted = cycle + header.len + delay;
    if (by_packet_ || header.eom) {
      r.counts.push_back({counted, header.tag % kNumRxCounts});
      takes_.add(counted, link);
      r.settles = counted + 1;
    }
    if (header.len == 0) {
      packets_.free(number);
      continue;
    }
    r.settles = counted + 1;
    const std::uint32_t local = link - n * links_;
    if (reduces(header.tag) && r.setting.op != ReduceOp::kStore) {
      memories_[n].combine(number, local, address, cycle + 1, header.len, r.setting, delay);
    } else {
      memories_[n].write(number, local, address, cycle + 1 + delay, header.len, delay);
    }
  }
}

// Plans to take the next packet on the link when it is there and a slot is free.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::plan_take(std::uint32_t link) {
  const auto& channel = network_.exit(link);
  if (channel.front == kNone) return;
  takes_.add(take_from(receivers_[link], channel.front), link);
}

// Counts packets that are in memory after this cycle.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::store(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  ReceiverState& r = receivers_[link];
  std::size_t due = 0;
  for (; due < r.counts.size() && r.counts[due].cycle <= cycle; ++due) {
    const std::uint32_t tag = r.counts[due].tag;
    ++nodes_[n].status.rx_count[tag];
    ++nodes_[n].status.rx_link[(link - n * links_) * kNumRxCounts + tag];
  }
  if (due == 0) return;
  r.counts.erase(r.counts.begin(), r.counts.begin() + static_cast<std::ptrdiff_t>(due));
  tell(n, cycle);
}

// Handles a packet whose tail is on the link into its interface.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::deliver(const typename Net::Delivered& what, Cycle cycle,
                                RegionSums& sums) {
  Packet& packet = packets_[what.packet];
  const std::uint32_t n = what.link / links_;
  if constexpr (kTraffic) {
    packets_.settle(packet, endpoints_[n].region());
  } else {
    // The node that sent it, of another part, has done so in an earlier cycle.
    if (packets_.made_here(what.packet)) {
      const std::uint32_t src = rank_of(Header::unpack(packet.header, graph_.header).src);
      memories_[src].catch_up(endpoints_[src], packets_, cycle, cycle);
    }
    packets_.settle(packet);
  }
  if (record_) {
    const Header header = Header::unpack(packet.header, graph_.header);
    arrivals_[n].push_back({header.src, header.off, header.len, cycle});
  }
  if constexpr (kTraffic) {
    check_bodies(what.link, cycle);
    ReceiverState& r = receivers_[what.link];
    r.unwritten.push_back(what.packet);
    E& endpoint = endpoints_[n];
    if (endpoint.arrive_packet(what.link - n * links_, packet.header, packet.flits, cycle, sums)) {
      plan_wake(n, cycle);
    }
  }
}

// For traffic: checks the words that are written before `cycle`.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::check_bodies(std::uint32_t link, Cycle cycle) {
  ReceiverState& r = receivers_[link];
  std::size_t done = 0;
  for (; done < r.unwritten.size() && r.accepted != 0; ++done) {
    Packet& packet = packets_[r.unwritten[done]];
    if (packet.time != kNever) {
      const Header header = Header::unpack(packet.header, graph_.header);
      const Cycle first = packet.time + 1;
      const std::uint32_t due = cycle > first ? std::min(cycle - first, header.len) : 0;
      const std::uint32_t n = link / links_;
      if (r.written < due) {
        endpoints_[n].write_flits(link - n * links_, nodes_[n].window_base + header.off + r.written,
                                  due - r.written, &packets_.word(packet, r.written));
        r.written = due;
      }
      if (r.written < header.len) break;
    }
    packets_.free(r.unwritten[done]);
    r.written = 0;
    --r.accepted;
  }
  if (done != 0)
    r.unwritten.erase(r.unwritten.begin(), r.unwritten.begin() + static_cast<std::ptrdiff_t>(done));
}

template <Endpoint E, class Net>
std::uint32_t SpanNodes<E, Net>::region_of(const Packet& packet) const {
  if constexpr (!kTraffic) {
    return 0;
  } else {
    const std::uint32_t src = rank_of(Header::unpack(packet.header, graph_.header).src);
    return src != kNone ? endpoints_[src].region() : 0;
  }
}

// Takes back what was counted on a link for `cycle` and later.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::end_traffic(std::uint32_t link, Cycle cycle, RegionSums& sums) {
  ReceiverState& r = receivers_[link];
  check_bodies(link, cycle);
  for (unsigned i = 0; i < r.tag.size(); ++i) {
    if (r.tag[i] >= 0 && r.stored[i] >= cycle) {
      NicStatus& status = nodes_[link / links_].status;
      const auto tag = static_cast<unsigned>(r.tag[i]);
      --status.rx_count[tag];
      --status.rx_link[link % links_ * kNumRxCounts + tag];
    }
  }
  const Line& in = network_.exit(link).in;
  const Cycle first = std::max(in.start + 1, cycle);
  if (in.end() + 1 > first) {
    endpoints_[link / links_].take_back_flits(first, in.end() + 1 - first, sums);
  }
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::end(Cycle cycle, RegionSums& sums) {
  open_windows();
  if constexpr (kTraffic) {
    for (const std::uint32_t n : own_) {
      for (std::uint32_t l = n * links_; l < (n + 1) * links_; ++l) end_traffic(l, cycle, sums);
    }
  } else {
    for (const std::uint32_t n : own_) {
      memories_[n].catch_up(endpoints_[n], packets_, cycle, cycle);
    }
  }
}

}  // namespace weft
