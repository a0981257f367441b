// Ring: each router is linked to the next one.
#include <fmt/format.h>

#include "sim/config/key_row.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

struct RingShape {
  std::uint32_t nodes = 0;
};
constexpr Key kKeys[] = {key<&RingShape::nodes>({.name = "nodes",
                                                 .least = 2,
                                                 .most = 4096,
                                                 .required = true,
                                                 .unit = "nodes",
                                                 .help = "routers of the ring, one node each"})};

TableNetwork network_of(const Config& config) {
  const std::uint32_t nodes = config.topology.parameters.as<RingShape>().nodes;
  TableNetwork network;
  network.dims = {nodes};
  network.own = shortest_routes;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    network.router_of.push_back(network.add_router(fmt::format("r_{}", i), 2));
  }
  // Port 0 leads to the next router, port 1 to the previous one; two routers are neighbours only
  // once.
  for (std::uint32_t i = 0; i < (nodes == 2 ? 1 : nodes); ++i) {
    network.join(i, 0, (i + 1) % nodes, 1);
  }
  return network;
}

}  // namespace

extern const Topology topology_ring = {
    .kind = "ring",
    .facts = kRouters | kTables,
    .description = "routers in a ring, each linked to the next one in both directions",
    .keys = table_of<RingShape>(kKeys),
    .parameters = R"({"nodes": 8})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
