// Networks of any graph.
#include "sim/topology/table_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/router/route/route_table.hpp"
#include "sim/router/routing.hpp"
#include "sim/topology/failed_networks.hpp"
#include "sim/topology/router_networks.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

// Sets the registers that links will have (build_graph): routes are computed for them.
void apply_stages(const Config& config, TableNetwork& network) {
  const std::vector<std::uint32_t>& stages = config.link.stages;
  if (stages.empty()) return;
  for (TableLink& link : network.links) {
    const std::size_t which = stages.size() == 1 ? 0 : link.link_class;
    link.stages = which < stages.size() ? static_cast<std::uint16_t>(stages[which]) : 0;
  }
}

TableRouting routing_of(const Config& config, const TableNetwork& network, unsigned vcs) {
  using enum RoutingChoice;
  const RoutingChoice routing = config.router.routing;
  if (routing == kShortest) return shortest_routes(config, network, vcs);
  if (routing == kUpDown) return up_down_routes(config, network, vcs);
  if (config.topology.failed.any() || !network.own) {
    if (routing == kAuto || config.router.by_algorithm()) {
      return failed_routes(config, network, vcs);
    }
    config.source.refuse("/router/routing", routing,
                         "\"auto\", \"shortest\" or \"up_down\" with topology.failed: the others "
                         "do not lead around what has failed");
  }
  if (routing == kDimensionOrder) return dimension_order_routes(config, network, vcs);
  if (routing == kTable && network.given) return *network.given;
  if (routing != kAuto && !config.router.by_algorithm()) {
    config.source.refuse("/router/routing", routing, "a network whose file has \"routes\"");
  }
  return network.own(config, network, vcs);
}

// The table rows of a router's in-ports.
class RouterRows {
 public:
  RouterRows(const Graph& graph, const TableNetwork& network, const TableRouting& routing)
      : graph_(graph), network_(network), routing_(routing), index_(network.nodes()) {
    std::vector<std::uint32_t> count(network.routers());
    for (std::uint32_t rank = 0; rank < network.nodes(); ++rank) {
      index_[rank] = count[network.router_of[rank]]++;
    }
    addresses_ = graph.addresses();
  }
  std::uint32_t addresses() const { return addresses_; }

  // Adds a router with `nodes` nodes.
  void add_router(std::uint32_t router, std::uint32_t nodes, RouteTables& tables) const {
    const std::uint32_t ports = network_.ports[router], links = graph_.nic_links;
    // By state, and by the link to a node by which packets in this state leave: the row.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> rows;
    const auto add = [&](std::uint32_t from, std::uint32_t link) {
      const std::uint32_t state = routing_.state ? routing_.state(router, from) : 0;
      const auto [found, fresh] = known.try_emplace({state, link}, 0);
      if (fresh) found->second = tables.add_row(row(router, state, link), ports);
      rows.push_back(found->second);
    };
    for (std::uint32_t port = 0; port < ports; ++port) add(port, port % links);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      for (std::uint32_t link = 0; link < links; ++link) add(ports + i, link);
    }
    tables.add_router(rows);
  }

 private:
  RouteTables::Row row(std::uint32_t router, std::uint32_t state, std::uint32_t link) const {
    RouteTables::Row row(addresses_);
    for (std::uint32_t dst = 0; dst < network_.nodes(); ++dst) {
      RouteTables::Entry& entry = row[graph_.address[dst]];
      if (network_.router_of[dst] == router) {
        entry.port = static_cast<std::uint8_t>(network_.ports[router] +
                                               index_[dst] * graph_.nic_links + link);
        continue;
      }
      entry = routing_.entry(router, state, dst);
      if (graph_.vc_per_destination) entry.set = VcSet::kSame;
    }
    return row;
  }

  const Graph& graph_;
  const TableNetwork& network_;
  const TableRouting& routing_;
  std::vector<std::uint32_t> index_;  // By rank: index among the nodes of its router.
  std::uint32_t addresses_ = 0;
};

void check_ports(const Config& config, const TableNetwork& network) {
  const auto nodes_at = network.nodes_at();
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    if (network.ports[r] == 0 && config.router.routing == RoutingChoice::kUgal) {
      config.source.refuse("/router/routing", config.router.routing,
                           fmt::format("another routing: router {} has no links to others whose "
                                       "loads it could compare",
                                       network.names[r]));
    }
    // The number of controllers is not known yet if a collective asks for it.
    const std::size_t locals = nodes_at[r].size() * std::max(1u, config.nic.controllers);
    const std::size_t ports = network.ports[r] + locals;
    if (ports <= kMostPorts) continue;
    config.refuse_topology(
        fmt::format("routers of up to {} ports (router {} has {}: {} to neighbours, {} to nodes)",
                    kMostPorts, network.names[r], ports, network.ports[r], locals));
  }
}

