// Checks of the nodes of a loaded state on engine `model`, like those of the network; part of
// sim/spans/nodes.hpp.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "sim/spans/nodes.hpp"

namespace weft {

// Checks a send controller: its slots have packets, and its message goes to a node.
template <Endpoint E, class Net>
bool SpanNodes<E, Net>::good_sender(std::uint32_t port, const LoadedPackets& packets) const {
  const SenderState& unit = units_[port];
  const bool flags = are_bools(unit.cutting, unit.message.timed, unit.message.more,
                               unit.slots[0].eom, unit.slots[1].eom);
  if (!flags || unit.held > 2 || (unit.sent != kNever && unit.held == 0)) return false;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t packet = unit.slots[i].packet;
    if (packet != 0 && !packets.exists(packet)) return false;
    // A packet that has left may already be at its destination.
    const bool left = i == 0 && unit.sent != kNever;
    if (i < unit.held && !left && !packets.has_route(packet)) return false;
  }
  return !unit.cutting || packets.is_node(unit.message.dst);
}

template <Endpoint E, class Net>
bool SpanNodes<E, Net>::good_receiver(std::uint32_t link, Cycle cycle,
                                      const LoadedPackets& packets) const {
  const ReceiverState& r = receivers_[link];
  const auto& exit = network_.exit(link);
  // Where it takes flits, there are flits.
  const bool ends = exit.out.total == exit.out.base || exit.out.end() <= std::max(cycle, r.free);
  if (r.packet == kNone) {
    if (!ends || (exit.front != kNone && exit.in.total == exit.out.total)) return false;
  } else if (!packets.exists(r.packet) || r.packet != exit.front || exit.out.end() != r.until) {
    return false;
  }
  for (const std::int32_t tag : r.tag) {
    if (tag < -1 || tag >= static_cast<std::int32_t>(kNumRxCounts)) return false;
  }
  for (const auto& count : r.counts) {
    if (count.tag >= kNumRxCounts) return false;
  }
  for (const auto& start : r.starts) {
    if (!packets.exists(start.packet)) return false;
  }
  return std::all_of(r.unwritten.begin(), r.unwritten.end(),
                     [&](std::uint32_t packet) { return packets.exists(packet); });
}

template <Endpoint E, class Net>
bool SpanNodes<E, Net>::good_node(std::uint32_t n, const LoadedPackets& packets) const {
  const NodeState& node = nodes_[n];
  if (!are_bools(node.news, node.told, node.posts, node.done)) return false;
  if (static_cast<unsigned>(node.reduction.op) >= kReduceOps ||
      static_cast<unsigned>(node.reduction.type) >= kReduceTypes) {
    return false;
  }
  if (node.queued > queue_depth_ || node.oldest > queue_depth_ || node.next_ctrl >= num_ctrl_) {
    return false;
  }
  for (std::uint32_t i = 0; i <= queue_depth_; ++i) {
    const Descriptor& order = queue_[std::size_t{n} * (queue_depth_ + 1) + i];
    if (!are_bools(order.timed, order.more)) return false;
  }
  for (std::uint32_t i = 0; i < node.queued + node.posts; ++i) {
    const std::uint32_t at = (node.oldest + i) % (queue_depth_ + 1);
    if (!packets.is_node(queue_[std::size_t{n} * (queue_depth_ + 1) + at].dst)) return false;
  }
  return true;
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::check_loaded(Cycle cycle, const LoadedPackets& packets) const {
  for (const std::uint32_t n : own_) {
    require_loaded(good_node(n, packets), "a node's message that cannot be");
    for (std::uint32_t port = n * num_ctrl_; port < (n + 1) * num_ctrl_; ++port) {
      require_loaded(good_sender(port, packets), "a packet to be sent that cannot be");
    }
    for (std::uint32_t link = n * links_; link < (n + 1) * links_; ++link) {
      require_loaded(good_receiver(link, cycle, packets),
                     "a packet that was received that cannot be");
    }
    if constexpr (!kTraffic) {
      require_loaded(memories_[n].is_good(packets_), "words of a packet that is not there");
    }
  }
  const auto is_own = [&](Cycle, std::uint32_t n) {
    require_loaded(own_.contains(n), "a node that is not there");
  };
  for (const Driven& in : driven_) is_own(0, in.n);
  for (const Wheel* wheel : {&sends_, &wakes_, &reads_}) {
    require_loaded(wheel->is_good(cycle), "an event that is over");
    wheel->each(is_own);
  }
  require_loaded(takes_.is_good(cycle), "an event that is over");
  takes_.each([&](Cycle, std::uint32_t link) { is_own(0, link / links_); });
}

// Whether the header of a packet is one of this part's own, from a node of this part to a node.
template <Endpoint E, class Net>
bool SpanNodes<E, Net>::good_header(const Packet& packet, const LoadedPackets& packets) const {
  const Header header = Header::unpack(packet.header, graph_.header);
  return packets.goes_to_node(packet.header) && own_.contains(rank_of(header.src)) &&
         (packet.flits == 0 || header.len == packet.flits - 1u);
}

}  // namespace weft
