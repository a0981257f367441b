// Checkpoint state of the loop of flits; part of sim/engine/flit_loop.hpp.
#pragma once

#include "sim/engine/flit_loop.hpp"
#include "sim/share/archived.hpp"

namespace weft {

template <class Net, Endpoint E>
LoopCounts FlitLoop<Net, E>::loop_counts() const {
  LoopCounts all;
  for (const Thread& t : threads_) {
    all.counters += t.counts.counters;
    all.sums += t.counts.sums;
    all.missing |= t.counts.missing;
  }
  all.faults = faults_.counts();
  if constexpr (requires { net_.links()->counted_before(); }) {
    if (net_.links() != nullptr) all.links = net_.links()->counted_before();
  }
  if (const auto* const regions = run_.probes.region_digests()) all.regions = *regions;
  return all;
}

// Restores the counts, in the first thread.
template <class Net, Endpoint E>
void FlitLoop<Net, E>::go_on(const LoopCounts& counts) {
  PartCounts& first = threads_.front().counts;
  first.counters = counts.counters;
  first.sums = counts.sums;
  first.missing = counts.missing;
  faults_.go_on(counts.faults);
  if constexpr (requires { net_.links()->counted_before(); }) {
    if (net_.links() != nullptr) net_.links()->counted_before() = counts.links;
  }
  if (auto* const regions = run_.probes.region_digests()) *regions = counts.regions;
  for (Thread& t : threads_) {
    t.counts.running = 0;
    for (const BlockRange& range : t.ranges) {
      for (std::uint32_t n = range.first_node; n < range.end_node; ++n) {
        t.counts.running += nodes_.done(n) ? 0 : 1;
      }
    }
  }
}

// The state does not depend on the number of threads or processes: their counts are added up, and
// the first thread continues with the sums; nodes, blocks and links are archived by whoever has
// them.
template <class Net, Endpoint E>
template <class Archive>
void FlitLoop<Net, E>::archive_state(Archive& archive) {
  LoopCounts counts = loop_counts();
  if (!Archive::is_loading::value) counts = collect_sum(run_.share.processes(), std::move(counts));
  archive_items(
      archive, 1, [&](std::uint32_t) { return run_.share.leads(); },
      [&](std::uint32_t) { archive(counts); });
  archive(moved_, discarded_);
  faults_.serialize(archive);
  recovery_.serialize(archive, [&](const Graph& ways) { rewire_(net_, ways, 0); });
  const OwnsBlock owns = run_.owns_block();
  const auto blocks = [&] {
    if constexpr (requires { net_.serialize(archive, owns); }) net_.serialize(archive, owns);
    archive_items(archive, graph_.nodes, owns, [&](std::uint32_t n) {
      nodes_.archive_node(archive, n);
      archive_endpoint(archive, run_.endpoints, n);
    });
  };
  if constexpr (!Archive::is_loading::value) {
    blocks();
  } else {
    // Blocks in RTL may not continue as the models whose state they are loaded from.
    auto& from = dynamic_cast<RunArchive&>(archive);
    try {
      blocks();
      nodes_.loaded(from);
    } catch (const Difference& difference) {
      throw DifferenceAt(from.cycle(), name_of(from.at()), difference);
    } catch (const CheckError& error) {
      throw CheckError(
          fmt::format("{}, cycle {}: {}", name_of(from.at()), from.cycle(), error.what()));
    }
    go_on(counts);
  }
}

}  // namespace weft
