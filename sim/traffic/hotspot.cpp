// Uniform traffic with a hot spot (seed 001, section 5 (3)).
#include <fmt/format.h>

#include <limits>

#include "sim/config/key_row.hpp"
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMiddle = std::numeric_limits<std::uint32_t>::max();

struct Parameters {
  double share = 0.05;
  std::uint32_t node = kMiddle;
};
constexpr Word kWords[] = {{"middle", kMiddle}};
constexpr Key kKeys[] = {
    key<&Parameters::share>(
        {.name = "share", .help = "share of the packets that are sent to the one node"}),
    key<&Parameters::node>({.name = "node",
                            .most = low_mask(kMaxAddrW),
                            .words = kWords,
                            .help = "rank of the one node, or the node in the middle"}),
};

DrawDestination build(const Config& config, const Graph& graph) {
  const auto [share, node] = config.workload.parameters.as<Parameters>();
  std::uint32_t hot = 0, unit = 1;
  for (const std::uint32_t size : graph.dims) {
    hot += size / 2 * unit;
    unit *= size;
  }
  if (node != kMiddle) hot = node;
  if (hot >= graph.nodes) {
    config.source.refuse(
        "/workload/node", node,
        fmt::format("\"middle\", or a rank{} from 0 to {}", of_region(config), graph.nodes - 1));
  }
  return [hot, share = share, nodes = graph.nodes](std::uint32_t src, RandomStream& random) {
    return random.chance(share) ? hot : draw_other(src, nodes, random);
  };
}

}  // namespace

extern const TrafficPattern traffic_hotspot = {
    .name = "hotspot",
    .description =
        "a share of the packets goes to one node (its rank, or the one in the middle), "
        "the others go as in uniform",
    .keys = table_of<Parameters>(kKeys),
    .build = build,
};

}  // namespace weft
