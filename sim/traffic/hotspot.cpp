// Uniform traffic with a hot spot (seed 001, section 5 (3)).
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

/// Of all packets, those to the hot spot.
constexpr unsigned kPercent = 5;

DrawDestination build(const Config&, const Graph& graph) {
  std::uint32_t hot = 0, unit = 1;
  for (const std::uint32_t size : graph.dims) {
    hot += size / 2 * unit;
    unit *= size;
  }
  return [hot, nodes = graph.nodes](std::uint32_t src, RandomStream& random) {
    return random.below(100) < kPercent ? hot : draw_other(src, nodes, random);
  };
}

const RegisterTraffic registered{{
    .name = "hotspot",
    .description = "5 % of the packets go to the node in the middle, the others as in uniform",
    .parameters = "",
    .build = build,
}};

}  // namespace
}  // namespace weft
