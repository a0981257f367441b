// Networks of stages.
#include "sim/topology/staged_networks.hpp"

namespace weft {

std::uint32_t read_levels(const JsonPlace& topology) {
  topology.only_keys({"kind", "levels"});
  return static_cast<std::uint32_t>(
      topology.at("levels", "levels of switches").number(1, kWideAddrW - 1));
}

Graph staged_nodes(const Config& config, std::uint32_t levels) {
  return router_nodes(config, {1u << levels});
}

VcRouter::Config stage_switch(const Config& config, const Graph& graph, RouteKind kind, bool edge) {
  RouteConfig route;
  route.num_local = edge ? 2 : 0;
  route.lasts = {graph.nodes - 1};
  return router_shape(config, graph, kind, std::move(route));
}

}  // namespace weft
