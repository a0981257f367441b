// Checks of a state that was loaded, of the nodes on engine `model`; part of sim/runs/nodes.hpp.
#pragma once

#include "sim/runs/nodes.hpp"

namespace weft {

// Whether an interface has what its state says: slots, descriptors, and packets.
template <Endpoint E, class Net>
bool RunNodes<E, Net>::good_sender(std::uint32_t port, PacketPlaces& places) const {
  const SenderState& unit = units_[port];
  const bool flags = are_bools(unit.cutting, unit.message.timed, unit.message.more,
                               unit.slots[0].eom, unit.slots[1].eom);
  if (!flags || unit.held > 2 || (unit.sent != kNever && unit.held == 0)) return false;
  // The network has what it offers: the first packet, or the one behind a packet that has left.
  const SendSlot* offered = nullptr;
  if (unit.sent == kNever ? unit.held != 0 : unit.held == 2) {
    offered = &unit.slots[unit.sent == kNever ? 0 : 1];
  }
  if (!places.offers(port, offered != nullptr ? &offered->packet : nullptr)) return false;
  // What is not offered yet is nowhere else.
  if (unit.held == 2 && unit.sent == kNever) {
    const std::uint32_t packet = unit.slots[1].packet;
    return packets_.lives(packet) && places.add(packet);
  }
  return true;
}

template <Endpoint E, class Net>
bool RunNodes<E, Net>::good_receiver(std::uint32_t link, PacketPlaces& places) const {
  const ReceiverState& r = receivers_[link];
  const auto lives = [this](std::uint32_t packet) { return packets_.lives(packet); };
  const std::uint32_t front = network_.exit(link).front;
  if (r.packet != kNone) {
    if (r.packet != front || !lives(r.packet) || r.left > packets_[r.packet].flits) return false;
  }
  for (const std::int32_t tag : r.tag) {
    if (tag < -1 || tag >= static_cast<std::int32_t>(kNumRxCounts)) return false;
  }
  for (const auto& count : r.counts) {
    if (count.tag >= kNumRxCounts) return false;
  }
  for (const auto& start : r.starts) {
    if (!lives(start.packet) || !places.add(start.packet)) return false;
  }
  if (r.accepted > r.unwritten.size() + network_.exit_taken(link)) return false;
  for (std::size_t i = 0; i < r.unwritten.size(); ++i) {
    const std::uint32_t packet = r.unwritten[i];
    if (!lives(packet)) return false;
    if (i < r.accepted ? !places.add(packet) : !network_.exit_holds(link, packet)) return false;
    if (i == 0 && r.written >= packets_[packet].flits) return false;
  }
  return true;
}

template <Endpoint E, class Net>
void RunNodes<E, Net>::check_loaded(PacketPlaces& places) const {
  const auto require = [](bool good) {
    if (!good) throw std::runtime_error("a node, packet or descriptor that is not there");
  };
  for (const std::uint32_t n : own_) {
    const NodeState& node = nodes_[n];
    require(are_bools(node.news, node.told, node.posts, node.done) &&
            static_cast<unsigned>(node.reduction.op) < kReduceOps &&
            static_cast<unsigned>(node.reduction.type) < kReduceTypes);
    require(node.queued <= queue_depth_ && node.oldest <= queue_depth_ &&
            node.next_ctrl < num_ctrl_ && node.cutting <= num_ctrl_);
    for (std::uint32_t i = 0; i <= queue_depth_; ++i) {
      const Descriptor& order = queue_[std::size_t{n} * (queue_depth_ + 1) + i];
      require(are_bools(order.timed, order.more));
    }
    for (std::uint32_t c = 0; c < num_ctrl_; ++c) {
      require(good_sender(n * num_ctrl_ + c, places));
    }
    for (std::uint32_t l = n * links_; l < (n + 1) * links_; ++l) {
      require(good_receiver(l, places));
    }
    if constexpr (!kTraffic) require(memories_[n].is_good(packets_, places));
  }
  for (const Driven& in : driven_) require(own_.contains(in.n));
  const auto is_own = [&](Cycle, std::uint32_t n) { require(own_.contains(n)); };
  sends_.each(is_own);
  wakes_.each(is_own);
  reads_.each(is_own);
  takes_.each([&](Cycle, std::uint32_t link) { require(own_.contains(link / links_)); });
  if (faults_) require(faults_->is_good(packets_, nodes_));
}

// Whether the header of a packet is one of its own, from a node to a node.
template <Endpoint E, class Net>
bool RunNodes<E, Net>::good_header(const Packet& packet) const {
  const Header header = Header::unpack(packet.header, graph_.header);
  // A fault has changed it, perhaps.
  return faults_ || (rank_of(header.dst) != kNone && rank_of(header.src) != kNone &&
                     header.len == packet.flits - 1u);
}

}  // namespace weft
