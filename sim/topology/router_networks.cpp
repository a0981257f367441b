// One router at each node.
#include "sim/topology/router_networks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/router/route/route_unit.hpp"
#include "sim/router/routing.hpp"

namespace weft {
namespace {

constexpr Key kKeys[] = {dims_key(1, 8, 1)};

Routing routing_of(const RouterConfig& router) {
  if (router.message_classes == 2) return Routing::kMessageClasses;
  switch (router.routing) {
    case RoutingChoice::kO1turn:
      return Routing::kO1turn;
    case RoutingChoice::kValiant:
      return Routing::kValiant;
    case RoutingChoice::kUgal:
      return Routing::kUgal;
    case RoutingChoice::kMinimalAdaptive:
      return Routing::kMinimalAdaptive;
    default:
      return Routing::kDirect;
  }
}

// Slots of an interface's FIFO that keep a link busy: a credit is used again after three cycles; on
// a protected link after the cycles that it adds in both directions, too.
unsigned rx_depth(const Config& config) {
  if (config.link.protection == Protection::kNone) return kRxDepth;
  return 3 + 2 * Graph::kProtectedCycles;
}

// Checks that digits of waypoints can be drawn.
void check_waypoints(const Config& config, const RouteConfig& route) {
  for (const std::uint32_t most : route.max_coords) {
    if (most < RouteWaypoint::kMostSize) continue;
    config.source.refuse("/router/routing", config.router.routing,
                         fmt::format("another one in a network with a dimension of more than {}",
                                     RouteWaypoint::kMostSize));
  }
}

}  // namespace

Graph router_nodes(const Config& config, const std::vector<std::uint32_t>& dims) {
  Graph graph = nodes_of(dims, config.nic.controllers);
  graph.vc_per_destination = config.router.per_destination();
  graph.num_vc = graph.vc_per_destination ? graph.nodes : config.router.vcs;
  return graph;
}

RouterTileConfig router_shape(const Config& config, const Graph& graph, RouteKind kind,
                              RouteConfig route) {
  const RouterConfig& router = config.router;
  if (RouteUnit::traits(kind).datelines) route.dateline = router.dateline;
  route.per_dest = graph.vc_per_destination;
  RouterTileConfig shape;
  shape.num_local = route.num_local;
  shape.num_ports = RouteUnit::links(kind, route) + shape.num_local;
  shape.num_vc = graph.num_vc;
  shape.depth = router.vc_depth;
  shape.local_depth = rx_depth(config);
  shape.hold_packet = router.hold == OutputHold::kPacket;
  shape.cut_through = router.switching == Switching::kCutThrough;
  shape.store_forward = router.switching == Switching::kStoreForward;
  shape.pipeline = router.pipeline;
  shape.age = router.arbiter == Arbitration::kAge;
  shape.own_after = router.own_after;
  shape.routing = routing_of(router);
  shape.adaptive = shape.routing == Routing::kMinimalAdaptive;
  if (by_waypoint(shape.routing)) check_waypoints(config, route);
  const std::uint32_t sets = RouteUnit(kind, route).sets();
  shape.stamps = by_stamp(shape.routing, sets, shape.num_vc);
  shape.low_vc = low_vcs(shape.routing, sets, shape.num_vc);
  shape.sets = tile_sets(shape.routing, sets, shape.num_vc, shape.low_vc);
  shape.route_kind = kind;
  shape.route = std::move(route);
  shape.header = graph.header;
  return shape;
}

void add_router_at(Graph& graph, std::uint32_t rank, const RouterTileConfig& shape) {
  const std::uint32_t first_local = shape.num_ports - shape.num_local;
  const std::uint32_t router =
      graph.add_router(fmt::format("r_{}", rank), graph.address[rank], shape);
  for (std::uint32_t i = 0; i < shape.num_local; ++i) {
    graph.connect(rank, i, router, first_local + i);
    graph.connect(router, first_local + i, rank, i);
  }
}

void add_router_for_each_node(Graph& graph, const RouterTileConfig& shape) {
  const std::size_t ports = std::size_t{graph.nodes} * shape.num_ports;
  graph.blocks.reserve(graph.blocks.size() + graph.nodes);
  graph.links.reserve(graph.links.size() + ports);
  graph.out_link.reserve(graph.out_link.size() + ports);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) add_router_at(graph, rank, shape);
}

void join_next(Graph& graph, std::uint32_t rank, const RankDimension& dimension, std::uint32_t port,
               bool wraps) {
  const auto [size, step, link_class] = dimension;
  const std::uint32_t digit = rank / step % size;
  if (digit + 1 == size && !wraps) return;
  const std::uint32_t next = digit + 1 < size ? rank + step : rank - (size - 1) * step;
  graph.connect(graph.nodes + rank, port, graph.nodes + next, port, link_class);
  graph.connect(graph.nodes + next, port + 1, graph.nodes + rank, port + 1, link_class);
}

KeyTable router_network_keys() {
  return table_of<Sizes>(kKeys);
}

CalledControllers grid_controllers(const Config& config, unsigned by_links) {
  const auto ways = static_cast<unsigned>(std::min<std::size_t>(
      2 * config.topology.parameters.as<Sizes>().dims.size(), kMostControllers));
  return {.by_links = by_links, .by_ways = ways, .by_units = ways};
}

Graph router_network(const Config& config, RouteKind kind, bool wraps) {
  const std::vector<std::uint32_t>& dims = checked_dims(config);
  Graph graph = router_nodes(config, dims);
  if (wraps) graph.rings = static_cast<std::uint32_t>(low_mask(dims.size()));

  RouteConfig route;
  route.num_local = graph.nic_links;
  std::vector<RankDimension> dimensions;
  std::uint32_t stride = 1;
  graph.link_classes.clear();
  for (const auto size : dims) {
    const auto d = static_cast<std::uint32_t>(graph.link_classes.size());
    graph.link_classes.push_back(fmt::format("dimension {}", d));
    if (size > 1) {
      dimensions.push_back({size, stride, d});
      route.max_coords.push_back(size - 1);
    }
    stride *= size;
  }
  add_router_for_each_node(graph, router_shape(config, graph, kind, std::move(route)));
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    for (std::uint32_t d = 0; d < dimensions.size(); ++d) {
      join_next(graph, rank, dimensions[d], 2 * d, wraps);
    }
  }
  return graph;
}

}  // namespace weft
