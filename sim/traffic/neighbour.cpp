// Neighbour (Dally and Towles, table 3.2): one step further in every dimension.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  return digit_permutation(
      graph, [](std::uint32_t x, std::uint32_t size) { return x + 1 < size ? x + 1 : 0; });
}

}  // namespace

extern const TrafficPattern traffic_neighbour = {
    .name = "neighbour",
    .description = "the next node in every dimension, round the end",
    .build = build,
};

}  // namespace weft
