// The send side of the interfaces on engine `model`; part of sim/spans/nodes.hpp.
#pragma once

#include "sim/spans/nodes.hpp"

namespace weft {

// Sends a packet of traffic that was posted in `cycle` while no other was queued. It would be
// pushed in the next cycle, taken by the controller in the second and cut in the third; the
// endpoint, which has nothing to post, would see no difference: all of it is done now.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::send_at_once(std::uint32_t n, Cycle cycle) {
  NodeState& node = nodes_[n];
  SenderState& unit = units_[n * num_ctrl_];
  // The queue has slots for what is posted in the meantime.
  if (num_ctrl_ != 1 || queue_depth_ < 4 || node.queued != 0 || endpoints_[n].waits_to_post())
    return;
  if (unit.cutting || unit.held >= 2 || unit.open > cycle + 2 || unit.cut > cycle + 3) return;
  unit.message = endpoints_[n].descriptor();
  if (unit.message.len > packet_flits_) return;
  const bool no_body = unit.message.len == 0;
  cut(n, 0, cycle + 3);
  unit.open = cycle + (no_body ? 3 : 4);
  node.posts = node.news = false;
}

// Whether a controller that may take the oldest descriptor takes messages, now or soon. One that is
// cutting a message without a body takes the next one in the same step, which is planned.
template <Endpoint E, class Net>
bool SpanNodes<E, Net>::some_open(std::uint32_t n) {
  const NodeState& node = nodes_[n];
  if (node.cutting == num_ctrl_) return false;
  const std::uint32_t ctrl = slot(n, 0).ctrl;
  if (ctrl == 0) return true;
  const std::uint32_t named = ctrl == kCtrlRoundRobin ? node.next_ctrl : ctrl - 1;
  return named < num_ctrl_ && !units_[n * num_ctrl_ + named].cutting;
}

// Whether the controller takes a message in this cycle (rtl/nic/README.md, send_unit).
template <Endpoint E, class Net>
bool SpanNodes<E, Net>::takes(const SenderState& unit, Cycle cycle) const {
  if (unit.cutting) return unit.message.len == 0 && unit.held < 2 && cycle >= unit.cut;
  return cycle >= unit.open;
}

// Selects the controller for the oldest descriptor: the one that it names; otherwise, round-robin,
// one without a packet, or if there is none, any that is ready. Returns `num_ctrl_` if the
// descriptor must wait.
template <Endpoint E, class Net>
std::uint32_t SpanNodes<E, Net>::choose(std::uint32_t n, Cycle cycle) {
  NodeState& node = nodes_[n];
  const SenderState* const units = &units_[n * num_ctrl_];
  std::uint32_t chosen = num_ctrl_;
  if (const std::uint32_t ctrl = slot(n, 0).ctrl; ctrl != 0) {
    const std::uint32_t named = ctrl == kCtrlRoundRobin ? node.next_ctrl : ctrl - 1;
    if (named < num_ctrl_ && takes(units[named], cycle)) chosen = named;
  } else {
    for (std::uint32_t i = 0, c = node.next_ctrl; i < num_ctrl_; ++i) {
      if (takes(units[c], cycle)) {
        if (units[c].held == 0 && !units[c].cutting) {
          chosen = c;
          break;
        }
        if (chosen == num_ctrl_) chosen = c;
      }
      c = c + 1 < num_ctrl_ ? c + 1 : 0;
    }
  }
  if (chosen < num_ctrl_) node.next_ctrl = chosen + 1 < num_ctrl_ ? chosen + 1 : 0;
  return chosen;
}

// Plans to cut the next packet of a message, as soon as there is a slot and the one before is
// fetched.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::plan_cut(std::uint32_t n, const SenderState& unit, Cycle cycle) {
  Cycle at = std::max(cycle + 1, unit.cut);
  if (unit.held == 2) {
    if (unit.sent == kNever) return;
    at = std::max(at, unit.sent);
  }
  sends_.add(at, n);
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::cut(std::uint32_t n, std::uint32_t ctrl, Cycle cycle) {
  const std::uint32_t port = n * num_ctrl_ + ctrl;
  SenderState& unit = units_[port];
  Descriptor& message = unit.message;
  const std::uint32_t len = std::min(message.len, packet_flits_);
  const bool eom = len == message.len;
  const Header header{message.dst, graph_.address[n], message.off, len, message.tag, eom};
  const std::uint32_t packet = packets_.make(header.pack(graph_.header), len);
  if constexpr (kTraffic) {
    if (len != 0) {
      endpoints_[n].memory().read_flits(message.addr, len, &packets_.word(packets_[packet], 0));
      packets_.complete(packet);
    }
  } else if (len != 0) {
    memories_[n].read(packet, message.addr, cycle + 1, len);
  }
  SendSlot& slot = unit.slots[unit.held];
  Cycle ready = cycle + (len != 0 ? 3 : 1);
  if (message.timed && timed_) [[unlikely]] {
    ready = std::max(ready, cycle + 1 + wait_for(message.start, cycle + 1));
    message.timed = false;
  }
  slot = {packet, ready, static_cast<std::uint16_t>(len + 1),
          static_cast<std::uint16_t>(message.gap), eom};
  // After a packet whose end is not known yet, it is offered when the end is known.
  if (unit.held++ == 0 || unit.sent != kNever) {
    network_.offer(port, packet, std::max(slot.ready, unit.paced));
  }
  unit.cut = cycle + std::max(len, 1u);
  message.addr += len;
  message.off += len;
  message.len -= len;
  nodes_[n].cutting -= unit.cutting && eom;
  unit.cutting = !eom;
  if (unit.cutting) plan_cut(n, unit, cycle);
}

}  // namespace weft
