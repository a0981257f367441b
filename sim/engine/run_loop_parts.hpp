// What the parts of a network tell each other on engine `model`, in threads and in processes, and
// what is known of all of them; part of sim/engine/run_loop.hpp.
#pragma once

#include "sim/engine/run_loop.hpp"

namespace weft {

template <Endpoint E, class Net>
void RunLoop<E, Net>::throw_error() const {
  const PartState* first = nullptr;
  for (const auto& part : parts_) {
    if (part->error && (first == nullptr || part->order() < first->order())) first = part.get();
  }
  if (run_.part == nullptr) std::rethrow_exception(first->error);
  throw_first(run_.part->ranks(),
              first == nullptr ? RankError{} : RankError{first->error, first->order()});
}

template <Endpoint E, class Net>
TrafficCounts RunLoop<E, Net>::counts(std::uint32_t region) const {
  return shared_ ? shared_->counts(region) : own_counts(region);
}

template <Endpoint E, class Net>
TrafficCounts RunLoop<E, Net>::own_counts(std::uint32_t region) const {
  TrafficCounts sum;
  for (const auto& part : parts_) {
    if (region < part->sums.size()) sum += part->sums.counts(region);
  }
  return sum;
}

template <Endpoint E, class Net>
auto RunLoop<E, Net>::totals() const -> Totals {
  Totals totals;
  for (const auto& part : parts_) {
    totals.running += part->nodes.running();
    totals.combined += part->counters.combined;
    totals.moves += part->network.moves_until() >= cycle_;
    totals.dropped += part->nodes.dropped();
    totals.errors += part->error != nullptr;
  }
  totals.interrupts = interrupted();
  return totals;
}

// The first cycle, from the present one on, in which something may happen in an own part, or
// `limit` if that is earlier. Called while no flit moves.
template <Endpoint E, class Net>
Cycle RunLoop<E, Net>::next_event(Cycle limit) {
  if (cycle_ == begin_ || (!alone() && !mail_.quiet(cycle_ - 1))) return cycle_;
  for (const auto& part : parts_) {
    limit = part->nodes.next(part->network.next(limit));
    if (limit <= cycle_) return cycle_;
  }
  for (unsigned part = division_.first_own; trees() && part < division_.end_own; ++part) {
    for (const auto& [first, end] : division_.nodes[part].ranges()) {
      if (barriers_ && !barriers_->quiet(first, end)) return cycle_;
      if (combines_ && !combines_->quiet(first, end)) return cycle_;
    }
  }
  return limit;
}

// In place of the cycles before `cycle`, in which nothing happens.
template <Endpoint E, class Net>
void RunLoop<E, Net>::skip_to(Cycle cycle) {
  for (const auto& part : parts_) {
    part->powers.skip(cycle_, cycle);
    part->nodes.skip_to(cycle);
    part->network.skip_to(cycle);
  }
  if (!alone()) mail_.clear();
  cycle_ = cycle;
}

// The one thing that processes tell each other in a cycle: the mail of the cycle before, and the
// sums.
template <Endpoint E, class Net>
void RunLoop<E, Net>::share(Totals& totals) {
  totals.quiet = QuietCycles::before(totals.moves != 0 ? 0 : next_event(kNever) - cycle_);
  if (cycle_ != 0) write_mail(shared_->to());
  std::vector<Parcel>& from =
      shared_->exchange(totals, [this](std::uint32_t region) { return own_counts(region); });
  if (cycle_ != 0) read_mail(from);
}

// What the own parts tell those of other processes in the cycle before.
template <Endpoint E, class Net>
void RunLoop<E, Net>::write_mail(std::vector<Parcel>& to) {
  for (unsigned from = division_.first_own; from < division_.end_own; ++from) {
    const Mail* const outbox = mail_.of(from, cycle_ - 1);
    for (unsigned part = 0; part < mail_.parts(); ++part) {
      if (division_.owns(part) || outbox[part].empty()) continue;
      Parcel& parcel = to[run_.part->rank_of(part)];
      parcel.put(from);
      parcel.put(part);
      own(from).packets.write(outbox[part], part, parcel);
    }
  }
  if (!trees()) return;
  for (Parcel& parcel : to) parcel.put(kTrees);
  to[run_.part->ranks().number()].clear();
  tree_cut_.write(to, barriers_ ? &*barriers_ : nullptr, combines_ ? &*combines_ : nullptr);
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::read_mail(std::vector<Parcel>& parcels) {
  // Before its first cycle a resumed run has what it loaded.
  for (unsigned from = 0; from < mail_.parts() && cycle_ != begin_; ++from) {
    if (division_.owns(from)) continue;
    for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
      mail_.to(part, from, cycle_ - 1).clear();
    }
  }
  for (unsigned rank = 0; rank < parcels.size(); ++rank) {
    Parcel& parcel = parcels[rank];
    while (!parcel.empty()) {
      const auto from = parcel.take<unsigned>();
      if (from == kTrees) {
        tree_cut_.read(rank, parcel, barriers_ ? &*barriers_ : nullptr,
                       combines_ ? &*combines_ : nullptr);
        continue;
      }
      const auto part = parcel.take<unsigned>();
      own(part).packets.read(parcel, mail_.to(part, from, cycle_ - 1));
    }
  }
}

// Nothing has moved for too long.
template <Endpoint E, class Net>
bool RunLoop<E, Net>::stalled(bool acted) {
  std::array<std::uint64_t, 2> sums = {network_.held(), 0};
  auto& [held, acting] = sums;
  for (const std::uint32_t n : division_.own) {
    acting = endpoints_[n].acts_later(cycle_);
    if (acting != 0) break;
  }
  if (run_.part != nullptr) run_.part->ranks().add_up(sums);
  // Which packets wait for which, the flit engine tells.
  const bool acts = held == 0 && acting != 0;
  if (!acts && !acted) throw NotByRuns("no progress");
  return acts;
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::take_mail(unsigned part) {
  PartState& t = own(part);
  Mail* const outbox = mail_.of(part, cycle_);
  t.packets.write_to(outbox);
  t.network.write_to(outbox);
  for (unsigned other = 0; other < mail_.parts(); ++other) {
    outbox[other].clear();
    if (cycle_ == 0 || other == part) continue;
    const Mail& mail = mail_.to(part, other, cycle_ - 1);
    t.packets.take(mail);
    t.network.take(mail, cycle_);
  }
}

template <Endpoint E, class Net>
void RunLoop<E, Net>::take_all_mail() {
  if (alone()) return;
  for (unsigned part = division_.first_own; part < division_.end_own; ++part) take_mail(part);
}

// Of a packet that ends in an own part.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle(std::uint32_t number) {
  Packet& packet = parts_[0]->packets[number];
  PartState& part = own(division_.of(packet.header));
  // Only a process with the whole network keeps digests of regions.
  part.packets.settle(packet, division_.whole() ? part.nodes.region_of(packet) : 0);
}

// All packets that are still in the network.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle() {
  if (run_.part != nullptr) return settle_apart();
  for (const auto& part : parts_) {
    for (std::uint32_t i = part->packets.first(); i < part->packets.end(); ++i) {
      if (part->packets[i].flits != 0) settle(i);
    }
  }
}

