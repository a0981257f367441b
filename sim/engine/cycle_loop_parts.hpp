// How a fabric is divided between threads and processes, and what these tell each other; part of
// sim/engine/cycle_loop.hpp.
#pragma once

#include "sim/engine/cycle_loop.hpp"

namespace weft {

// Gives each thread its blocks.
template <class Net, Endpoint E>
void CycleLoop<Net, E>::divide() {
  threads_.resize(run_.threads);
  for (unsigned i = 0; i < run_.threads; ++i) {
    Thread& thread = threads_[i];
    if (run_.part != nullptr) {
      thread.parts = run_.part->parts_of_thread(graph_, i);
    } else {
      thread.parts = {cut(graph_, run_.threads)[i]};
    }
    for (const Part& part : thread.parts) thread.counts.running += part.end_node - part.first_node;
  }
  if (run_.part == nullptr) return;
  shared_.emplace(run_.part->ranks(),
                  run_.traffic != nullptr ? run_.traffic->partition().regions() : 0);
  wire_cut_.emplace(*run_.part, graph_, net_.wires());
  if (net_.barriers() != nullptr || net_.combines() != nullptr) {
    tree_cut_ = TreeCut(*run_.part, graph_);
  }
}

template <class Net, Endpoint E>
auto CycleLoop<Net, E>::totals(std::uint64_t cycle) const -> Totals {
  Totals totals;
  for (const Thread& t : threads_) {
    const Counters& counters = t.counts.counters;
    totals.moved += counters.flit_hops + counters.combined;
    totals.progress += counters.flits + counters.combined;
    totals.running += t.counts.running;
    totals.dropped += t.counts.dropped;
    totals.errors += t.error != nullptr;
    totals.stepped += t.counts.stepped;
  }
  // Errors on wires can make packets that no node takes, which circle for ever: there only flits
  // into the fabric and out of it are progress.
  totals.progress = faults_.empty() ? totals.moved : totals.progress + delivered();
  if (net_.links() != nullptr && cycle % kLostEvery == 0) totals.lost = net_.links()->counts().lost;
  totals.interrupts = interrupted();
  return totals;
}

// After a cycle in which no block was stepped: the first cycle from `cycle` on in which something
// may happen in this process, or `limit` if that is earlier.
template <class Net, Endpoint E>
std::uint64_t CycleLoop<Net, E>::next_event(std::uint64_t cycle, std::uint64_t limit) const {
  const auto* const barriers = net_.barriers();
  const auto* const combines = net_.combines();
  for (const Thread& t : threads_) {
    for (const Part& part : t.parts) {
      if (barriers != nullptr && !barriers->quiet(part.first_node, part.end_node)) return cycle;
      if (combines != nullptr && !combines->quiet(part.first_node, part.end_node)) return cycle;
    }
  }
  return nodes_.next_event(cycle, limit);
}

// After a cycle in which no block was stepped: makes `cycle` the first one from it on in which
// something may happen, up to `limit`. Returns whether that is a later one.
template <class Net, Endpoint E>
bool CycleLoop<Net, E>::skips(std::uint64_t& cycle, const Totals& now, std::uint64_t limit) {
  // These see every cycle.
  if (run_.probes.any() || run_.probes.regions() != nullptr || run_.watch != nullptr ||
      !faults_.empty() || recovery_.on()) {
    return false;
  }
  const std::uint64_t next =
      shared_ ? std::min(limit, cycle + now.quiet.cycles()) : next_event(cycle, limit);
  if (next <= cycle) return false;
  nodes_.skip(cycle, next);
  cycle = next;
  return true;
}

// What the processes tell each other between two cycles.
template <class Net, Endpoint E>
void CycleLoop<Net, E>::share(Totals& totals) {
  wire_cut_->write(shared_->to(), false);
  tree_cut_.write(shared_->to(), net_.barriers(), net_.combines());
  std::vector<Parcel>& from =
      shared_->exchange(totals, [this](std::uint32_t region) { return own_counts(region); });
  wire_cut_->read(from, false);
  for (unsigned rank = 0; rank < from.size(); ++rank) {
    tree_cut_.read(rank, from[rank], net_.barriers(), net_.combines());
  }
}

// Faults have changed what reaches the receivers.
template <class Net, Endpoint E>
void CycleLoop<Net, E>::share_after_faults() {
  wire_cut_->write(shared_->to(), true);
  std::vector<Parcel>& from = shared_->exchange();
  wire_cut_->read(from, true);
}

// The sums over all processes of numbers that each has; a step of all.
template <class Net, Endpoint E>
template <std::size_t N>
std::array<std::uint64_t, N> CycleLoop<Net, E>::sum(std::array<std::uint64_t, N> own) const {
  if (run_.part == nullptr) return own;
  run_.part->ranks().add_up(own);
  return own;
}

template <class Net, Endpoint E>
void CycleLoop<Net, E>::throw_error() const {
  const Thread* first = nullptr;
  for (const Thread& t : threads_) {
    if (t.error && (first == nullptr || t.order < first->order)) first = &t;
  }
  if (run_.part == nullptr) std::rethrow_exception(first->error);
  throw_first(run_.part->ranks(),
              first == nullptr ? RankError{} : RankError{first->error, first->order});
}

}  // namespace weft
