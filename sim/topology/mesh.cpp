// Mesh of any number of dimensions and any sizes (seed 004 2.1).
#include "sim/topology/router_networks.hpp"
#include "sim/topology/seed001_formulas.hpp"

namespace weft {
namespace {

Graph build(const Config& config) {
  return router_network(config, RouteKind::kMesh, false);
}

}  // namespace

extern const Topology topology_mesh = {
    .kind = "mesh",
    .facts = kRouters | kGrids,
    .description = "routers in a grid of any number of dimensions, dimension order (seed 004)",
    .keys = router_network_keys(),
    .parameters = R"({"dims": [5, 5]})",
    .build = build,
    .controllers = [](const Config& config) { return grid_controllers(config, 2); },
    .paper = [](const Config& config) { return seed001::mesh(checked_dims(config)); },
};

}  // namespace weft
