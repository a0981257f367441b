// Uniform traffic: every other node with equal chance.
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  return [nodes = graph.nodes](std::uint32_t src, RandomStream& random) {
    return draw_other(src, nodes, random);
  };
}

}  // namespace

extern const TrafficPattern traffic_uniform = {
    .name = "uniform",
    .description = "each packet goes to any other node with equal chance",
    .build = build,
};

}  // namespace weft
