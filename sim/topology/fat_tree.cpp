// Binary fat tree: levels of 2^(levels - 1) switches with two links up and two down, so that a
// subtree has as many links up as it has nodes (seed 001 table 1).
#include <fmt/format.h>

#include "sim/topology/seed001_formulas.hpp"
#include "sim/topology/staged_networks.hpp"

namespace weft {
namespace {

Graph build(const Config& config) {
  const std::uint32_t levels = read_levels(config);
  Graph graph = staged_nodes(config, levels);
  const std::uint32_t width = graph.nodes / 2;
  const RouterTileConfig leaf = stage_switch(config, graph, RouteKind::kTree, true);
  const RouterTileConfig inner = stage_switch(config, graph, RouteKind::kTree, false);
  graph.link_classes.clear();
  for (std::uint32_t level = 1; level < levels; ++level) {
    graph.link_classes.push_back(fmt::format("levels {} and {}", level, level + 1));
  }
  for (std::uint32_t plane = 0; plane < graph.nic_links; ++plane) {
    const auto first = static_cast<std::uint32_t>(graph.blocks.size());
    for (std::uint32_t level = 1; level <= levels; ++level) {
      const RouterTileConfig& shape = level == 1 ? leaf : inner;
      for (std::uint32_t i = 0; i < width; ++i) {
        graph.add_router(fmt::format("s_{}_{}_{}", plane, level, i), level * width + i, shape);
      }
    }
    for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
      graph.connect(rank, plane, first + rank / 2, 2 + rank % 2);
      graph.connect(first + rank / 2, 2 + rank % 2, rank, plane);
    }
    // Up by port u: to the switch whose bit of that level is u. Down by port 2 + c: to the switch
    // below whose bit is c.
    for (std::uint32_t level = 1; level < levels; ++level) {
      const std::uint32_t bit = 1u << (level - 1);
      for (std::uint32_t i = 0; i < width; ++i) {
        const std::uint32_t lower = first + (level - 1) * width + i, child = (i & bit) != 0;
        for (std::uint32_t u = 0; u < 2; ++u) {
          const std::uint32_t upper = first + level * width + ((i & ~bit) | (u != 0 ? bit : 0));
          graph.connect(lower, u, upper, 2 + child, level - 1);
          graph.connect(upper, 2 + child, lower, u, level - 1);
        }
      }
    }
  }
  add_stage_classes(graph);
  return graph;
}

}  // namespace

extern const Topology topology_fat_tree = {
    .kind = "fat_tree",
    .facts = kRouters,
    .description =
        "binary fat tree of 2^levels nodes, up and down; a tree for each send controller "
        "(seed 001)",
    .keys = staged_keys(),
    .parameters = R"({"levels": 4})",
    .build = build,
    .vcs = [](const Config&) { return 1u; },
    .paper = [](const Config& config) { return seed001::fat_tree(read_levels(config)); },
};

}  // namespace weft
