// The nodes in one cycle: endpoint, memory and network interface.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/base/error.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/observe/losses.hpp"
#include "sim/workload/endpoint.hpp"
#include "sim/workload/word_watch.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Counts of one thread for its blocks of the fabric.
struct alignas(64) PartCounts {
  Counters counters;
  std::uint32_t running = 0;  ///< Nodes of the thread that are not done.
  bool missing = false;       ///< A packet was dropped at a node of the thread, or lost on a link.
  RegionSums sums;
  std::uint64_t stepped = 0;  ///< Steps of blocks that were not idle, so far.
};

/// The nodes of `Net` (`Fabric<...>` or `RtlTop`), each with an endpoint `E`; those of this process
/// are `own`. Different threads may step different nodes.
template <class Net, Endpoint E>
class Nodes {
 public:
  /// `watch`: notified of what happens at its node; null: nothing is watched.
  Nodes(const Graph& graph, Net& fabric, PartArray<E>& endpoints, NodeSet own, WordWatch* watch)
      : graph_(graph),
        net_(fabric),
        endpoints_(endpoints),
        own_(std::move(own)),
        together_(fabric.together() != nullptr),
        flit_words_(graph.header.flit_words()),
        watch_(watch),
        watched_(watch != nullptr ? watch->node() : graph.nodes),
        barriers_(fabric.barriers()),
        combines_(fabric.combines()),
        message_barriers_(graph.nodes),
        states_(graph.nodes),
        node_of_address_(low_mask(graph.header.addr_w) + 1) {
    for (const std::uint32_t n : own_) endpoints_[n].drive(net_.input(n));
    for (std::uint32_t n = 0; n < graph.nodes; ++n) node_of_address_[graph.address[n]] = 1;
  }

  /// Steps node `n` by one cycle.
  void step(std::uint32_t n, std::uint64_t cycle, PartCounts& counts);
  /// What interfaces that are stepped together do with a node's memory in `cycle`.
  void read(std::uint32_t n, std::uint32_t addr, std::uint64_t* words) {
    endpoints_[n].read_flit(addr, words);
  }
  void write(std::uint32_t n, unsigned link, std::uint32_t addr, const FlitData& data,
             std::uint64_t cycle) {
    if (n == watched_) watch_->write(link, addr, cycle);
    endpoints_[n].write_flit(link, addr, data);
  }
  /// Memory read of a combine unit.
  void read(std::uint32_t n, std::uint32_t addr, FlitData& flit) {
    endpoints_[n].read_flit(addr, flit.word.data());
  }
  /// Memory write of a combine unit, in `cycle`.
  void write(std::uint32_t n, std::uint32_t addr, const FlitData& word, std::uint64_t cycle) {
    if (n == watched_) watch_->combine(addr, cycle);
    endpoints_[n].write_flit(0, addr, word);
  }
  /// Notes that the node's barrier unit shows a release, or its combine unit a completed order.
  void released(std::uint32_t n) {
    states_[n].news = true;
    states_[n].settled = false;
  }
  /// Sets the inputs `hold` and `restart` of every interface.
  void restart(bool hold, bool restart) {
    for (const std::uint32_t n : own_) {
      net_.input(n).hold = hold;
      net_.input(n).restart = restart;
      states_[n].settled = false;
    }
  }
  /// The nodes of this process.
  const NodeSet& own() const { return own_; }
  bool done(std::uint32_t n) const { return states_[n].done; }
  /// Whether an endpoint acts after `cycle` although nothing moves.
  bool any_acts_later(std::uint64_t cycle) const {
    for (const std::uint32_t n : own_) {
      if (endpoints_[n].acts_later(cycle)) return true;
    }
    return false;
  }
  /// After a cycle in which no block was stepped: the first cycle from `cycle` on in which a node
  /// may act, or `limit` if that is earlier.
  std::uint64_t next_event(std::uint64_t cycle, std::uint64_t limit) const {
    for (const std::uint32_t n : own_) {
      const State& state = states_[n];
      if (!state.settled) {
        if (state.news || endpoints_[n].resting() || !net_.nic_idle(n)) return cycle;
        limit = std::min(limit, cycle + endpoints_[n].pauses(cycle));
      }
      if (E::kTimed) limit = std::min<std::uint64_t>(limit, state.wake);
      if (limit <= cycle) return cycle;
    }
    return limit;
  }
  /// Replaces the steps of the cycles from `cycle` to before `end`, in which no node acts.
  void skip(std::uint64_t cycle, std::uint64_t end) {
    for (const std::uint32_t n : own_) {
      if (!states_[n].settled) endpoints_[n].skip(cycle, static_cast<std::uint32_t>(end - cycle));
    }
  }
  /// Barriers of the run so far, by barrier units or by messages.
  const BarrierTimes& barrier_times() const {
    return barriers_ != nullptr ? barriers_->times() : message_barriers_;
  }

