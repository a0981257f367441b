// The nodes of a run by runs: endpoint, memory and network interface.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/nic/nic_signals.hpp"
#include "sim/runs/network.hpp"
#include "sim/runs/node_memory.hpp"
#include "sim/workload/endpoint.hpp"

namespace weft {

/// Nodes with an endpoint `E` each and interfaces on credit links, without accumulators
/// (rtl/nic/README.md: send_unit, recv_unit, nic). A node is looked at in cycles in which its
/// endpoint is stepped or its interface decides something; what lies in between is computed.
template <Endpoint E>
class RunNodes {
 public:
  RunNodes(const Graph& graph, const Nic::Config& nic, RunNetwork& network, Packets& packets,
           std::vector<E>& endpoints, BarrierTree<BarrierUnit>* barriers, bool record_arrivals);

  /// Nodes whose endpoint or interface has something to do in this cycle.
  void step(Cycle cycle, RegionSums& sums);
  /// Takes the news of the network, after its step in the same cycle.
  void take_news(Cycle cycle, RegionSums& sums);
  /// The node's barrier unit shows a release, from `cycle` on.
  void released(std::uint32_t n, Cycle cycle) {
    nodes_[n].news = true;
    wheel_.add(cycle, n);
  }
  /// Ends the run before `cycle`: what is due before then is done.
  void end(Cycle cycle, RegionSums& sums);

  std::uint32_t running() const { return running_; }
  bool dropped() const { return dropped_; }
  bool any_pauses(std::uint64_t cycle) const {
    return std::any_of(endpoints_.begin(), endpoints_.end(),
                       [cycle](const E& endpoint) { return endpoint.pauses(cycle); });
  }
  const BarrierTimes& barrier_times() const {
    return barriers_ != nullptr ? barriers_->times() : message_barriers_;
  }
  const NicStatus& status(std::uint32_t n) const { return nodes_[n].status; }
  std::uint32_t window_flits(std::uint32_t n) const { return nodes_[n].window_flits; }
  const std::vector<std::vector<Arrival>>& arrivals() const { return arrivals_; }

 private:
  static constexpr bool kTraffic = E::kTimed;
  static constexpr std::uint32_t kNone = RunNetwork::kNone;

  // A packet in a send controller.
  struct Slot {
    std::uint32_t packet = kNone;
    Cycle ready = 0;  // From then on it can be offered.
    std::uint16_t flits = 0, gap = 0;
    bool eom = false;
  };
  struct Unit {
    Descriptor message;
    Cycle open = 0;        // Takes no message before then,
    Cycle cut = 0;         // and the fetch of the packet before allows no cut before then.
    Cycle sent = kNever;   // The first packet has left its slot from then on.
    Cycle paced = 0;       // The next packet may be offered from then on.
    std::uint32_t held = 0;
    bool cutting = false;
    std::array<Slot, 2> slots;
  };
  // Of a link into an interface.
  struct Receiver {
    std::uint32_t packet = kNone;  // That is being taken.
    Cycle until = 0;               // Its taking is certain up to then.
    std::uint32_t left = 0;        // Flits of it that are not certain.
    bool stopped = false;          // Waits for the next of them.
    Cycle free = 0;                // The packet before was taken before then.
    // The last three accepted packets: cycle in which the interface ends their writing, and the
    // receive counter to count then.
    std::array<Cycle, 3> stored = {};
    std::array<std::int32_t, 3> tag = {-1, -1, -1};  // Of traffic.
    // Not of traffic: what is to be counted, in order.
    struct Count {
      Cycle cycle;
      std::uint32_t tag;
    };
    std::vector<Count> counts;
    // With reduction: accepted packets whose first word is still to come, the accumulator's setting,
    // and from when on it takes a new one.
    struct Start {
      std::uint32_t packet, address;
    };
    std::vector<Start> starts;
    Reduction setting;
    Cycle settles = 0;
    bool empty = false;  // The last of them had no body.
    // Traffic: packets that came and whose bodies are not checked yet, words of the first that are,
    // and packets that were accepted, at most as many (more: some of them are still to come).
    std::vector<std::uint32_t> unwritten;
    std::uint32_t written = 0, accepted = 0;
  };
  struct Node {
    NicStatus status;
    Cycle seen = kNever;  // Cycle in which it was looked at.
    Cycle wake = 0;
    Reduction reduction;
    std::uint32_t window_base = 0, window_flits = 0;
    std::uint32_t queued = 0, oldest = 0;  // Descriptors.
    std::uint32_t next_ctrl = 0;
    bool news = true, told = false, posts = false, done = false;
  };

