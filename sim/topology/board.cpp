// System boards of main units and aggregation units (seed 003): a 3-D torus over the mains of the
// boards, a ring over their aggregators, and links from each main of a board to each aggregator.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/key_row.hpp"
#include "sim/router/route/route_board.hpp"
#include "sim/topology/router_networks.hpp"

namespace weft {
namespace {

// Ports of a router, of at most 64, that its rings and eight send controllers leave.
constexpr std::uint32_t kMostMains = 64 - RouteBoard::kBoardRings - 8;
constexpr std::uint32_t kMostAggregators = 64 - RouteBoard::kMainRings - 8;

struct Boards {
  std::uint32_t mains = 8, aggregators = 4;  // As in seed 003.
  std::vector<std::uint32_t> dims;           // As read: W, X, Y, Z; then with the units of a board
                                             // as the first dimension.

  std::uint32_t units() const { return mains + aggregators; }
};

constexpr Key kKeys[] = {
    key<&Boards::dims>({.name = "dims",
                        .least = 1,
                        .most = kMaxSize,
                        .min_items = 4,
                        .max_items = 4,
                        .required = true,
                        .unit = "boards",
                        .help = "sizes W, X, Y, Z"}),
    key<&Boards::mains>({.name = "mains",
                         .least = 1,
                         .most = kMostMains,
                         .unit = "nodes",
                         .help = "main units of a board"}),
    key<&Boards::aggregators>({.name = "aggregators",
                               .least = 1,
                               .most = kMostAggregators,
                               .unit = "nodes",
                               .help = "aggregation units of a board"}),
};

Boards read(const Config& config) {
  auto boards = config.topology.parameters.as<Boards>();
  boards.dims.insert(boards.dims.begin(), boards.units());
  check_address_bits(boards.dims,
                     [&](const auto& expected) { config.refuse_topology(expected, "dims"); });
  return boards;
}

// Links in both directions between the mains and the aggregators of the board whose first unit is
// `first`.
void connect_board(Graph& graph, const Boards& boards, std::uint32_t first) {
  for (std::uint32_t m = 0; m < boards.mains; ++m) {
    for (std::uint32_t a = 0; a < boards.aggregators; ++a) {
      const std::uint32_t main = graph.nodes + first + m;
      const std::uint32_t aggregator = graph.nodes + first + boards.mains + a;
      graph.connect(main, a, aggregator, m);
      graph.connect(aggregator, m, main, a);
    }
  }
}

Graph build(const Config& config) {
  const Boards boards = read(config);
  Graph graph = router_nodes(config, boards.dims);
  graph.rings = 0b11110;  // W, X, Y, Z.
  graph.link_classes = {"on the board", "W", "X", "Y", "Z"};
  graph.mains = boards.mains;
  graph.aggregators = boards.aggregators;
  const auto is_main = [&](std::uint32_t rank) { return rank % boards.units() < boards.mains; };

  RouteConfig route;
  route.num_local = graph.nic_links;
  route.mains = boards.mains;
  for (const auto size : boards.dims) route.max_coords.push_back(size - 1);
  const auto aggregator = router_shape(config, graph, RouteKind::kBoard, route);
  route.is_main = true;
  const auto main = router_shape(config, graph, RouteKind::kBoard, route);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    add_router_at(graph, rank, is_main(rank) ? main : aggregator);
  }

  for (std::uint32_t rank = 0; rank < graph.nodes; rank += boards.units()) {
    connect_board(graph, boards, rank);
  }
  // Ports along rings of size 1 stay unconnected, so that those of a dimension have the same
  // numbers everywhere.
  std::uint32_t stride = boards.units();
  for (std::uint32_t d = 1; d < boards.dims.size(); ++d) {
    const RankDimension dimension = {boards.dims[d], stride, d};
    stride *= dimension.size;
    if (dimension.size == 1) continue;
    const bool of_mains = d > 1;
    const std::uint32_t port = of_mains ? boards.aggregators + 2 * (d - 2) : boards.mains;
    for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
      if (is_main(rank) == of_mains) join_next(graph, rank, dimension, port, true);
    }
  }
  return graph;
}

CalledControllers controllers(const Config& config) {
  const auto& boards = config.topology.parameters.as<Boards>();
  const std::uint32_t most = std::max(boards.mains, boards.aggregators);
  return {.by_units = std::min(most, kMostControllers)};
}

}  // namespace

extern const Topology topology_board = {
    .kind = "board",
    .facts = kRouters,
    .description =
        "system boards: mains, each linked to each aggregator of its board, in a torus "
        "X, Y, Z; aggregators in a ring W (seed 003)",
    .keys = table_of<Boards>(kKeys),
    .parameters = R"({"dims": [2, 2, 2, 2], "mains": 8, "aggregators": 4})",
    .build = build,
    // Order of the channels: down to a main low, the torus low and high, up, the ring low and high,
    // down high.
    .vcs = [](const Config&) { return 2u; },
    .controllers = controllers,
};

}  // namespace weft
