// What a cycle loop keeps between two cycles, for checkpoints: a function of CycleLoop, of
// sim/engine/cycle_loop.hpp, which includes this file.
#pragma once

#include "sim/engine/cycle_loop.hpp"

namespace weft {

// Nothing of it depends on the number of threads: their counts are summed up, and the first thread
// gets the sums.
template <class Net, Endpoint E>
template <class Archive>
void CycleLoop<Net, E>::serialize(Archive& archive) {
  PartCounts all;
  for (const Thread& t : threads_) {
    all.counters += t.counts.counters;
    all.sums += t.counts.sums;
    all.dropped |= t.counts.dropped;
  }
  archive(all.counters, all.sums, all.dropped, discarded_, nodes_, faults_, run_.probes);
  recovery_.serialize(archive, [&](const Graph& ways) { rewire_(net_, ways, 0); });
  const auto blocks = [&] {
    if constexpr (requires { net_.serialize(archive); }) net_.serialize(archive);
    archive_endpoints(archive, run_.endpoints, run_.own_nodes());
  };
  if constexpr (!Archive::is_loading::value) {
    blocks();
  } else {
    // Blocks in RTL may not go on as the models whose state they are loaded from.
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
    threads_.front().counts = std::move(all);
    for (Thread& t : threads_) {
      t.counts.running = 0;
      for (const Part& part : t.parts) {
        for (std::uint32_t n = part.first_node; n < part.end_node; ++n) {
          t.counts.running += nodes_.done(n) ? 0 : 1;
        }
      }
    }
  }
}

}  // namespace weft
