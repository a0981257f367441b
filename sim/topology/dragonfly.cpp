// Dragonfly (Kim, Dally, Scott and Abts 2008): groups of routers that are all linked to each other,
// and one link between any two groups.
#include <fmt/format.h>

#include "sim/config/key_row.hpp"
#include "sim/router/route/route_table.hpp"
#include "sim/topology/addresses.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

struct DragonflyShape {
  std::uint32_t p = 0, a = 0, h = 0;

  std::uint32_t groups() const { return a * h + 1; }
};
constexpr Key kKeys[] = {
    key<&DragonflyShape::p>({.name = "p",
                             .least = 1,
                             .most = kMostPorts,
                             .required = true,
                             .unit = "nodes",
                             .help = "nodes at each router"}),
    key<&DragonflyShape::a>({.name = "a",
                             .least = 1,
                             .most = kMostPorts,
                             .required = true,
                             .unit = "routers",
                             .help = "routers of a group; there are a x h + 1 groups"}),
    key<&DragonflyShape::h>({.name = "h",
                             .least = 1,
                             .most = kMostPorts,
                             .required = true,
                             .unit = "links",
                             .help = "links of each router to other groups"}),
};
constexpr std::uint32_t kLocal = 0, kGlobal = 1;  // Classes of links.

// Index, among a group's links, of the link to group `other`; the group's own number is left out.
std::uint32_t link_to(std::uint32_t group, std::uint32_t other) {
  return other < group ? other : other - 1;
}

// Routes to the router that has the link to the destination's group, over that link, and on: the
// VCs after the link between groups differ from those before it.
TableRouting routes(const Config& /*config*/, const TableNetwork& network, unsigned /*vcs*/) {
  const std::uint32_t a = network.dims[1], groups = network.dims[2], h = (groups - 1) / a;
  return {
      .entry =
          [a, h, at = network.router_of](std::uint32_t router, std::uint32_t after,
                                         std::uint32_t dst) {
            const std::uint32_t here = router % a, there = at[dst] % a;
            const std::uint32_t group = router / a, other = at[dst] / a;
            const auto port_to = [&](std::uint32_t next) {
              return static_cast<std::uint8_t>(link_to(here, next));
            };
            if (group == other) {
              return RouteTables::Entry{port_to(there), after != 0 ? VcSet::kHigh : VcSet::kLow};
            }
            const std::uint32_t link = link_to(group, other);
            if (link / h != here) return RouteTables::Entry{port_to(link / h), VcSet::kLow};
            return RouteTables::Entry{static_cast<std::uint8_t>(a - 1 + link % h), VcSet::kLow};
          },
      // The state tells whether the packet came from another group.
      .state = [a, h](std::uint32_t /*router*/,
                      std::uint32_t from) { return from >= a - 1 && from < a - 1 + h ? 1u : 0u; },
      .vcs = a == 1 ? 1u : 2u};
}

TableNetwork network_of(const Config& config) {
  const auto& shape = config.topology.parameters.as<DragonflyShape>();
  const std::uint32_t a = shape.a, h = shape.h, groups = shape.groups(), routers = a * groups;
  check_table_size(config, routers, std::uint64_t{routers} * shape.p);
  TableNetwork network;
  network.dims = {shape.p, a, groups};
  network.link_classes = {"local", "global"};
  network.own = routes;
  for (std::uint32_t r = 0; r < routers; ++r) {
    network.add_router(fmt::format("r_{}", r), a - 1 + h);
    network.router_of.insert(network.router_of.end(), shape.p, r);
  }
  // Ports: to the other routers of the group in their order, then the links to other groups.
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t first = group * a;
    for (std::uint32_t i = 0; i < a; ++i) {
      for (std::uint32_t k = 0; k < i; ++k) network.join(first + i, k, first + k, i - 1, kLocal);
    }
    for (std::uint32_t other = 0; other < group; ++other) {
      const std::uint32_t here = link_to(group, other), there = link_to(other, group);
      network.join(first + here / h, a - 1 + here % h, other * a + there / h, a - 1 + there % h,
                   kGlobal);
    }
  }
  return network;
}

}  // namespace

extern const Topology topology_dragonfly = {
    .kind = "dragonfly",
    .facts = kRouters | kTables,
    .description =
        "a x h + 1 groups of a routers, all linked within a group, one link between any two "
        "groups; shortest ways",
    .keys = table_of<DragonflyShape>(kKeys),
    .parameters = R"({"p": 2, "a": 4, "h": 2})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
