// Hypercube: each router is linked to those whose address differs in one bit.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/key_row.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

struct CubeShape {
  std::uint32_t dimensions = 0;
};
constexpr Key kKeys[] = {
    key<&CubeShape::dimensions>({.name = "dimensions",
                                 .least = 1,
                                 .most = 13,
                                 .required = true,
                                 .help = "bits of an address; 2^dimensions routers, one node "
                                         "each"})};

TableNetwork network_of(const Config& config) {
  const auto bits = config.topology.parameters.as<CubeShape>().dimensions;
  TableNetwork network;
  // Ranks have at most as many dimensions as a job holds; the last one takes the remaining bits.
  network.dims.assign(std::min(bits, kMostDims), 2);
  network.dims.back() <<= bits - network.dims.size();
  network.own = dimension_order_routes;
  network.link_classes.clear();
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    network.link_classes.push_back(fmt::format("dimension {}", bit));
  }
  for (std::uint32_t i = 0; i < 1u << bits; ++i) {
    network.router_of.push_back(network.add_router(fmt::format("r_{}", i), bits));
    auto& place = network.coordinates.emplace_back();
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      place.push_back(i >> bit & 1);
      const std::uint32_t other = i ^ 1u << bit;
      if (other < i) network.join(i, bit, other, bit, bit);
    }
  }
  return network;
}

}  // namespace

extern const Topology topology_hypercube = {
    .kind = "hypercube",
    .facts = kRouters | kTables,
    .description = "2^dimensions routers, each linked to those whose address differs in one bit",
    .keys = table_of<CubeShape>(kKeys),
    .parameters = R"({"dimensions": 4})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
