// Exchange between the parts of a network on engine `model`, in threads and in processes, and their
// sums; part of sim/engine/span_loop.hpp.
#pragma once

#include "sim/engine/span_loop.hpp"

namespace weft {

template <class Net>
StepError SpanLoop<Net>::first_error() const {
  StepError first;
  for (const auto& part : parts_) {
    if (part->error && (!first.error || part->order() < first.order)) {
      first = {part->error, part->order()};
    }
  }
  return first;
}

template <class Net>
TrafficCounts SpanLoop<Net>::own_counts(std::uint32_t region) const {
  TrafficCounts sum;
  for (const auto& part : parts_) {
    if (region < part->sums.size()) sum += part->sums.counts(region);
  }
  return sum;
}

template <class Net>
LoopTotals SpanLoop<Net>::totals() {
  LoopTotals totals;
  for (const auto& part : parts_) {
    totals.running += part->nodes->running();
    totals.progress += part->counters.combined;
    totals.moving += part->network.moves_until() >= cycle();
    totals.missing += part->nodes->dropped();
    totals.errors += part->error != nullptr;
  }
  // A watched processor stores in its own cycle: none may be skipped.
  totals.active = totals.moving + (run_.watch != nullptr);
  totals.interrupts = interrupted();
  return totals;
}

template <class Net>
std::uint64_t SpanLoop<Net>::next_event(std::uint64_t limit) {
  if (cycle() == begin() || (!alone() && !mail_.quiet(now() - 1))) return cycle();
  auto next = static_cast<Cycle>(std::min<std::uint64_t>(limit, kNever));
  for (const auto& part : parts_) {
    next = part->nodes->next(part->network.next(next));
    if (next <= now()) return cycle();
  }
  for (unsigned part = division_.first_own; trees() && part < division_.end_own; ++part) {
    for (const auto& [first, end] : division_.nodes[part].ranges()) {
      if (barriers_ && !barriers_->quiet(first, end)) return cycle();
      if (combines_ && !combines_->quiet(first, end)) return cycle();
    }
  }
  return next;
}

template <class Net>
void SpanLoop<Net>::skip_to(std::uint64_t next) {
  const auto cycle = static_cast<Cycle>(next);
  for (const auto& part : parts_) {
    part->powers.skip(now(), cycle);
    part->nodes->skip_to(cycle);
    part->network.skip_to(cycle);
  }
  if (!alone()) mail_.clear();
}

template <class Net>
void SpanLoop<Net>::write(std::vector<Parcel>& to) {
  if (cycle() != 0) write_mail(to, now() - 1);
}

template <class Net>
void SpanLoop<Net>::read(std::vector<Parcel>& from) {
  if (cycle() != 0) read_mail(from, now() - 1);
}

// Writes what the own parts tell those of other processes in a cycle.
template <class Net>
void SpanLoop<Net>::write_mail(std::vector<Parcel>& to, Cycle of) {
  for (unsigned from = division_.first_own; from < division_.end_own; ++from) {
    const Mail* const outbox = mail_.of(from, of);
    for (unsigned part = 0; part < mail_.parts(); ++part) {
      if (division_.owns(part) || outbox[part].empty()) continue;
      Parcel& parcel = to[run_.share.process_of(part)];
      parcel.put(from);
      parcel.put(part);
      own(from).packets.write(outbox[part], part, parcel);
    }
  }
  if (!trees()) return;
  for (Parcel& parcel : to) parcel.put(kTrees);
  to[run_.share.processes().number()].clear();
  tree_cut_.write(to, barriers(), combines());
}

template <class Net>
void SpanLoop<Net>::read_mail(std::vector<Parcel>& parcels, Cycle of) {
  // Before its first cycle a resumed run has its mail from the checkpoint.
  for (unsigned from = 0; from < mail_.parts() && of + 1 != begin(); ++from) {
    if (division_.owns(from)) continue;
    for (unsigned part = division_.first_own; part < division_.end_own; ++part) {
      mail_.to(part, from, of).clear();
    }
  }
  for (unsigned process = 0; process < parcels.size(); ++process) {
    Parcel& parcel = parcels[process];
    while (!parcel.empty()) {
      const auto from = parcel.take<unsigned>();
      if (from == kTrees) {
        tree_cut_.read(process, parcel, barriers(), combines());
        continue;
      }
      const auto part = parcel.take<unsigned>();
      own(part).packets.read(parcel, mail_.to(part, from, of));
    }
  }
}

template <class Net>
bool SpanLoop<Net>::waits_for_endpoint() {
  std::uint64_t acts = 0;
  for (const auto& part : parts_) acts += part->nodes->acts_later(now());
  const auto [held, acting] = run_.share.sum(std::array{std::uint64_t{network_.held()}, acts});
  return held == 0 && acting != 0;
}

template <class Net>
void SpanLoop<Net>::take_mail(unsigned part, Cycle cycle) {
  PartState& t = own(part);
  Mail* const outbox = mail_.of(part, cycle);
  t.packets.write_to(outbox);
  t.network.write_to(outbox);
  for (unsigned other = 0; other < mail_.parts(); ++other) {
    outbox[other].clear();
    if (cycle == 0 || other == part) continue;
    const Mail& mail = mail_.to(part, other, cycle - 1);
    t.packets.take(mail);
    t.network.take(mail, cycle);
  }
}

template <class Net>
void SpanLoop<Net>::take_all_mail(Cycle cycle) {
  if (alone()) return;
  for (unsigned part = division_.first_own; part < division_.end_own; ++part)
    take_mail(part, cycle);
}

// Settles a packet that ends in an own part.
template <class Net>
void SpanLoop<Net>::settle(std::uint32_t number) {
  Packet& packet = parts_[0]->packets[number];
  PartState& part = own(division_.of(packet.header));
  // Only a process with the whole network keeps digests of regions.
  part.packets.settle(packet, division_.whole() ? part.nodes->region_of(packet) : 0);
}

// Settles all packets that are still in the network.
template <class Net>
void SpanLoop<Net>::settle() {
  if (shared_) return settle_apart();
  for (const auto& part : parts_) {
    for (std::uint32_t i = part->packets.first(); i < part->packets.end(); ++i) {
      if (part->packets[i].flits != 0) settle(i);
    }
  }
}

// Settles all packets that are still in the network, where a packet, its header and its destination
// may be in three processes.
template <class Net>
void SpanLoop<Net>::settle_apart() {
  const NetworkShare& share = run_.share;
  const auto process_to = [&](std::uint32_t packet) {
    return share.process_of(division_.of(parts_[0]->packets[packet].header));
  };
  std::vector<std::uint64_t> ends(division_.parts());
  std::vector<std::uint32_t> all;
  for (unsigned p = division_.first_own; p < division_.end_own; ++p) {
    const Packets& packets = own(p).packets;
    ends[p] = packets.end();
    for (std::uint32_t i = packets.first(); i < packets.end(); ++i) {
      if (packets[i].flits == 0) continue;
      const unsigned to = process_to(i);
      to == share.processes().number() ? all.push_back(i)
                                       : packets.write_made(i, shared_->to()[to]);
    }
  }
  Packets& packets = parts_[0]->packets;
  for (Parcel& parcel : shared_->exchange(ends)) {
    while (!parcel.empty()) all.push_back(packets.read_made(parcel));
  }
  for (unsigned p = 0; p < ends.size(); ++p) {
    for (std::uint32_t i = store_->first(p); i < ends[p]; ++i) {
      if (!packets.has_share(i)) continue;
      const unsigned to = process_to(i);
      if (to != share.processes().number()) packets.write_share(i, shared_->to()[to]);
    }
  }
  for (Parcel& parcel : shared_->exchange()) {
    while (!parcel.empty()) packets.read_share(parcel);
  }
  for (const std::uint32_t packet : all) settle(packet);
}

}  // namespace weft
