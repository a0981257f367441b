// Uniform traffic with a hot spot (seed 001, section 5 (3)).
#include <fmt/format.h>

#include <limits>

#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config& config, const Graph& graph) {
  const nlohmann::json& node = config.workload.parameters.at("node");
  std::uint32_t hot = 0, unit = 1;
  for (const std::uint32_t size : graph.dims) {
    hot += size / 2 * unit;
    unit *= size;
  }
  if (node.is_number()) hot = node.get<std::uint32_t>();
  if (hot >= graph.nodes) {
    config.source.refuse("/workload/node", node,
                         fmt::format("\"middle\", or a rank from 0 to {}", graph.nodes - 1));
  }
  const auto share = config.workload.parameters.at("share").get<double>();
  return [hot, share, nodes = graph.nodes](std::uint32_t src, RandomStream& random) {
    return random.chance(share) ? hot : draw_other(src, nodes, random);
  };
}

void check_node(const JsonPlace& place) {
  if (place.value() == "middle") return;
  (void)place.number(0, std::numeric_limits<std::uint32_t>::max(),
                     "\"middle\", or a rank of the network");
}

}  // namespace

extern const TrafficPattern traffic_hotspot = {
    .name = "hotspot",
    .description =
        "a share of the packets goes to one node (its rank, or the one in the middle), "
        "the others go as in uniform",
    .keys = {.keys = {{"share", 0.05, [](const JsonPlace& place) { (void)place.fraction(0, 1); }},
                      {"node", "middle", check_node}}},
    .build = build,
};

}  // namespace weft