  // Place `i` of a node's descriptor queue; the one after the last is for what is written to it.
  Descriptor& slot(std::uint32_t n, std::uint32_t i) {
    const std::uint32_t at = nodes_[n].oldest + i;
    return queue_[std::size_t{n} * (queue_depth_ + 1) + (at <= queue_depth_ ? at : at - queue_depth_ - 1)];
  }
  std::uint32_t rank_of(std::uint32_t address) const { return ranks_[address]; }
  void look(std::uint32_t n, Cycle cycle, RegionSums& sums);
  void look_at_endpoint(std::uint32_t n, Cycle cycle);
  void step_interface(std::uint32_t n, Cycle cycle);
  bool some_open(std::uint32_t n);
  std::uint32_t choose(std::uint32_t n, Cycle cycle);
  void cut(std::uint32_t n, std::uint32_t ctrl, Cycle cycle);
  void receive(std::uint32_t n, std::uint32_t link, Cycle cycle);
  void accept(std::uint32_t n, std::uint32_t link, Cycle cycle);
  void begin_words(std::uint32_t n, std::uint32_t link, Cycle cycle);
  bool store(Node& node, Receiver& r, Cycle cycle);
  // The first packet has left its slot. Returns whether an endpoint is told.
  bool free_slot(Node& node, Unit& unit) {
    const bool tells = !kTraffic && unit.slots[0].eom;
    node.status.tx_count += unit.slots[0].eom;
    unit.sent = kNever;
    unit.slots[0] = unit.slots[1];
    --unit.held;
    return tells;
  }
  void send_at_once(std::uint32_t n, Cycle cycle);
  void plan_cut(std::uint32_t n, const Unit& unit, Cycle cycle);
  void plan_take(std::uint32_t link);
  Cycle take_from(const Receiver& r, const RunNetwork::Channel& channel) const {
    return std::max({packets_[channel.front].time + 2, r.free, r.stored[1] + 1});
  }
  void deliver(const RunNetwork::Delivered& what, Cycle cycle, RegionSums& sums);
  void check_bodies(std::uint32_t link, Cycle cycle);

  const Graph& graph_;
  RunNetwork& network_;
  Packets& packets_;
  std::vector<E>& endpoints_;
  BarrierTree<BarrierUnit>* barriers_;
  BarrierTimes message_barriers_;
  std::uint32_t num_ctrl_, queue_depth_, packet_flits_;
  bool by_packet_, reduce_, record_;
  bool dropped_ = false;
  std::uint32_t running_;
  std::vector<Node> nodes_;
  std::vector<Unit> units_;            // By port.
  std::vector<Receiver> receivers_;    // By link.
  std::vector<Descriptor> queue_;      // By node.
  std::vector<NodeMemory> memories_;   // Not of traffic.
  std::vector<std::uint32_t> ranks_;  // By address.
  std::vector<std::vector<Arrival>> arrivals_;
  Wheel wheel_;
};

template <Endpoint E>
RunNodes<E>::RunNodes(const Graph& graph, const Nic::Config& nic, RunNetwork& network,
                      Packets& packets, std::vector<E>& endpoints,
                      BarrierTree<BarrierUnit>* barriers, bool record_arrivals)
    : graph_(graph),
      network_(network),
      packets_(packets),
      endpoints_(endpoints),
      barriers_(barriers),
      message_barriers_(graph.nodes),
      num_ctrl_(nic.num_ctrl),
      queue_depth_(nic.queue_depth),
      packet_flits_(nic.packet_flits),
      by_packet_(nic.by_packet()),
      reduce_(nic.reduce),
      record_(record_arrivals),
      running_(graph.nodes),
      nodes_(graph.nodes),
      units_(graph.nodes * nic.num_ctrl),
      receivers_(graph.nodes * nic.num_ctrl),
      queue_(std::size_t{graph.nodes} * (nic.queue_depth + 1)),
      memories_(kTraffic ? 0 : graph.nodes),
      ranks_(low_mask(graph.header.addr_w) + 1, kNone),
      arrivals_(record_arrivals ? graph.nodes : 0) {
  Nic::In in;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    ranks_[graph.address[n]] = n;
    endpoints_[n].drive(in);
    nodes_[n].window_base = in.rx_base;
    nodes_[n].window_flits = in.rx_size;
    nodes_[n].reduction = in.reduction;
    nodes_[n].status.desc_free = queue_depth_;
    wheel_.add(0, n);
  }
}

