// Next group (Kim, Dally, Scott and Abts 2008, worst case of a dragonfly): all nodes of a group
// send to the next one, so that minimal routes share the one link between the two.
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  const std::uint32_t nodes = graph.nodes, size = nodes / graph.dims.back();
  return [nodes, size](std::uint32_t src, RandomStream& random) {
    const std::uint32_t next = (src / size + 1) * size % nodes;
    return next + static_cast<std::uint32_t>(random.below(size));
  };
}

}  // namespace

extern const TrafficPattern traffic_next_group = {
    .name = "next_group",
    .description =
        "any node of the next group; groups are the nodes with one digit of the last dimension",
    .build = build,
};

}  // namespace weft
