// Bit complement (Dally and Towles, table 3.1): all bits of the rank inverted.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  return permutation(graph, [&](std::uint32_t src) { return graph.nodes - 1 - src; });
}

}  // namespace

extern const TrafficPattern traffic_bit_complement = {
    .name = "bit_complement",
    .description = "node s to N - 1 - s: all bits of the rank inverted",
    .build = build,
};

}  // namespace weft
