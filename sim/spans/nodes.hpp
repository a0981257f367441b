// The nodes on engine `model`: endpoint, memory and network interface.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/spans/part_nodes.hpp"
#include "sim/spans/saved.hpp"
#include "sim/workload/endpoint.hpp"
#include "sim/workload/word_watch.hpp"

namespace weft {

/// Nodes with an endpoint `E` each and interfaces (rtl/nic/README.md: send_unit, recv_unit,
/// nic) in a network `Net`: SpanNetwork or SpanCrossbars. An endpoint is stepped in cycles in which
/// it may act, an interface in those in which it decides something; what lies in between is
/// computed.
template <Endpoint E, class Net>
class SpanNodes final : public PartNodes {
 public:
  /// The `own` nodes, those of one part of the network.
  SpanNodes(const AllNodes& all, PartArray<E>& endpoints, const NodeSet& own, Net& network,
            Packets& packets);

  void step(Cycle cycle, RegionSums& sums) override;
  Cycle next(Cycle limit) const override {
    if (!driven_.empty()) return 0;
    if (packets_.shared()) limit = reads_.next(limit);
    return wakes_.next(sends_.next(takes_.next(limit)));
  }
  void skip_to(Cycle cycle) override {
    for (Wheel* const wheel : {&sends_, &wakes_, &takes_, &reads_}) wheel->begin(cycle - 1);
  }
  void take_news(Cycle cycle, RegionSums& sums) override;
  void read(std::uint32_t n, std::uint32_t address, FlitData& word, Cycle cycle) override {
    if constexpr (!kTraffic) memories_[n].catch_up(endpoints_[n], packets_, cycle, cycle);
    endpoints_[n].read_flit(address, word.word.data());
  }
  void write(std::uint32_t n, std::uint32_t address, const FlitData& word, Cycle cycle) override {
    if constexpr (!kTraffic) memories_[n].catch_up(endpoints_[n], packets_, cycle + 1, cycle + 1);
    if (n == watched_) watch_->combine(address, cycle);
    endpoints_[n].write_flit(0, address, word);
  }
  void released(std::uint32_t n, Cycle cycle) override {
    nodes_[n].news = true;
    wakes_.add(cycle, n);
  }
  bool acts_later(Cycle cycle) override {
    for (const std::uint32_t n : own_) {
      if (endpoints_[n].acts_later(cycle)) return true;
    }
    return false;
  }
  void end(Cycle cycle, RegionSums& sums) override;
  std::uint32_t region_of(const Packet& packet) const override;
  void serialize(SaveArchive& archive) override { archive_state(archive); }
  void serialize(LoadArchive& archive) override { archive_state(archive); }
  void check_loaded(Cycle cycle, const LoadedPackets& packets) const override;
  bool good_header(const Packet& packet, const LoadedPackets& packets) const override;

 private:
  static constexpr bool kTraffic = E::kTimed;
  // Most cycles that an endpoint runs ahead in one call, unless it pauses: a program may never end.
  // If the run ends in the meantime, what the endpoint wrote ahead does not show: results show only
  // the receive window, which is in reach.
  static constexpr std::uint32_t kMostAhead = 1024;

