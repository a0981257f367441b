// Tornado (Dally and Towles, table 3.2): almost half way round in every dimension.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  return digit_permutation(
      graph, [](std::uint32_t x, std::uint32_t size) { return (x + (size + 1) / 2 - 1) % size; });
}

}  // namespace

extern const TrafficPattern traffic_tornado = {
    .name = "tornado",
    .description = "ceil(k / 2) - 1 nodes further in every dimension of k nodes, round the end",
    .build = build,
};

}  // namespace weft