template <Endpoint E>
void RunNodes<E>::step(Cycle cycle, RegionSums& sums) {
  auto& due = wheel_.begin(cycle);
  std::uint32_t failed = kNone;
  std::string error;
  for (std::uint32_t i = 0; i < due.size(); ++i) {
    const std::uint32_t n = due[i];
    if (nodes_[n].seen == cycle) continue;
    nodes_[n].seen = cycle;
    try {
      look(n, cycle, sums);
    } catch (const CheckError& problem) {
      // That of the lowest node is reported, as where nodes are stepped in order.
      if (n >= failed) continue;
      failed = n;
      error = problem.what();
    }
  }
  due.clear();
  if (failed != kNone) throw CheckError(fmt::format("node {}, cycle {}: {}", failed, cycle, error));
}

template <Endpoint E>
void RunNodes<E>::look(std::uint32_t n, Cycle cycle, RegionSums& sums) {
  Node& node = nodes_[n];
  E& endpoint = endpoints_[n];
  const bool due = E::kTimed && cycle >= node.wake;
  const bool active = node.news || due || !endpoint.resting();
  if (node.news) dropped_ |= (node.status.rx_parity | node.status.rx_refused) != 0;
  if (active) {
    if constexpr (!kTraffic) memories_[n].catch_up(endpoint, packets_, cycle + 1, cycle);
    if (node.news || due) {
      if (barriers_ != nullptr) node.status.barriers = barriers_->count(n);
      endpoint.step(node.status, cycle, sums);
      if constexpr (E::kTimed) {
        const auto wake = static_cast<Cycle>(endpoint.wake());
        if (wake != kNever && (wake != node.wake || wake <= cycle)) {
          wheel_.add(std::max(wake, cycle + 1), n);
        }
        node.wake = wake;
      }
    } else {
      endpoint.step_on(node.status, cycle, sums);
    }
  }
  node.news = node.posts;
  step_interface(n, cycle);
  if (active) look_at_endpoint(n, cycle);
  if constexpr (kTraffic) {
    if (node.posts && !node.told) send_at_once(n, cycle);
  }
  if (node.news || !endpoint.resting()) wheel_.add(cycle + 1, n);
}

template <Endpoint E>
void RunNodes<E>::look_at_endpoint(std::uint32_t n, Cycle cycle) {
  Node& node = nodes_[n];
  const E& endpoint = endpoints_[n];
  node.posts = endpoint.posted();
  if (node.posts) {
    const std::uint32_t dst = endpoint.descriptor().dst;
    if (rank_of(dst) == kNone) {
      throw CheckError(fmt::format("posted a message to address {:#x}, which no node has", dst));
    }
    node.news = true;
    slot(n, node.queued) = endpoint.descriptor();
  }
  if constexpr (kTraffic) return;
  if (endpoint.entered()) {
    if (barriers_ == nullptr) {
      throw CheckError("entered a hardware barrier, but there are no barrier units");
    }
    barriers_->enter(n, cycle);
  }
  endpoint.note_barriers(n, cycle, message_barriers_);
  Nic::In in;
  endpoint.drive(in);
  node.window_base = in.rx_base;
  node.window_flits = in.rx_size;
  node.reduction = in.reduction;
  if (endpoint.resting() && !node.done) {
    endpoint.check();
    if (endpoint.done()) {
      node.done = true;
      --running_;
    }
  }
}

