// Uniform traffic: every other node with equal chance.
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

DrawDestination build(const Config&, const Graph& graph) {
  const std::uint32_t others = graph.nodes - 1;
  return [others](std::uint32_t src, RandomStream& random) {
    const auto drawn = static_cast<std::uint32_t>(random.below(others));
    return drawn + (drawn >= src ? 1 : 0);
  };
}

const RegisterTraffic registered{{
    .name = "uniform",
    .description = "each packet goes to any other node with equal chance",
    .parameters = "",
    .build = build,
}};

}  // namespace
}  // namespace weft
