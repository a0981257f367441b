// Transpose (Dally and Towles, table 3.1): the nodes as a square matrix, row and column exchanged.
#include "sim/traffic/permutation.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  std::uint32_t side = 1;
  while (side * side < graph.nodes) ++side;
  if (side * side != graph.nodes) refuse_nodes(config, graph, "4, 9, 16, ...");
  return permutation(graph, [&](std::uint32_t src) { return src % side * side + src / side; });
}

}  // namespace

extern const TrafficPattern traffic_transpose = {
    .name = "transpose",
    .description =
        "the nodes as a square matrix by rank, row and column exchanged; their number is a square",
    .build = build,
};

}  // namespace weft
