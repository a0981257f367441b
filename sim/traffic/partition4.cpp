// Four partitions of the nodes, each with its own uniform traffic (seed 001, section 5 (2)).
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  if (graph.nodes % 4 != 0 || graph.nodes < 8) refuse_nodes(config, graph, "8, 12, 16, ...");
  const std::uint32_t quarter = graph.nodes / 4;
  return [quarter](std::uint32_t src, RandomStream& random) {
    const std::uint32_t offset = src % quarter;
    return src - offset + draw_other(offset, quarter, random);
  };
}

}  // namespace

extern const TrafficPattern traffic_partition4 = {
    .name = "partition4",
    .description =
        "each packet goes to any other node of the same quarter of the ranks with equal chance",
    .build = build,
};

}  // namespace weft
