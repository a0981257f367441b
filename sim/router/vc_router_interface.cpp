// Checks of a router's configuration, for every model of it (sim/router/vc_router_interface.hpp).
#include "sim/router/vc_router_interface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/router/route/route_unit.hpp"

namespace weft {
namespace {

void require(const char* name, unsigned value, unsigned low, unsigned high) {
  if (value >= low && value <= high) return;
  throw ConfigError(fmt::format("vc_router: {} is {}, expected: {} to {}", name, value, low, high));
}

}  // namespace

unsigned VcRouterInterface::PortConfig::own_w() const {
  return std::max(header.addr_w, RouteUnit::own_bits(route_kind, route));
}

const VcRouterInterface::Config& VcRouterInterface::checked(const Config& config) {
  require("num_ports", config.num_ports, 2, 64);
  require("num_local", config.num_local, 0, config.num_ports);
  require("num_vc", config.num_vc, 1, 65535);
  require("depth", config.depth, 1, 65535);
  require("local_depth", config.local_depth, 1, 65535);
  const unsigned links = RouteUnit::links(config.route_kind, config.route);
  if (config.num_ports != links + config.num_local) {
    throw ConfigError(
        fmt::format("vc_router: num_ports is {}, expected: {}, {} to neighbours and num_local",
                    config.num_ports, links + config.num_local, links));
  }
  if (config.route.num_local != config.num_local) {
    throw ConfigError(fmt::format("vc_router: num_local of the route unit is {}, expected: {}",
                                  config.route.num_local, config.num_local));
  }
  if (config.route.balanced && !RouteUnit::traits(config.route_kind).balances) {
    throw ConfigError("vc_router: balanced, expected: on a torus");
  }
  std::uint64_t nodes = 1;
  for (const std::uint32_t last : config.route.max_coords) nodes *= std::uint64_t{last} + 1;
  if (config.route.per_dest && nodes > config.num_vc) {
    throw ConfigError(
        fmt::format("vc_router: num_vc is {}, expected: {} or more, one for each "
                    "destination",
                    config.num_vc, nodes));
  }
  if (config.cut_through && config.store_forward) {
    throw ConfigError("vc_router: cut_through and store_forward, expected: one of them");
  }
  return config;
}

}  // namespace weft