// Makes a network ready for the computation of routes: with the registers of its links, and without
// what has failed. Throws ConfigError for what cannot be built.
Failures prepare(const Config& config, TableNetwork& network) {
  check_table_size(config, network.routers(), network.nodes());
  apply_stages(config, network);
  Failures failures = remove_failed(config, network);
  check_ports(config, network);
  return failures;
}

// Makes the routers suit the routes around dead links, too.
void suit_other_ways(const Config& config, Graph& graph) {
  const std::uint32_t sets = failed_sets(config.router.way_vcs());
  for (RouterTileConfig& shape : graph.router_shapes) {
    shape.sets |= tile_sets(shape.routing, sets, shape.num_vc, shape.low_vc);
  }
}

}  // namespace

Graph table_network(const Config& config, TableNetwork network) {
  Failures failures = prepare(config, network);
  if (!failures.component.empty() && config.router.by_algorithm()) {
    config.source.refuse("/router/routing", config.router.routing,
                         "\"auto\", \"shortest\" or \"up_down\" where nodes are cut off, which may "
                         "be drawn as waypoints: " +
                             cut_in_words(failures));
  }
  const unsigned classes = config.router.vc_classes();
  const TableRouting routing = routing_of(config, network, config.router.way_vcs());
  if (config.router.way_vcs() < routing.named) {
    config.source.refuse(
        "/router/vcs", config.router.vcs,
        fmt::format("{} or more: the network's routes name VC {}{}", classes * routing.named,
                    routing.named - 1, classes == 2 ? " of each class of packets" : ""));
  }
  Graph graph = router_nodes(config, network.dims);
  graph.link_classes = network.link_classes;
  graph.mains = network.mains;
  graph.aggregators = network.aggregators;
  failures.routing = routing.words;
  if (!routing.instead.empty()) {
    graph.routing_note = fmt::format("packets go by {}: {}", routing.words, routing.instead);
  }
  graph.failures = std::move(failures);
  if (routing.counted) graph.vcs_needed = classes * routing.vcs;
  const auto nodes_at = network.nodes_at();
  graph.shares_routers =
      std::any_of(nodes_at.begin(), nodes_at.end(), [](const auto& at) { return at.size() > 1; });

  const RouterRows rows(graph, network, routing);
  const auto tables = std::make_shared<RouteTables>(rows.addresses());
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    rows.add_router(r, static_cast<std::uint32_t>(nodes_at[r].size()), *tables);
  }
  tables->finish();
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    RouteConfig route;
    route.num_local = static_cast<unsigned>(nodes_at[r].size()) * graph.nic_links;
    route.num_links = network.ports[r];
    for (const std::uint32_t size : network.dims) {
      if (size > 1) route.max_coords.push_back(size - 1);
    }
    route.tables = tables;
    const std::uint32_t block = graph.add_router(
        network.names[r], r, router_shape(config, graph, RouteKind::kTable, std::move(route)));
    std::uint32_t port = network.ports[r];
    for (const std::uint32_t rank : nodes_at[r]) {
      for (std::uint32_t i = 0; i < graph.nic_links; ++i, ++port) {
        graph.connect(rank, i, block, port);
        graph.connect(block, port, rank, i);
      }
    }
  }
  for (const TableLink& link : network.links) {
    const std::uint32_t to = graph.nodes + link.to;
    graph.connect(graph.nodes + link.from, link.from_port, to, link.to_port, link.link_class);
    graph.links[graph.blocks[to].first_in + link.to_port].stages = link.stages;
  }
  if (config.reroutes()) suit_other_ways(config, graph);
  return graph;
}

CalledControllers table_controllers(const TableNetwork& network) {
  std::uint32_t called = 1, most = kMostControllers;
  const auto nodes_at = network.nodes_at();
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    const auto nodes = static_cast<std::uint32_t>(nodes_at[r].size());
    if (nodes == 0) continue;
    called = std::max(called, network.ports[r]);
    most =
        std::min(most, kMostPorts > network.ports[r] ? (kMostPorts - network.ports[r]) / nodes : 1);
  }
  called = std::max(1u, std::min(called, most));
  return {.by_links = called, .by_ways = called, .by_units = called};
}

unsigned table_vcs(const Config& config, TableNetwork network) {
  prepare(config, network);
  return routing_of(config, network, 0).vcs;
}

}  // namespace weft
