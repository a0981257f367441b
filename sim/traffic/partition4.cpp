// Four partitions of the nodes, each with uniform traffic of its own (seed 001, section 5 (2)).
#include <string>

#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  if (graph.nodes % 4 != 0 || graph.nodes < 8) {
    config.source.refuse(
        "/workload/traffic", config.workload.traffic,
        "on networks of 8, 12, 16, ... nodes; this one has " + std::to_string(graph.nodes));
  }
  const std::uint32_t quarter = graph.nodes / 4;
  return [quarter](std::uint32_t src, RandomStream& random) {
    const auto drawn = static_cast<std::uint32_t>(random.below(quarter - 1));
    return src - src % quarter + drawn + (drawn >= src % quarter ? 1 : 0);
  };
}

const RegisterTraffic registered{{
    .name = "partition4",
    .description =
        "each packet goes to any other node of the same quarter of the ranks with equal chance",
    .parameters = "",
    .build = build,
}};

}  // namespace
}  // namespace weft
