// Bit reversal (Dally and Towles, table 3.1): the bits of the rank in reverse order.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  const unsigned bits = rank_bits(config, graph);
  return permutation(graph, [&](std::uint32_t src) {
    std::uint32_t reversed = 0;
    for (unsigned i = 0; i < bits; ++i) reversed = reversed << 1 | (src >> i & 1);
    return reversed;
  });
}

}  // namespace

extern const TrafficPattern traffic_bit_reversal = {
    .name = "bit_reversal",
    .description = "the bits of the rank in reverse order; the number of nodes is a power of two",
    .build = build,
};

}  // namespace weft
