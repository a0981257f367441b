// Networks of stages.
#include "sim/topology/staged_networks.hpp"

#include "sim/config/key_row.hpp"

namespace weft {
namespace {

struct Parameters {
  std::uint32_t levels = 0;
};
constexpr Key kKeys[] = {key<&Parameters::levels>({.name = "levels",
                                                   .least = 1,
                                                   .most = kMaxAddrW - 1,
                                                   .required = true,
                                                   .help = "levels of switches; 2^levels nodes"})};

}  // namespace

KeyTable staged_keys() {
  return table_of<Parameters>(kKeys);
}

std::uint32_t read_levels(const Config& config) {
  return config.topology.parameters.as<Parameters>().levels;
}

Graph staged_nodes(const Config& config, std::uint32_t levels) {
  Graph graph = router_nodes(config, {1u << levels});
  graph.staged = true;
  return graph;
}

void add_stage_classes(Graph& graph) {
  // The exclusive or of all addresses with the same bits maps a switch to one of its stage. It may
  // exchange ports in pairs, as it changes the bits of destinations that select between them.
  auto& classes = graph.translations.block_class;
  classes.assign(graph.nodes, 0);
  const std::uint32_t width = graph.nodes / 2, all = graph.dim_bits[0] * width;
  for (std::uint32_t block = graph.nodes; block < graph.blocks.size(); ++block) {
    classes.push_back(1 + (block - graph.nodes) % all / width);
  }
  graph.translations.words = "translation symmetry of addresses (xor): node 0";
}

RouterTileConfig stage_switch(const Config& config, const Graph& graph, RouteKind kind, bool edge) {
  RouteConfig route;
  route.num_local = edge ? 2 : 0;
  route.max_coords = {graph.nodes - 1};
  return router_shape(config, graph, kind, std::move(route));
}

}  // namespace weft
