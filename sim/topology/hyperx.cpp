// HyperX (Ahn et al. 2009): each router is linked to all others of its line in every dimension.
#include <fmt/format.h>

#include "sim/config/key_row.hpp"
#include "sim/topology/addresses.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

struct HyperxShape {
  std::vector<std::uint32_t> dims;
  std::uint32_t nodes_per_router = 1;
};
constexpr Key kKeys[] = {
    key<&HyperxShape::dims>({.name = "dims",
                             .least = 2,
                             .most = kMostPorts,
                             .min_items = 1,
                             .max_items = kMostDims - 1,
                             .required = true,
                             .unit = "routers",
                             .help = "sizes of the dimensions, fastest first"}),
    key<&HyperxShape::nodes_per_router>({.name = "nodes_per_router",
                                         .least = 1,
                                         .most = kMostPorts,
                                         .unit = "nodes",
                                         .help = "nodes at each router, which are the fastest "
                                                 "dimension of ranks if there are several"}),
};

TableNetwork network_of(const Config& config) {
  const auto& [dims, nodes] = config.topology.parameters.as<HyperxShape>();
  check_address_bits(dims, [&](const auto& expected) { config.refuse_topology(expected, "dims"); });
  TableNetwork network;
  network.own = dimension_order_routes;
  network.link_classes.clear();
  if (nodes > 1) network.dims.push_back(nodes);
  std::uint32_t routers = 1, ports = 0;
  for (const std::uint32_t size : dims) {
    network.dims.push_back(size);
    network.link_classes.push_back(fmt::format("dimension {}", network.link_classes.size()));
    routers *= size;
    ports += size - 1;
  }
  check_table_size(config, routers, std::uint64_t{routers} * nodes);
  for (std::uint32_t r = 0; r < routers; ++r) {
    network.add_router(fmt::format("r_{}", r), ports);
    network.router_of.insert(network.router_of.end(), nodes, r);
    auto& place = network.coordinates.emplace_back();
    // For each dimension a port for each other router of the line, in their order.
    std::uint32_t stride = 1, first = 0;
    for (std::uint32_t d = 0; d < dims.size(); ++d) {
      const std::uint32_t own = r / stride % dims[d];
      place.push_back(own);
      for (std::uint32_t other = 0; other < own; ++other) {
        network.join(r, first + other, r - (own - other) * stride, first + own - 1, d);
      }
      stride *= dims[d];
      first += dims[d] - 1;
    }
  }
  return network;
}

}  // namespace

extern const Topology topology_hyperx = {
    .kind = "hyperx",
    .facts = kRouters | kTables,
    .description =
        "routers linked to all others of their line in each dimension, with several nodes each; "
        "dimension order",
    .keys = table_of<HyperxShape>(kKeys),
    .parameters = R"({"dims": [4, 4], "nodes_per_router": 2})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
