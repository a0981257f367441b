// Omega network: stages of 2 x 2 switches, a perfect shuffle before each (seed 001 table 1; Lawrie
// 1975).
#include <fmt/format.h>

#include "sim/topology/seed001_formulas.hpp"
#include "sim/topology/staged_networks.hpp"

namespace weft {
namespace {

Graph build(const Config& config) {
  const std::uint32_t levels = read_levels(config);
  Graph graph = staged_nodes(config, levels);
  const std::uint32_t width = graph.nodes / 2;
  const RouterTileConfig edge = stage_switch(config, graph, RouteKind::kOmega, true);
  const RouterTileConfig inner = stage_switch(config, graph, RouteKind::kOmega, false);
  const auto shuffled = [&](std::uint32_t i) { return 2 * (i % width) + i / width; };
  for (std::uint32_t plane = 0; plane < graph.nic_links; ++plane) {
    const auto first = static_cast<std::uint32_t>(graph.blocks.size());
    for (std::uint32_t stage = 0; stage < levels; ++stage) {
      const RouterTileConfig& shape = stage == 0 || stage + 1 == levels ? edge : inner;
      for (std::uint32_t i = 0; i < width; ++i) {
        graph.add_router(fmt::format("s_{}_{}_{}", plane, stage, i), stage, shape);
      }
    }
    const std::uint32_t last = first + (levels - 1) * width;
    for (std::uint32_t i = 0; i < graph.nodes; ++i) {
      const std::uint32_t to = shuffled(i);
      graph.connect(i, plane, first + to / 2, 2 + to % 2);
      graph.connect(last + i / 2, 2 + i % 2, i, plane);
      for (std::uint32_t stage = 0; stage + 1 < levels; ++stage) {
        const std::uint32_t here = first + stage * width;
        graph.connect(here + i / 2, i % 2, here + width + to / 2, to % 2);
      }
    }
  }
  add_stage_classes(graph);
  return graph;
}

}  // namespace

extern const Topology topology_omega = {
    .kind = "omega",
    .facts = kRouters | kNoDetours,
    .description =
        "omega network of 2^levels nodes, from one side to the other; one for each send "
        "controller (seed 001)",
    .keys = staged_keys(),
    .parameters = R"({"levels": 4})",
    .build = build,
    .vcs = [](const Config&) { return 1u; },
    .paper = [](const Config& config) { return seed001::omega(read_levels(config)); },
};

}  // namespace weft
