// One router at each node.
#include "sim/topology/router_networks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

struct Dimension {
  std::uint32_t size;
  std::uint32_t stride;  // Ranks from one node to the next.
};

VcRouter::Config router_shape(const Config& config, const Graph& graph, RouteKind kind,
                              const std::vector<Dimension>& dimensions) {
  const RouterConfig& router = config.router;
  VcRouter::Config shape;
  shape.num_local = graph.nic_links;
  shape.num_ports = static_cast<unsigned>(2 * dimensions.size()) + shape.num_local;
  shape.num_vc = graph.num_vc;
  shape.depth = router.vc_depth;
  shape.local_depth = kRxDepth;
  shape.hold_packet = router.hold == "packet";
  shape.cut_through = router.switching == "cut_through";
  shape.store_forward = router.switching == "store_forward";
  shape.age = router.arbiter == "age";
  shape.route_kind = kind;
  shape.route.num_local = shape.num_local;
  shape.route.balanced = kind == RouteKind::kTorus && router.dateline == "balanced";
  shape.route.per_dest = router.per_destination;
  for (const auto& d : dimensions) shape.route.lasts.push_back(d.size - 1);
  return shape;
}

}  // namespace

Graph router_network(const Config& config, RouteKind kind, bool wraps) {
  const JsonPlace place(config.topology, config.source, "/topology");
  place.only_keys({"kind", "dims"});
  const auto dims = read_dims(place.at("dims", "a list of 1 to 8 sizes, fastest first"), 1, 8, 1);
  Graph graph = nodes_of(dims, config.nic.controllers);
  graph.num_vc = config.router.per_destination ? graph.nodes : config.router.vcs;

  std::vector<Dimension> dimensions;
  std::uint32_t stride = 1;
  for (const auto size : dims) {
    if (size > 1) dimensions.push_back({size, stride});
    stride *= size;
  }
  VcRouter::Config shape = router_shape(config, graph, kind, dimensions);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    shape.own = graph.address[rank];
    const std::uint32_t router = graph.add_router(fmt::format("r_{}", rank), shape);
    const std::uint32_t first_local = shape.num_ports - shape.num_local;
    for (std::uint32_t i = 0; i < shape.num_local; ++i) {
      graph.connect(rank, i, router, first_local + i);
      graph.connect(router, first_local + i, rank, i);
    }
  }
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    for (std::uint32_t d = 0; d < dimensions.size(); ++d) {
      const auto [size, step] = dimensions[d];
      const std::uint32_t digit = rank / step % size;
      if (digit + 1 == size && !wraps) continue;
      const std::uint32_t next = digit + 1 < size ? rank + step : rank - (size - 1) * step;
      graph.connect(graph.nodes + rank, 2 * d, graph.nodes + next, 2 * d);
      graph.connect(graph.nodes + next, 2 * d + 1, graph.nodes + rank, 2 * d + 1);
    }
  }
  return graph;
}

}  // namespace weft
