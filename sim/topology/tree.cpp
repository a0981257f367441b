// k-ary n-tree (Petrini and Vanneschi 1997): radix^levels nodes at switches of `levels` levels,
// with the same number of links between any two levels.
#include <fmt/format.h>

#include "sim/config/key_row.hpp"
#include "sim/router/route/route_table.hpp"
#include "sim/topology/addresses.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

struct TreeShape {
  std::uint32_t radix = 0, levels = 0;
};
constexpr Key kKeys[] = {
    key<&TreeShape::radix>({.name = "radix",
                            .least = 2,
                            .most = kMostPorts / 2,
                            .required = true,
                            .unit = "links",
                            .help = "of a switch, up and down each; radix^levels nodes"}),
    key<&TreeShape::levels>(
        {.name = "levels", .least = 2, .most = 12, .required = true, .help = "levels of switches"}),
};

// Powers of the radix up to that of a switch's number, which has one digit fewer than a node's.
std::vector<std::uint32_t> powers_of(const TreeShape& shape) {
  std::vector<std::uint32_t> powers = {1};
  for (std::uint32_t i = 0; i < shape.levels; ++i) powers.push_back(powers.back() * shape.radix);
  return powers;
}

// Up by the digit of the destination that selects a switch above, and down to it: packets to one
// node meet on their way up, those to other nodes do not (D-mod-k, Zahavi 2010).
TableRoutes routes_of(const TreeShape& shape) {
  return [shape](const Config&, const TableNetwork&, unsigned) -> TableRouting {
    return {.entry = [shape, powers = powers_of(shape)](
                         std::uint32_t router, std::uint32_t /*state*/, std::uint32_t dst) {
      const std::uint32_t k = shape.radix, width = powers[shape.levels - 1];
      const std::uint32_t level = router / width, own = router % width;
      // The switch is above the destination if all digits from the level on are those of its leaf.
      const bool above = own / powers[level] == dst / k / powers[level];
      const std::uint32_t digit = dst / powers[level] % k;
      const bool top = level + 1 == shape.levels;
      const std::uint32_t port = above && !top ? k + digit : digit;
      return RouteTables::Entry{static_cast<std::uint8_t>(port), VcSet::kAny};
    }};
  };
}

TableNetwork network_of(const Config& config) {
  const auto& shape = config.topology.parameters.as<TreeShape>();
  check_address_bits(std::vector<std::uint32_t>(shape.levels, shape.radix),
                     [&](const auto& expected) { config.refuse_topology(expected); });
  const std::vector<std::uint32_t> powers = powers_of(shape);
  const std::uint32_t k = shape.radix, width = powers[shape.levels - 1];
  const std::uint32_t nodes = powers[shape.levels];
  check_table_size(config, std::uint64_t{width} * shape.levels, nodes);
  TableNetwork network;
  network.dims = {nodes};
  network.link_classes.clear();
  network.own = routes_of(shape);
  for (std::uint32_t level = 0; level < shape.levels; ++level) {
    const bool inner = level > 0 && level + 1 < shape.levels;
    for (std::uint32_t i = 0; i < width; ++i) {
      network.add_router(fmt::format("s_{}_{}", level + 1, i), inner ? 2 * k : k);
    }
  }
  for (std::uint32_t rank = 0; rank < nodes; ++rank) network.router_of.push_back(rank / k);
  // Up by port u: to the switch whose digit of that level is u. Down by the port, after those up,
  // with the digit of the switch below.
  for (std::uint32_t level = 0; level + 1 < shape.levels; ++level) {
    network.link_classes.push_back(fmt::format("levels {} and {}", level + 1, level + 2));
    const std::uint32_t down = level + 2 < shape.levels ? k : 0;
    for (std::uint32_t i = 0; i < width; ++i) {
      const std::uint32_t digit = i / powers[level] % k;
      for (std::uint32_t u = 0; u < k; ++u) {
        const std::uint32_t upper = i - digit * powers[level] + u * powers[level];
        network.join(level * width + i, u, (level + 1) * width + upper, down + digit, level);
      }
    }
  }
  return network;
}

}  // namespace

extern const Topology topology_tree = {
    .kind = "tree",
    .facts = kRouters | kTables,
    .description =
        "k-ary n-tree: radix^levels nodes below switches of as many links up as down; up by the "
        "destination's digits, down",
    .keys = table_of<TreeShape>(kKeys),
    .parameters = R"({"radix": 4, "levels": 2})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