  /// State of the nodes for waves, between two cycles.
  void view(std::uint64_t cycle, std::vector<NodeView>& views) const;
  /// Counts of sent messages by node, between two cycles.
  void view(std::vector<NodeSends>& sends) const;
  /// For error messages: "\n  node 3: running; 2 messages sent, 1 received".
  std::string describe(std::uint32_t n) const {
    const Nic::Out& out = net_.output(n);
    return fmt::format("\n  node {}: {}; {} messages sent, {} received{}", n,
                       endpoints_[n].describe(), out.status.tx_count, out.status.rx_count[0],
                       out.waits ? "; it waits for acknowledgements" : "");
  }

  /// Checkpoint state of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    archive(states_[n]);
    message_barriers_.archive_node(archive, n);
  }
  /// Restores what endpoints keep outside their state; after that of fabric and endpoints was
  /// loaded.
  void loaded(RunArchive& from) {
    if constexpr (requires(E & e, const NicStatus& status) { e.load(status, from.cycle()); }) {
      for (const std::uint32_t n : own_) {
        from.next(n, 0);
        endpoints_[n].load(status_of(n), from.cycle());
      }
    }
  }

 private:
  struct State {
    // The endpoint rests and the interface idles until a flit or credit arrives. Not saved: an
    // interface that is no model idles later than a model.
    bool settled = false;
    bool news = true;  ///< The interface's status may have changed.
    bool done = false;
    std::uint32_t wake = 0;  ///< Timed endpoints: cycle in which a step is due.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(news, done, wake);
    }
  };

  void arrive(std::uint32_t n, std::uint64_t cycle, PartCounts& counts);
  void look_at(std::uint32_t n, std::uint64_t cycle, PartCounts& counts);
  // The interface's status as an endpoint sees it, with the units of the trees.
  NicStatus status_of(std::uint32_t n) const {
    NicStatus status = net_.output(n).status;
    if (barriers_ != nullptr) status.barriers = barriers_->count(n);
    if (combines_ != nullptr) status.combines = combines_->done(n);
    return status;
  }
  void watch_links();

  const Graph& graph_;
  Net& net_;
  PartArray<E>& endpoints_;
  const NodeSet own_;
  const bool together_;  // Interfaces are stepped together.
  unsigned flit_words_;
  WordWatch* watch_;
  std::uint32_t watched_;             // The node of the watch; no node without a watch.
  typename Net::Barriers* barriers_;  // Null without barrier units.
  typename Net::Combines* combines_;  // Null without combine units.
  BarrierTimes message_barriers_;
  std::vector<State> states_;
  std::vector<std::uint8_t> node_of_address_;
};

// Passes the flits on the links into a node to a timed endpoint.
template <class Net, Endpoint E>
void Nodes<Net, E>::arrive(std::uint32_t n, std::uint64_t cycle, PartCounts& counts) {
  const Wires& wires = net_.wires();
  const std::uint32_t links = graph_.nic_links;
  for (std::uint32_t l = 0; l < links; ++l) {
    const std::uint32_t link = n * links + l;
    if (wires.valid[link] == 0) continue;
    if (endpoints_[n].arrive(l, wires.flit[link], cycle, counts.sums)) {
      states_[n].wake = static_cast<std::uint32_t>(endpoints_[n].wake());
    }
  }
}

// Shows the watch the flits on the links into its node.
template <class Net, Endpoint E>
void Nodes<Net, E>::watch_links() {
  const Wires& wires = net_.wires();
  for (std::uint32_t l = 0; l < graph_.nic_links; ++l) {
    const std::uint32_t link = watched_ * graph_.nic_links + l;
    if (wires.arrives(link)) watch_->arrive(l, wires.arriving(link), net_.input(watched_));
  }
}

