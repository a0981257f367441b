// Figures of a network: routes, distances and loads.
#include "sim/analysis/analysis.hpp"

#include <algorithm>
#include <iterator>

#include "sim/topology/topology.hpp"

namespace weft {
namespace {

// Degree and links between routers; for switches in stages the degree is that of the switch,
// including its links to nodes.
void router_figures(const Graph& graph, TopoFigures& figures) {
  figures.degree_in = figures.degree_out = 0;
  figures.links -= 2 * std::uint64_t{graph.nodes} * graph.nic_links;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    const std::uint32_t local = graph.router_shapes[block.shape].num_local;
    const std::uint32_t left_out = graph.staged ? 0 : local;
    std::uint32_t in = 0, out = 0;
    for (std::uint32_t p = 0; p + left_out < block.num_in; ++p) {
      in += graph.links[block.first_in + p].src_block != kOpen;
      out += graph.out_link[block.first_out + p] != kOpen;
    }
    figures.degree_in = std::max(figures.degree_in, in);
    figures.degree_out = std::max(figures.degree_out, out);
  }
}

}  // namespace

TopoFigures topo_figures(const Graph& graph, const Topology& topology,
                         std::uint32_t all_pairs_up_to) {
  TopoFigures figures;
  figures.nodes = graph.nodes;
  figures.links = graph.connected_links();
  if (topology.crosspoints) figures.crosspoints = topology.crosspoints(graph);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    figures.degree_in = std::max(figures.degree_in, graph.blocks[n].num_in);
    figures.degree_out = std::max(figures.degree_out, graph.blocks[n].num_out);
  }
  if (graph.has_routers()) {
    router_figures(graph, figures);
    figures.distance_unit = graph.staged ? "switches passed" : "links between routers";
    if (by_waypoint(graph.routing())) figures.distance_unit += " on direct ways";
  }
  figures.bisection = bisection(graph);
  const RouteCheck routes = check_routes(graph, all_pairs_up_to);
  const auto pairs = static_cast<double>(std::max<std::uint64_t>(routes.pairs, 1));
  figures.diameter = routes.diameter;
  figures.mean_distance = static_cast<double>(routes.distances) / pairs;
  figures.mean_distance_shortest =
      static_cast<double>(shortest_distances(graph, all_pairs_up_to)) / pairs;
  figures.pairs = routes.pairs;
  figures.sampled = routes.sampled;
  figures.exact_by = routes.exact_by;
  figures.vcs_needed = graph.vc_per_destination ? graph.num_vc
                       : graph.vcs_needed != 0
                           ? graph.vcs_needed
                           : least_vcs(graph, kMaxVcs, &routes, all_pairs_up_to);
  figures.failures = graph.failures;
  figures.routing_note = graph.routing_note;
  figures.deadlock_free = routes.cycle.empty();
  figures.cycle = cycle_in_words(graph, routes.cycle);
  return figures;
}

void LinkLoad::add(std::uint32_t from, std::uint32_t to, std::uint64_t flits) {
  if (!graph_.has_one_way()) {
    // Common to all routes are the links between interfaces and network, if there is one in each
    // direction.
    load_[graph_.out_link[graph_.blocks[from].first_out]] += flits;
    if (graph_.nic_links == 1) load_[graph_.blocks[to].first_in] += flits;
    return;
  }
  // A message of a node to itself arrives by the link of the same number.
  if (graph_.nic_links == 1 || (from != to && !graph_.ways_by_link())) {
    graph_.walk(from, to, [&](std::uint32_t link) { load_[link] += flits; });
    return;
  }
  std::vector<std::uint32_t> common;
  graph_.walk(from, to, [&](std::uint32_t link) { common.push_back(link); });
  load_[common.front()] += flits;
  std::sort(common.begin(), common.end());
  for (std::uint32_t i = 1; i < graph_.nic_links; ++i) {
    std::vector<std::uint32_t> way, both;
    graph_.walk(
        from, to, [&](std::uint32_t link) { way.push_back(link); }, i);
    std::sort(way.begin(), way.end());
    std::set_intersection(common.begin(), common.end(), way.begin(), way.end(),
                          std::back_inserter(both));
    common = std::move(both);
  }
  for (const std::uint32_t link : common) load_[link] += flits;
}

std::uint64_t LinkLoad::bound() const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < load_.size(); ++i) {
    // In networks of stages each send controller has its own network.
    const bool shared = graph_.staged || graph_.links[i].src_block < graph_.nodes;
    const std::uint64_t share = shared ? graph_.nic_links : 1;
    most = std::max(most, (load_[i] + share - 1) / share);
  }
  return most;
}

}  // namespace weft