// The interface's clock edge in a cycle. All decisions use the state at its beginning.
template <Endpoint E>
void RunNodes<E>::step_interface(std::uint32_t n, Cycle cycle) {
  Node& node = nodes_[n];
  const std::uint32_t first = n * num_ctrl_;
  bool told = false;
  for (std::uint32_t c = 0; c < num_ctrl_; ++c) {
    if (units_[first + c].sent <= cycle) told |= free_slot(node, units_[first + c]);
  }
  const bool full = node.queued == queue_depth_;
  const std::uint32_t gets = node.queued != 0 ? choose(n, cycle) : num_ctrl_;
  for (std::uint32_t c = 0; c < num_ctrl_; ++c) {
    Unit& unit = units_[first + c];
    if (c == gets) {
      unit.message = slot(n, 0);
      unit.cutting = true;
      plan_cut(n, unit, cycle);
    } else if (unit.cutting && unit.held < 2 && cycle >= unit.cut) {
      cut(n, c, cycle);
    }
  }
  if (gets < num_ctrl_) {
    node.oldest = node.oldest < queue_depth_ ? node.oldest + 1 : 0;
    --node.queued;
  }
  // A written descriptor is taken if the queue was not full when the cycle began.
  const bool accepts = node.posts && !full;
  node.queued += accepts;
  told |= accepts != (gets < num_ctrl_);
  node.status.desc_free = queue_depth_ - node.queued;
  if (node.queued != 0 && some_open(n)) wheel_.add(cycle + 1, n);
  for (std::uint32_t l = first; l < first + num_ctrl_; ++l) {
    Receiver& r = receivers_[l];
    if (r.packet != kNone || network_.exit(l).front != kNone) receive(n, l, cycle);
    if constexpr (!kTraffic) {
      if (!r.starts.empty()) begin_words(n, l, cycle);
      told |= store(node, r, cycle);
    }
  }
  node.news |= told;
  node.told = told;
}

// A packet of traffic, posted in `cycle` when no other is queued, would be pushed in the next cycle,
// taken by the controller in the second and cut in the third, and the endpoint, which has nothing to
// post, would see no difference: that is done now.
template <Endpoint E>
void RunNodes<E>::send_at_once(std::uint32_t n, Cycle cycle) {
  Node& node = nodes_[n];
  Unit& unit = units_[n * num_ctrl_];
  // The queue has room for what is posted in the meantime.
  if (num_ctrl_ != 1 || queue_depth_ < 4 || node.queued != 0 || endpoints_[n].waits_to_post()) return;
  if (unit.cutting || unit.held == 2 || unit.open > cycle + 2 || unit.cut > cycle + 3) return;
  unit.message = endpoints_[n].descriptor();
  if (unit.message.len > packet_flits_) return;
  cut(n, 0, cycle + 3);
  unit.open = cycle + 4;
  node.posts = node.news = false;
}

// Whether a controller that the oldest descriptor may have takes messages, now or soon.
template <Endpoint E>
bool RunNodes<E>::some_open(std::uint32_t n) {
  const Unit* const units = &units_[n * num_ctrl_];
  if (const std::uint32_t ctrl = slot(n, 0).ctrl; ctrl != 0) {
    const std::uint32_t named = ctrl == kCtrlRoundRobin ? nodes_[n].next_ctrl : ctrl - 1;
    return named < num_ctrl_ && !units[named].cutting;
  }
  return std::any_of(units, units + num_ctrl_, [](const Unit& unit) { return !unit.cutting; });
}