  // Slot `i` of a node's descriptor queue; the slot after the last one is for what is written to
  // it.
  Descriptor& slot(std::uint32_t n, std::uint32_t i) {
    const std::uint32_t at = nodes_[n].oldest + i;
    return queue_[std::size_t{n} * (queue_depth_ + 1) +
                  (at <= queue_depth_ ? at : at - queue_depth_ - 1)];
  }
  template <class Archive>
  void archive_state(Archive& archive) {
    archive(dropped_, running_, sends_, wakes_, takes_, reads_);
    archive_lists(archive, driven_);
  }
  std::uint32_t rank_of(std::uint32_t address) const { return ranks_[address]; }
  void step_node(std::uint32_t n, Cycle cycle, RegionSums& sums, bool sends);
  void step_endpoint(std::uint32_t n, Cycle cycle, RegionSums& sums);
  // Cycles that an endpoint may run ahead after `cycle`. A watched processor does not run ahead: it
  // stores a word in the cycle of the store.
  std::uint32_t most_ahead(std::uint32_t n, Cycle after) const;
  void look_at_endpoint(std::uint32_t n, Cycle cycle);
  // Plans the next step of a traffic endpoint, whose wake time may have changed.
  void plan_wake(std::uint32_t n, Cycle cycle) {
    const Cycle wake = std::max(static_cast<Cycle>(endpoints_[n].wake()), cycle + 1);
    if (wake != nodes_[n].wake && wake != kNever) wakes_.add(wake, n);
    nodes_[n].wake = wake;
  }
  void step_sender(std::uint32_t n, Cycle cycle);
  void step_receiver(std::uint32_t link, Cycle cycle);
  // Notes that the endpoint has news after this cycle.
  void tell(std::uint32_t n, Cycle cycle) {
    nodes_[n].news = true;
    wakes_.add(cycle + 1, n);
  }
  bool good_node(std::uint32_t n, const LoadedPackets& packets) const;
  bool good_sender(std::uint32_t port, const LoadedPackets& packets) const;
  bool good_receiver(std::uint32_t link, Cycle cycle, const LoadedPackets& packets) const;
  void open_windows();
  bool some_open(std::uint32_t n);
  bool takes(const SenderState& unit, Cycle cycle) const;
  std::uint32_t choose(std::uint32_t n, Cycle cycle);
  void cut(std::uint32_t n, std::uint32_t ctrl, Cycle cycle);
  void receive(std::uint32_t link, Cycle cycle);
  void accept(std::uint32_t n, std::uint32_t link, Cycle cycle);
  void begin_words(std::uint32_t n, std::uint32_t link, Cycle cycle);
  void store(std::uint32_t n, std::uint32_t link, Cycle cycle);
  // Frees the slot of the first packet, which has left. Returns whether the endpoint is told.
  bool free_slot(NodeState& node, SenderState& unit) {
    const bool tells = !kTraffic && unit.slots[0].eom;
    node.status.tx_count += unit.slots[0].eom;
    unit.sent = kNever;
    unit.slots[0] = unit.slots[1];
    --unit.held;
    return tells;
  }
  void send_at_once(std::uint32_t n, Cycle cycle);
  void plan_cut(std::uint32_t n, const SenderState& unit, Cycle cycle);
  void plan_take(std::uint32_t link);
  Cycle take_from(const ReceiverState& r, std::uint32_t front) const {
    return std::max({packets_[front].time + 2, r.free, r.stored[1] + 1});
  }
  void deliver(const typename Net::Delivered& what, Cycle cycle, RegionSums& sums);
  void check_bodies(std::uint32_t link, Cycle cycle);
  void end_traffic(std::uint32_t link, Cycle cycle, RegionSums& sums);

  const Graph& graph_;
  Net& network_;
  Packets& packets_;
  PartArray<E>& endpoints_;
  BarrierTree<BarrierUnit>* barriers_;
  CombineTree<CombineUnit>* combines_;
  BarrierTimes& message_barriers_;
  std::uint32_t num_ctrl_, links_, queue_depth_, packet_flits_;
  bool by_packet_, reduce_, timed_, record_;
  const NodeSet& own_;
  Cycle limit_;
  // All nodes of this process.
  NodeState* nodes_;
  SenderState* units_;
  ReceiverState* receivers_;
  Descriptor* queue_;
  NodeMemory* memories_;
  const std::uint32_t* ranks_;
  std::vector<Arrival>* arrivals_;
  WordWatch* watch_ = nullptr;
  std::uint32_t watched_ = kNone;  // The watched node.
  Wheel sends_;                    // Nodes whose send side is to be stepped.
  Wheel wakes_;                    // Nodes whose endpoint is to be stepped.
  Wheel takes_;                    // Links whose receive side is to be stepped.
  struct Driven {
    std::uint32_t n, rx_base, rx_size;  // Inputs of a node's interface from the next cycle on.
    Reduction reduction;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(n, rx_base, rx_size, reduction);
    }
  };
  std::vector<Driven> driven_;
  Wheel reads_;  // Nodes whose memory is to be read for packets to other parts.
};

