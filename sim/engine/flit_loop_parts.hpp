// Division of a fabric between threads and processes, and their exchange; part of
// sim/engine/flit_loop.hpp.
#pragma once

#include "sim/engine/flit_loop.hpp"

namespace weft {

// Gives each thread its blocks.
template <class Net, Endpoint E>
void FlitLoop<Net, E>::divide() {
  threads_.resize(run_.threads);
  for (unsigned i = 0; i < run_.threads; ++i) {
    Thread& thread = threads_[i];
    thread.ranges = run_.share.ranges_of_thread(graph_, i);
    for (const BlockRange& range : thread.ranges)
      thread.counts.running += range.end_node - range.first_node;
  }
  if (!shared_) return;
  wire_cut_.emplace(run_.share, graph_, net_.wires());
  if (net_.barriers() != nullptr || net_.combines() != nullptr) {
    tree_cut_ = TreeCut(run_.share, graph_);
  }
}

template <class Net, Endpoint E>
bool FlitLoop<Net, E>::sees_every_cycle() const {
  return run_.probes.any() || run_.probes.regions() != nullptr || run_.watch != nullptr ||
         !faults_.empty() || recovery_.on();
}

template <class Net, Endpoint E>
LoopTotals FlitLoop<Net, E>::totals() {
  if (net_.links() != nullptr && cycle() % kLostEvery == 0 && net_.links()->counts().lost != 0) {
    threads_.front().counts.missing = true;
  }
  LoopTotals totals;
  std::uint64_t stepped = 0, missing = 0;
  for (const Thread& t : threads_) {
    const Counters& counters = t.counts.counters;
    totals.moved += counters.flit_hops + counters.combined;
    totals.progress += counters.flits + counters.combined;
    totals.running += t.counts.running;
    missing += t.counts.missing;
    totals.errors += t.error != nullptr;
    stepped += t.counts.stepped;
  }
  // Errors on wires can make packets that no node takes, which circle for ever: so with faults only
  // flits into the fabric and out of it are progress.
  totals.progress = faults_.empty() ? totals.moved : totals.progress + delivered();
  totals.active = std::exchange(stepped_, stepped) != stepped || sees_every_cycle();
  // Where packets are acknowledged, lost ones are sent again.
  totals.missing = recovery_.on() ? 0 : missing;
  totals.interrupts = interrupted();
  return totals;
}

template <class Net, Endpoint E>
std::uint64_t FlitLoop<Net, E>::next_event(std::uint64_t limit) {
  const auto* const barriers = net_.barriers();
  const auto* const combines = net_.combines();
  for (const Thread& t : threads_) {
    for (const BlockRange& range : t.ranges) {
      if (barriers != nullptr && !barriers->quiet(range.first_node, range.end_node)) return cycle();
      if (combines != nullptr && !combines->quiet(range.first_node, range.end_node)) return cycle();
    }
  }
  return nodes_.next_event(cycle(), limit);
}

template <class Net, Endpoint E>
void FlitLoop<Net, E>::write(std::vector<Parcel>& to) {
  wire_cut_->write(to, false);
  tree_cut_.write(to, net_.barriers(), net_.combines());
}

template <class Net, Endpoint E>
void FlitLoop<Net, E>::read(std::vector<Parcel>& from) {
  wire_cut_->read(from, false);
  for (unsigned process = 0; process < from.size(); ++process) {
    tree_cut_.read(process, from[process], net_.barriers(), net_.combines());
  }
}

// Exchanges the words between processes again: faults have changed what reaches the receivers.
template <class Net, Endpoint E>
void FlitLoop<Net, E>::share_after_faults() {
  wire_cut_->write(shared_->to(), true);
  std::vector<Parcel>& from = shared_->exchange();
  wire_cut_->read(from, true);
}

template <class Net, Endpoint E>
StepError FlitLoop<Net, E>::first_error() const {
  StepError first;
  for (const Thread& t : threads_) {
    if (t.error && (!first.error || t.order < first.order)) first = {t.error, t.order};
  }
  return first;
}

}  // namespace weft