// Selects the controller for the oldest descriptor: the one that it names; otherwise, round-robin,
// one without a packet, or if there is none, any that is ready. `num_ctrl_` if it must wait.
template <Endpoint E>
std::uint32_t RunNodes<E>::choose(std::uint32_t n, Cycle cycle) {
  Node& node = nodes_[n];
  const Unit* const units = &units_[n * num_ctrl_];
  std::uint32_t chosen = num_ctrl_;
  if (const std::uint32_t ctrl = slot(n, 0).ctrl; ctrl != 0) {
    const std::uint32_t named = ctrl == kCtrlRoundRobin ? node.next_ctrl : ctrl - 1;
    if (named < num_ctrl_ && !units[named].cutting && cycle >= units[named].open) chosen = named;
  } else {
    for (std::uint32_t i = 0, c = node.next_ctrl; i < num_ctrl_; ++i) {
      if (!units[c].cutting && cycle >= units[c].open) {
        if (units[c].held == 0) {
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

// The next packet of a message is to be cut as soon as there is a slot and the one before is fetched.
template <Endpoint E>
void RunNodes<E>::plan_cut(std::uint32_t n, const Unit& unit, Cycle cycle) {
  Cycle at = std::max(cycle + 1, unit.cut);
  if (unit.held == 2) {
    if (unit.sent == kNever) return;
    at = std::max(at, unit.sent);
  }
  wheel_.add(at, n);
}

template <Endpoint E>
void RunNodes<E>::cut(std::uint32_t n, std::uint32_t ctrl, Cycle cycle) {
  const std::uint32_t port = n * num_ctrl_ + ctrl;
  Unit& unit = units_[port];
  Descriptor& message = unit.message;
  const std::uint32_t len = std::min(message.len, packet_flits_);
  const bool eom = len == message.len;
  const Header header{message.dst, graph_.address[n], message.off, len, message.tag, eom};
  const std::uint32_t packet = packets_.make(header.pack(graph_.header), len);
  if constexpr (kTraffic) {
    for (std::uint32_t i = 0; i < len; ++i) {
      packets_.word(packets_[packet], i) = endpoints_[n].read_flit(message.addr + i);
    }
  } else if (len != 0) {
    memories_[n].read(packet, message.addr, cycle + 1, len);
  }
  Slot& slot = unit.slots[unit.held];
  slot = {packet, cycle + (len != 0 ? 3 : 1), static_cast<std::uint16_t>(len + 1),
          static_cast<std::uint16_t>(message.gap), eom};
  // Behind a packet whose end is not known yet it is offered when that is known.
  if (unit.held++ == 0 || unit.sent != kNever) {
    network_.offer(port, packet, std::max(slot.ready, unit.paced));
  }
  unit.cut = cycle + std::max(len, 1u);
  message.addr += len;
  message.off += len;
  message.len -= len;
  unit.cutting = !eom;
  if (unit.cutting) plan_cut(n, unit, cycle);
}

// The receive side of one link in a cycle.
template <Endpoint E>
void RunNodes<E>::receive(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  Receiver& r = receivers_[link];
  RunNetwork::Channel& channel = network_.exit(link);
  if (r.packet == kNone) {
    if (channel.front == kNone || cycle < take_from(r, channel)) return;
    r.packet = channel.front;
    r.left = packets_[r.packet].flits;
    r.until = cycle;
    r.stopped = false;
    const std::uint32_t flits = std::min(r.left, channel.in.total - channel.out.total);
    network_.take(link, cycle, flits, true);
    r.until += flits;
    r.left -= flits;
  } else if (r.left != 0 && cycle >= r.until) {
    // A flit that was granted in a cycle can be taken two cycles later.
    if (channel.in.before(cycle - 1) == channel.out.total) {
      r.stopped = true;
      if (channel.in.total != channel.out.total) {
        wheel_.add(channel.in.reaches(channel.out.total + 1) + 1, n);
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
    wheel_.add(r.until, n);
  } else if (kTraffic || r.until == cycle + 1) {
    accept(n, link, r.until - 1);
  } else {
    wheel_.add(r.until - 1, n);
  }
}

// A packet's tail is taken in `cycle`: it is accepted, and will be written, or it is refused.
template <Endpoint E>
void RunNodes<E>::accept(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  Node& node = nodes_[n];
  Receiver& r = receivers_[link];
  const std::uint32_t number = r.packet;
  Packet& packet = packets_[number];
  const Header header = Header::unpack(packet.header, graph_.header);
  r.packet = kNone;
  r.free = cycle + 1;
  network_.pop_exit(link);
  if (header.off + header.len > node.window_flits) {
    ++node.status.rx_refused;
    node.news = true;
    wheel_.add(cycle + 1, n);
    if constexpr (kTraffic) {
      packet.time = kNever;
      ++r.accepted;
    } else {
      packets_.free(number);
    }
    return plan_take(link);
  }
  // The packet's first word is stored in the cycle after, or right after the last one before.
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
    ++r.accepted;
    return plan_take(link);
  }
  if (counts) {
    ++node.status.rx_arrived[tag];
    node.news = true;
  }
  if (reduce_) {
    r.starts.push_back({number, node.window_base + header.off});
    wheel_.add(write, n);
  } else {
    if (counts) {
      r.counts.push_back({r.stored[2], tag});
      wheel_.add(r.stored[2], n);
    }
    if (none) {
      packets_.free(number);
    } else {
      memories_[n].write(number, link - n * num_ctrl_, node.window_base + header.off, write + 1,
                         header.len);
    }
  }
  plan_take(link);
}

// With reduction: packets whose first word leaves the receive side after this cycle. All words take
// the accumulator's latency, and its setting changes only while it has nothing to do.
template <Endpoint E>
void RunNodes<E>::begin_words(std::uint32_t n, std::uint32_t link, Cycle cycle) {
  Node& node = nodes_[n];
  Receiver& r = receivers_[link];
  while (!r.starts.empty() && packets_[r.starts.front().packet].time == cycle) {
    const auto [number, address] = r.starts.front();
    r.starts.erase(r.starts.begin());
    const Header header = Header::unpack(packets_[number].header, graph_.header);
    if (cycle >= r.settles) r.setting = node.reduction;
    const Cycle delay = 1 + (r.setting.op == ReduceOp::kMean ? kMeanLatency : kReduceLatency);
    const Cycle counted = cycle + header.len + delay;
    if (by_packet_ || header.eom) {
      r.counts.push_back({counted, header.tag % kNumRxCounts});
      wheel_.add(counted, n);
      r.settles = counted + 1;
    }
    if (header.len == 0) {
      packets_.free(number);
      continue;
    }
    r.settles = counted + 1;
    const std::uint32_t local = link - n * num_ctrl_;
    if (reduces(header.tag) && r.setting.op != ReduceOp::kStore) {
      memories_[n].combine(number, local, address, cycle + 1, header.len, r.setting, delay);
    } else {
      memories_[n].write(number, local, address, cycle + 1 + delay, header.len);
    }
  }
}

// The next packet on the link is taken when it is there and a slot is free.
template <Endpoint E>
void RunNodes<E>::plan_take(std::uint32_t link) {
  const RunNetwork::Channel& channel = network_.exit(link);
  if (channel.front == kNone) return;
  wheel_.add(take_from(receivers_[link], channel), link / num_ctrl_);
}

// Counts packets that are in memory after this cycle; returns whether there were any.
template <Endpoint E>
bool RunNodes<E>::store(Node& node, Receiver& r, Cycle cycle) {
  std::size_t due = 0;
  for (; due < r.counts.size() && r.counts[due].cycle <= cycle; ++due) {
    ++node.status.rx_count[r.counts[due].tag];
  }
  if (due != 0) r.counts.erase(r.counts.begin(), r.counts.begin() + static_cast<std::ptrdiff_t>(due));
  return due != 0;
}

template <Endpoint E>
void RunNodes<E>::take_news(Cycle cycle, RegionSums& sums) {
  for (const RunNetwork::Sent& what : network_.sent()) {
    Unit& unit = units_[what.port];
    // Traffic need not know when the packet before had left.
    if (unit.sent != kNever) free_slot(nodes_[what.port / num_ctrl_], unit);
    const Slot& slot = unit.slots[0];
    unit.sent = what.end;
    unit.paced = what.end + slot.gap * slot.flits;
    if (unit.held == 2) {
      network_.offer(what.port, unit.slots[1].packet, std::max(unit.slots[1].ready, unit.paced));
    }
    const std::uint32_t n = what.port / num_ctrl_;
    if (unit.cutting) plan_cut(n, unit, cycle);
    if (!kTraffic && slot.eom) wheel_.add(what.end, n);
  }
  for (const RunNetwork::Exit& what : network_.exits()) {
    Receiver& r = receivers_[what.link];
    if constexpr (kTraffic) {
      endpoints_[what.link / num_ctrl_].count_flits(what.start + 1, what.length, sums);
    }
    if (r.packet == kNone) {
      if (!what.header) continue;
      const RunNetwork::Channel& channel = network_.exit(what.link);
      // As a rule it is taken as it comes.
      if (kTraffic && what.length == packets_[channel.front].flits &&
          take_from(r, channel) == cycle + 2 && channel.in.total - channel.out.total == what.length) {
        receive(what.link / num_ctrl_, what.link, cycle + 2);
      } else {
        plan_take(what.link);
      }
    } else if (r.stopped) {
      wheel_.add(what.start + 2, what.link / num_ctrl_);
    }
  }
  for (const RunNetwork::Delivered& what : network_.delivered()) deliver(what, cycle, sums);
  network_.clear_news();
}

// A packet's tail is on the link into its interface.
template <Endpoint E>
void RunNodes<E>::deliver(const RunNetwork::Delivered& what, Cycle cycle, RegionSums& sums) {
  Packet& packet = packets_[what.packet];
  const std::uint32_t n = what.link / num_ctrl_;
  if constexpr (!kTraffic) {
    const std::uint32_t src = rank_of(Header::unpack(packet.header, graph_.header).src);
    memories_[src].catch_up(endpoints_[src], packets_, cycle, cycle);
  }
  packets_.settle(packet);
  if (record_) {
    const Header header = Header::unpack(packet.header, graph_.header);
    arrivals_[n].push_back({header.src, header.off, header.len, cycle});
  }
  if constexpr (kTraffic) {
    check_bodies(what.link, cycle);
    Receiver& r = receivers_[what.link];
    r.unwritten.push_back(what.packet);
    E& endpoint = endpoints_[n];
    if (endpoint.arrive_packet(what.link - n * num_ctrl_, packet.header, packet.flits, cycle, sums)) {
      nodes_[n].wake = static_cast<Cycle>(endpoint.wake());
      wheel_.add(std::max(nodes_[n].wake, cycle + 1), n);
    }
  }
}

// Traffic: checks the words that are written before `cycle`.
template <Endpoint E>
void RunNodes<E>::check_bodies(std::uint32_t link, Cycle cycle) {
  Receiver& r = receivers_[link];
  std::size_t done = 0;
  for (; done < r.unwritten.size() && r.accepted != 0; ++done) {
    Packet& packet = packets_[r.unwritten[done]];
    if (packet.time != kNever) {
      const Header header = Header::unpack(packet.header, graph_.header);
      const Cycle first = packet.time + 1;
      const std::uint32_t due = cycle > first ? std::min(cycle - first, header.len) : 0;
      const std::uint32_t n = link / num_ctrl_;
      for (; r.written < due; ++r.written) {
        endpoints_[n].write_flit(link - n * num_ctrl_,
                                 nodes_[n].window_base + header.off + r.written,
                                 packets_.word(packet, r.written));
      }
      if (r.written < header.len) break;
    }
    packets_.free(r.unwritten[done]);
    r.written = 0;
    --r.accepted;
  }
  if (done != 0) r.unwritten.erase(r.unwritten.begin(), r.unwritten.begin() + static_cast<std::ptrdiff_t>(done));
}

template <Endpoint E>
void RunNodes<E>::end(Cycle cycle, RegionSums& sums) {
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if constexpr (!kTraffic) memories_[n].catch_up(endpoints_[n], packets_, cycle, cycle);
  }
  if constexpr (!kTraffic) return;
  for (std::uint32_t l = 0; l < receivers_.size(); ++l) {
    Receiver& r = receivers_[l];
    check_bodies(l, cycle);
    for (unsigned i = 0; i < r.tag.size(); ++i) {
      if (r.tag[i] >= 0 && r.stored[i] >= cycle) {
        --nodes_[l / num_ctrl_].status.rx_count[static_cast<unsigned>(r.tag[i])];
      }
    }
    if constexpr (kTraffic) {
      // Flits that would have come later.
      const Line& in = network_.exit(l).in;
      const Cycle first = std::max(in.start + 1, cycle);
      if (in.end() + 1 > first) {
        endpoints_[l / num_ctrl_].take_back_flits(first, in.end() + 1 - first, sums);
      }
    }
  }
}

}  // namespace weft