template <Endpoint E, class Net>
SpanNodes<E, Net>::SpanNodes(const AllNodes& all, PartArray<E>& endpoints, const NodeSet& own,
                             Net& network, Packets& packets)
    : PartNodes(own.size()),
      graph_(all.graph),
      network_(network),
      packets_(packets),
      endpoints_(endpoints),
      barriers_(all.barriers),
      combines_(all.combines),
      message_barriers_(all.states.message_barriers),
      num_ctrl_(all.nic.num_ctrl),
      links_(all.nic.links()),
      queue_depth_(all.nic.queue_depth),
      packet_flits_(all.nic.packet_flits),
      by_packet_(all.nic.by_packet()),
      reduce_(all.nic.reduce),
      timed_(all.nic.timed),
      record_(all.states.record),
      own_(own),
      limit_(all.limit),
      nodes_(all.states.nodes.data()),
      units_(all.states.units.data()),
      receivers_(all.states.receivers.data()),
      queue_(all.states.queue.data()),
      memories_(all.states.memories.data()),
      ranks_(all.states.ranks.data()),
      arrivals_(all.states.arrivals.data()) {
  Nic::In in;
  for (const std::uint32_t n : own_) {
    endpoints_[n].drive(in);
    nodes_[n].window_base = in.windows.base[0];
    nodes_[n].window_flits = in.windows.size[0];
    nodes_[n].reduction = in.reduction;
    nodes_[n].status.desc_free = queue_depth_;
    wakes_.add(0, n);
  }
  if (all.watch != nullptr && own.contains(all.watch->node())) {
    watch_ = all.watch;
    watched_ = watch_->node();
    memories_[watched_].watch(watch_);
  }
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::step(Cycle cycle, RegionSums& sums) {
  if constexpr (!kTraffic) {
    if (packets_.shared()) {
      auto& reads = reads_.begin(cycle);
      for (std::uint32_t i = 0; i < reads.size(); ++i) {
        memories_[reads[i]].catch_up(endpoints_[reads[i]], packets_, cycle, cycle);
      }
      reads.clear();
    }
  }
  open_windows();
  failed_ = kNone;
  std::string error;
  const auto step_those = [&](Wheel::Bucket& due, bool send) {
    for (std::uint32_t i = 0; i < due.size(); ++i) {
      const std::uint32_t n = due[i];
      NodeState& node = nodes_[n];
      if (node.seen == cycle || !(send || node.news || node.wake == cycle)) continue;
      node.seen = cycle;
      try {
        step_node(n, cycle, sums, send);
      } catch (const CheckError& problem) {
        // The error of the lowest node is reported, as where nodes are stepped in order.
        if (n >= failed_) continue;
        failed_ = n;
        error = problem.what();
      }
    }
    due.clear();
  };
  step_those(sends_.begin(cycle), true);
  step_those(wakes_.begin(cycle), false);
  // Endpoints see in the next cycle what is received now.
  auto& due = takes_.begin(cycle);
  for (std::uint32_t i = 0; i < due.size(); ++i) step_receiver(due[i], cycle);
  due.clear();
  if (failed_ == kNone) return;
  throw CheckError(fmt::format("node {}, cycle {}: {}", failed_, cycle, error));
}

// Steps a node. `sends`: its send side may have something to decide.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::step_node(std::uint32_t n, Cycle cycle, RegionSums& sums, bool sends) {
  NodeState& node = nodes_[n];
  const bool active = node.news || cycle >= node.wake;
  if (node.news) dropped_ |= (node.status.rx_parity | node.status.rx_refused) != 0;
  if (active) step_endpoint(n, cycle, sums);
  node.news = node.posts;
  node.told = false;
  if (sends) step_sender(n, cycle);
  if (active) look_at_endpoint(n, cycle);
  if constexpr (kTraffic) {
    if (node.posts && !node.told) send_at_once(n, cycle);
  }
  if (node.posts) {
    sends_.add(cycle + 1, n);
  } else if (node.news) {
    wakes_.add(cycle + 1, n);
  }
}