// Likewise, where they, their headers and their destinations may be in three processes.
template <Endpoint E, class Net>
void RunLoop<E, Net>::settle_apart() {
  const RankPart& part = *run_.part;
  const auto rank_to = [&](std::uint32_t packet) {
    return part.rank_of(division_.of(parts_[0]->packets[packet].header));
  };
  std::vector<std::uint64_t> ends(division_.parts());
  std::vector<std::uint32_t> all;
  for (unsigned p = division_.first_own; p < division_.end_own; ++p) {
    const Packets& packets = own(p).packets;
    ends[p] = packets.end();
    for (std::uint32_t i = packets.first(); i < packets.end(); ++i) {
      if (packets[i].flits == 0) continue;
      const unsigned to = rank_to(i);
      to == part.ranks().number() ? all.push_back(i) : packets.write_made(i, shared_->to()[to]);
    }
  }
  Packets& packets = parts_[0]->packets;
  for (Parcel& parcel : shared_->exchange(ends)) {
    while (!parcel.empty()) all.push_back(packets.read_made(parcel));
  }
  for (unsigned p = 0; p < ends.size(); ++p) {
    for (std::uint32_t i = store_->first(p); i < ends[p]; ++i) {
      if (!packets.has_share(i)) continue;
      const unsigned to = rank_to(i);
      if (to != part.ranks().number()) packets.write_share(i, shared_->to()[to]);
    }
  }
  for (Parcel& parcel : shared_->exchange()) {
    while (!parcel.empty()) packets.read_share(parcel);
  }
  for (const std::uint32_t packet : all) settle(packet);
}

}  // namespace weft
