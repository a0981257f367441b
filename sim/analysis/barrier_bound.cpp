// The bound of a barrier: news of each entry must reach every other node.
#include <algorithm>

#include "sim/analysis/collective_bound.hpp"
#include "sim/analysis/latency.hpp"

namespace weft {

// Cycles from entry to release at the root of the tree of barrier units (rtl/barrier).
static constexpr std::uint64_t kUnitCycles = 2;

Bound barrier_bound(const Graph& graph, const std::vector<std::uint64_t>& entries,
                    const std::vector<unsigned>& unit_depths) {
  Bound bound;
  if (graph.nodes < 2) return bound;
  const std::uint64_t block = block_cycles(graph);
  const auto last = static_cast<std::uint32_t>(std::max_element(entries.begin(), entries.end()) -
                                               entries.begin());
  const bool all = graph.nodes <= kMostSources;
  for (std::uint32_t m = all ? 0 : last; m < (all ? graph.nodes : last + 1); ++m) {
    const std::vector<std::uint64_t> least = least_ways(graph, m, false).cycles;
    std::vector<std::uint64_t> wires;
    if (!unit_depths.empty()) wires = wire_cycles(graph, m);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      if (n == m) continue;
      std::uint64_t way = kSendCycles + least[n] + kCountCycles;
      if (!unit_depths.empty()) {
        // The release may come by the tree, or by a message from a node above.
        const std::uint64_t message = kSendCycles + block + kCountCycles;
        const std::uint64_t tree =
            unit_depths[m] + std::min<std::uint64_t>(unit_depths[n], message);
        way = std::min(way, kUnitCycles + std::max(wires[n], tree));
      }
      if (entries[m] + way > bound.cycles) bound = {entries[m] + way, "latency"};
    }
  }
  return bound;
}

}  // namespace weft