// Steps the interface's send side. All decisions use the state at the beginning of the cycle.
template <Endpoint E, class Net>
void SpanNodes<E, Net>::step_sender(std::uint32_t n, Cycle cycle) {
  NodeState& node = nodes_[n];
  const std::uint32_t first = n * num_ctrl_;
  bool told = false;
  for (std::uint32_t c = 0; c < num_ctrl_; ++c) {
    if (units_[first + c].sent <= cycle) told |= free_slot(node, units_[first + c]);
  }
  const bool full = node.queued == queue_depth_;
  const std::uint32_t gets = node.queued != 0 ? choose(n, cycle) : num_ctrl_;
  for (std::uint32_t c = 0; c < num_ctrl_; ++c) {
    SenderState& unit = units_[first + c];
    if (unit.cutting && unit.held < 2 && cycle >= unit.cut) cut(n, c, cycle);
    if (c == gets) {
      unit.message = slot(n, 0);
      unit.cutting = true;
      ++node.cutting;
      plan_cut(n, unit, cycle);
    }
  }
  if (gets < num_ctrl_) {
    node.oldest = node.oldest < queue_depth_ ? node.oldest + 1 : 0;
    --node.queued;
  }
  // A written descriptor is accepted if the queue was not full when the cycle began.
  const bool accepts = node.posts && !full;
  node.queued += accepts;
  told |= accepts != (gets < num_ctrl_);
  node.status.desc_free = queue_depth_ - node.queued;
  if (node.queued != 0 && some_open(n)) sends_.add(cycle + 1, n);
  node.news |= told;
  node.told = told;
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::take_news(Cycle cycle, RegionSums& sums) {
  for (const auto& what : network_.sent()) {
    SenderState& unit = units_[what.port];
    // A traffic endpoint is not told that its packet has left, so its slot may still have to be
    // freed.
    if (unit.sent != kNever) free_slot(nodes_[what.port / num_ctrl_], unit);
    const SendSlot& slot = unit.slots[0];
    if constexpr (!kTraffic) {
      if (!packets_.ends_here(packets_[slot.packet])) {
        reads_.add(what.end, what.port / num_ctrl_);
      }
    }
    unit.sent = what.end;
    unit.paced = what.end + slot.gap * slot.flits;
    if (unit.held == 2) {
      network_.offer(what.port, unit.slots[1].packet, std::max(unit.slots[1].ready, unit.paced));
    }
    const std::uint32_t n = what.port / num_ctrl_;
    if (unit.cutting) plan_cut(n, unit, cycle);
    if (!kTraffic && slot.eom) sends_.add(what.end, n);
  }
  for (const auto& what : network_.exits()) {
    ReceiverState& r = receivers_[what.link];
    if constexpr (kTraffic) {
      endpoints_[what.link / links_].count_flits(what.start + 1, what.length, sums);
    }
    if (r.packet == kNone) {
      if (!what.header) continue;
      const auto& channel = network_.exit(what.link);
      // Usually the interface takes the packet as it arrives.
      if (kTraffic && what.length == packets_[channel.front].flits &&
          take_from(r, channel.front) == cycle + 2 &&
          channel.in.total - channel.out.total == what.length) {
        receive(what.link, cycle + 2);
      } else {
        plan_take(what.link);
      }
    } else if (r.stopped) {
      takes_.add(what.start + 2, what.link);
    }
  }
  for (const auto& what : network_.delivered()) deliver(what, cycle, sums);
  network_.clear_news();
}

}  // namespace weft

#include "sim/spans/nodes_endpoint.hpp"
#include "sim/spans/nodes_loaded.hpp"
#include "sim/spans/nodes_receive.hpp"
#include "sim/spans/nodes_send.hpp"
