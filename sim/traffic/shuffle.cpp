// Perfect shuffle (Dally and Towles, table 3.1): the bits of the rank rotated to the left.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  const unsigned bits = rank_bits(config, graph);
  return permutation(
      graph, [&](std::uint32_t src) { return (src << 1 | src >> (bits - 1)) & (graph.nodes - 1); });
}

}  // namespace

extern const TrafficPattern traffic_shuffle = {
    .name = "shuffle",
    .description =
        "the bits of the rank rotated left by one; the number of nodes is a power of two",
    .build = build,
};

}  // namespace weft