template <class Net, Endpoint E>
void Nodes<Net, E>::step(std::uint32_t n, std::uint64_t cycle, PartCounts& counts) {
  State& state = states_[n];
  const bool due = E::kTimed && cycle >= state.wake;
  if (state.settled && !due) {
    if (net_.silent(n)) return;
    // A flit comes to an interface that is stepped with others: only the endpoint looks at it.
    if (together_ && !net_.calls(n) && n != watched_) {
      if constexpr (E::kTimed) arrive(n, cycle, counts);
      net_.read_links(n, cycle);
      return;
    }
  }
  const Nic::Out& out = net_.output(n);
  E& endpoint = endpoints_[n];
  Nic::In& in = net_.input(n);
  // Reads return the memory's contents before this cycle's writes.
  const std::uint16_t lanes = together_ ? std::uint16_t{0} : out.mem_ren;
  std::array<std::uint64_t, Nic::kMaxLanes * kMaxFlitWords> words;
  for (unsigned m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    endpoint.read_flit(out.mem_raddr[lane], &words[lane * kMaxFlitWords]);
  }
  state.news |= net_.calls(n);
  const bool watched = n == watched_;
  std::uint64_t before = 0;
  if (watched) {
    watch_links();
    before = endpoint.read_word(watch_->address());
  }
  const bool active = state.news || due || !endpoint.resting();
  if (state.news) counts.missing |= (out.status.rx_parity | out.status.rx_refused) != 0;
  if constexpr (E::kTimed) arrive(n, cycle, counts);
  if (state.news || due) {
    if (barriers_ != nullptr || combines_ != nullptr) {
      endpoint.step(status_of(n), cycle, counts.sums);
    } else {
      endpoint.step(out.status, cycle, counts.sums);
    }
    if constexpr (E::kTimed) state.wake = static_cast<std::uint32_t>(endpoint.wake());
  } else if (active) {
    endpoint.step_on(out.status, cycle, counts.sums);
  }
  if (watched) watch_->step(before, endpoint.read_word(watch_->address()), cycle);
  for (unsigned m = together_ ? 0 : out.mem_wen; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    write(n, lane, out.mem_waddr[lane], out.mem_wdata[lane], cycle);
  }
  // A posted descriptor changes the queue's status in both following cycles.
  state.news = in.desc_valid;
  net_.read_links(n, cycle);
  const bool idle = net_.nic_idle(n);
  if (!idle) {
    net_.step_nic(n, cycle);
    ++counts.stepped;
    state.news |= net_.status_changed(n);
    for (unsigned m = lanes; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(m));
      copy_words(in.mem_rdata[lane].word.data(), &words[lane * kMaxFlitWords], flit_words_);
    }
  }
  if (active) look_at(n, cycle, counts);
  // The endpoint may have changed inputs; all of them decide whether the interface is idle.
  state.settled = !state.news && endpoint.resting() && (active ? net_.nic_idle(n) : idle);
}

template <class Net, Endpoint E>
void Nodes<Net, E>::look_at(std::uint32_t n, std::uint64_t cycle, PartCounts& counts) {
  const E& endpoint = endpoints_[n];
  Nic::In& in = net_.input(n);
  in.desc_valid = endpoint.posted();
  if (in.desc_valid) {
    in.desc = endpoint.descriptor();
    if (node_of_address_[in.desc.dst] == 0) {
      throw CheckError(
          fmt::format("posted a message to address {:#x}, which no node has", in.desc.dst));
    }
    states_[n].news = true;
  }
  if (endpoint.entered()) {
    if (barriers_ == nullptr) {
      throw CheckError(
          "entered a hardware barrier, but there are no barrier units (barrier \"hardware\" has "
          "them)");
    }
    barriers_->enter(n, cycle);
  }
  if (endpoint.combines()) combines_->post(n, endpoint.combine_order());
  endpoint.note_barriers(n, cycle, message_barriers_);
  endpoint.drive(in);
  if (endpoint.resting() && !states_[n].done) {
    endpoint.check();
    if (endpoint.done()) {
      states_[n].done = true;
      --counts.running;
    }
  }
}

template <class Net, Endpoint E>
void Nodes<Net, E>::view(std::uint64_t cycle, std::vector<NodeView>& views) const {
  views.resize(graph_.nodes);
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    views[n] = endpoints_[n].view();
    views[n].status = net_.output(n).status;
    if (barriers_ != nullptr) views[n].barrier = barriers_->view(n, cycle);
    if (combines_ != nullptr) views[n].combine = combines_->view(n, cycle);
  }
}

template <class Net, Endpoint E>
void Nodes<Net, E>::view(std::vector<NodeSends>& sends) const {
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    const NicStatus& status = net_.output(n).status;
    sends[n] = {net_.input(n).desc_valid && status.desc_free != 0, status.tx_count,
                barrier_times().inside(n)};
  }
}

}  // namespace weft
