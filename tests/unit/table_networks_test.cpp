// Networks that route by tables: every route is followed by its tables alone and compared with
// distances by matrix and with dependencies whose cycles are looked for by taking channels away;
// figures of the kinds by their formulas; refusals.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

Graph table_graph(const json& document) {
  return build_graph(parse_config(document, "net.json"));
}

// Least cycles between routers, one for a router and one for each register of a link: by matrix.
std::vector<std::vector<std::uint32_t>> least_cycles_between(const Graph& graph) {
  const std::size_t routers = graph.blocks.size() - graph.nodes;
  constexpr std::uint32_t far = 1u << 30;
  std::vector<std::vector<std::uint32_t>> d(routers, std::vector<std::uint32_t>(routers, far));
  for (std::size_t r = 0; r < routers; ++r) d[r][r] = 0;
  for (const Link& l : graph.links) {
    if (!graph.between_switches(l)) continue;
    auto& least = d[l.src_block - graph.nodes][l.dst_block - graph.nodes];
    least = std::min(least, 1u + l.stages);
  }
  for (std::size_t k = 0; k < routers; ++k) {
    for (std::size_t i = 0; i < routers; ++i) {
      for (std::size_t j = 0; j < routers; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

struct Walked {
  std::uint64_t cycles = 0, least = 0;  // Over all pairs.
  bool acyclic = false;
  std::map<std::uint32_t, std::uint64_t> load;  // Routes over each link between routers.
};

// Follows the routes of all pairs, from every link of an interface, on every VC that a packet may
// have.
Walked walked(const Graph& graph) {
  Walked result;
  const auto least = least_cycles_between(graph);
  using Channel = std::pair<std::uint32_t, unsigned>;
  std::map<Channel, std::set<Channel>> waits;
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      for (std::uint32_t first = 0; first < graph.nic_links; ++first) {
        std::uint32_t link = graph.out_link[graph.blocks[src].first_out + first];
        const std::uint32_t start = graph.links[link].dst_block;
        std::set<unsigned> vcs;
        for (unsigned vc = 0; vc < graph.num_vc; ++vc) vcs.insert(vc);
        std::uint32_t cycles = 0, hops = 0;
        while (graph.links[link].dst_block >= graph.nodes) {
          const Link& at = graph.links[link];
          REQUIRE(hops++ < graph.blocks.size());
          const RouteOut out =
              graph.route(at.dst_block, at.dst_port, graph.address[src], graph.address[dst]);
          const std::uint32_t next =
              graph.out_link[graph.blocks[at.dst_block].first_out + out.port];
          REQUIRE(next != kOpen);
          if (graph.between_switches(graph.links[next])) {
            std::set<unsigned> granted;
            for (const unsigned own : vcs) {
              for (unsigned vc = 0; vc < graph.num_vc; ++vc) {
                if (!may_request(out.set, own, vc, graph.num_vc)) continue;
                granted.insert(vc);
                if (hops > 1) waits[{link, own}].insert({next, vc});
              }
            }
            REQUIRE(!granted.empty());
            vcs = granted;
            cycles += 1 + graph.links[next].stages;
            if (first == 0) ++result.load[next];
          }
          link = next;
        }
        CHECK(graph.links[link].dst_block == dst);
        if (first != 0) continue;
        result.cycles += cycles;
        const std::uint32_t end = graph.links[link].src_block;
        result.least += least[start - graph.nodes][end - graph.nodes];
      }
    }
  }
  // A channel that waits for none is taken away, until none are left.
  for (std::size_t before = 0; before != waits.size();) {
    before = waits.size();
    for (auto& [channel, next] : waits) {
      std::erase_if(next, [&](const Channel& c) { return !waits.contains(c); });
    }
    std::erase_if(waits, [](const auto& entry) { return entry.second.empty(); });
  }
  result.acyclic = waits.empty();
  return result;
}

std::string table_refusal(const json& document) {
  try {
    table_graph(document);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

const json kTableNetworks[] = {
    {{"kind", "ring"}, {"nodes", 2}},
    {{"kind", "ring"}, {"nodes", 9}},
    {{"kind", "hypercube"}, {"dimensions", 4}},
    {{"kind", "hyperx"}, {"dims", {4, 3}}, {"nodes_per_router", 2}},
    {{"kind", "hyperx"}, {"dims", {2, 2, 3}}},
    {{"kind", "dragonfly"}, {"p", 2}, {"a", 3}, {"h", 2}},
    {{"kind", "dragonfly"}, {"p", 1}, {"a", 1}, {"h", 3}},
    {{"kind", "tree"}, {"radix", 3}, {"levels", 2}},
    {{"kind", "tree"}, {"radix", 2}, {"levels", 4}},
};

}  // namespace

TEST_CASE("table networks: all pairs arrive without cyclic dependency, by shortest ways") {
  for (const json& topology : kTableNetworks) {
    for (const std::string routing : {"auto", "shortest", "up_down"}) {
      for (const unsigned controllers : {1u, 3u}) {
        CAPTURE(topology.dump());
        CAPTURE(routing);
        CAPTURE(controllers);
        const Graph graph = table_graph({{"topology", topology},
                                         {"router", {{"routing", routing}}},
                                         {"nic", {{"controllers", controllers}}}});
        const Walked all = walked(graph);
        CHECK(all.acyclic);
        CHECK(all.cycles >= all.least);
        if (routing == "shortest") CHECK(all.cycles == all.least);
        CHECK(check_routes(graph).cycle.empty());
      }
    }
  }
}

TEST_CASE("table networks: ways are the shortest in cycles with registers in links") {
  for (const json& stages : {json({0, 7}), json({3, 0}), json(2)}) {
    const json document = {{"topology", {{"kind", "hyperx"}, {"dims", {3, 4}}}},
                           {"link", {{"stages", stages}}},
                           {"router", {{"routing", "shortest"}, {"vcs", 8}}}};
    const Walked all = walked(table_graph(document));
    CHECK(all.acyclic);
    CHECK(all.cycles == all.least);
  }
}

TEST_CASE("table networks: other shortest ways where VCs do not suffice for evenly loaded ones") {
  const json cube = {{"kind", "hypercube"}, {"dimensions", 5}};
  for (const unsigned vcs : {1u, 8u}) {
    const Graph graph =
        table_graph({{"topology", cube}, {"router", {{"routing", "shortest"}, {"vcs", vcs}}}});
    const Walked all = walked(graph);
    CHECK(all.acyclic);
    CHECK(all.cycles == all.least);
    CHECK((graph.vcs_needed == 1) == (vcs == 1));
  }
}

TEST_CASE("table networks: more VCs than needed have no cycle, and all are used") {
  for (const unsigned vcs : {2u, 3u, 4u, 8u}) {
    const Graph graph =
        table_graph({{"topology", {{"kind", "ring"}, {"nodes", 12}}}, {"router", {{"vcs", vcs}}}});
    CHECK(walked(graph).acyclic);
    CHECK(graph.vcs_needed == 2);
    std::set<unsigned> used;
    for (std::uint32_t src = 0; src < graph.nodes; ++src) {
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        if (src == dst) continue;
        const RouteOut out =
            graph.route(graph.nodes + src, 2, graph.address[src], graph.address[dst]);
        used.insert(static_cast<unsigned>(out.set));
      }
    }
    CHECK(used.size() == vcs);
  }
}

TEST_CASE("table networks: equal ways are spread over the links") {
  const Walked all =
      walked(table_graph({{"topology", {{"kind", "tree"}, {"radix", 4}, {"levels", 2}}},
                          {"router", {{"routing", "shortest"}}}}));
  // 16 nodes, 12 of them on other switches, over 4 links up of each of 4 switches.
  CHECK(all.load.size() == 32);
  for (const auto& [link, routes] : all.load) CHECK(routes == 12);
}

TEST_CASE("table networks: a VC for each destination") {
  const Graph graph = table_graph(
      {{"topology", {{"kind", "ring"}, {"nodes", 8}}}, {"router", {{"vcs", "per_destination"}}}});
  CHECK(graph.num_vc == 8);
  for (std::uint32_t dst = 1; dst < 8; ++dst) {
    CHECK(graph.route(graph.nodes, 2, 0, graph.address[dst]).set == VcSet::kSame);
  }
  CHECK(check_routes(graph).cycle.empty());
}

TEST_CASE("table networks: figures by formulas") {
  struct Expected {
    json topology;
    std::uint32_t diameter;
    double mean;
    std::uint64_t links, bisection;
  };
  const auto dragonfly = [](double a, double h) {
    const double g = a * h + 1, local = (a - 1) / a;
    return local / g + (1 - 1 / g) * (1 + 2 * local);
  };
  const Expected all[] = {
      {{{"kind", "ring"}, {"nodes", 10}}, 5, 10 / 4.0, 20, 4},
      {{{"kind", "ring"}, {"nodes", 9}}, 4, 80 / 36.0, 18, 4},
      {{{"kind", "hypercube"}, {"dimensions", 6}}, 6, 3, 6 * 64, 64},
      {{{"kind", "hypercube"}, {"dimensions", 9}}, 9, 4.5, 9 * 512, 512},
      {{{"kind", "hyperx"}, {"dims", {4, 6}}, {"nodes_per_router", 3}},
       2,
       3 / 4.0 + 5 / 6.0,
       24 * (3 + 5),
       6 * 4 * 2},
      {{{"kind", "dragonfly"}, {"p", 2}, {"a", 4}, {"h", 2}}, 3, dragonfly(4, 2), 36 * 5, 0},
      {{{"kind", "dragonfly"}, {"p", 1}, {"a", 3}, {"h", 1}}, 3, dragonfly(3, 1), 12 * 3, 0},
      {{{"kind", "tree"}, {"radix", 3}, {"levels", 3}},
       4,
       (2 * 2 * 3 + 4 * 2 * 9) / 27.0,
       2 * 2 * 27,
       0},
      {{{"kind", "tree"}, {"radix", 4}, {"levels", 2}}, 2, 2 * 12 / 16.0, 2 * 16, 16},
  };
  for (const Expected& expected : all) {
    CAPTURE(expected.topology.dump());
    const Config config = parse_config({{"topology", expected.topology}}, "net.json");
    const TopoFigures figures =
        topo_figures(build_graph(config), find_topology(expected.topology.at("kind")));
    CHECK(figures.diameter == expected.diameter);
    CHECK(figures.mean_distance == doctest::Approx(expected.mean));
    CHECK(figures.links == expected.links);
    CHECK(figures.deadlock_free);
    CHECK(figures.vcs_needed == config.router.vcs);
    if (expected.bisection != 0) CHECK(figures.bisection.links == expected.bisection);
  }
}

TEST_CASE("table networks: refusals") {
  const json ring = {{"kind", "ring"}, {"nodes", 8}};
  CHECK(table_refusal({{"topology", ring}, {"router", {{"vcs", 1}}}}).find("2 or more") !=
        std::string::npos);
  CHECK(table_refusal({{"topology", ring}, {"router", {{"vcs", 9}}}}).find("2 to 8") !=
        std::string::npos);
  CHECK(table_refusal({{"topology", ring}, {"router", {{"routing", "dimension_order"}}}})
            .find("coordinates") != std::string::npos);
  CHECK(table_refusal({{"topology", ring}, {"router", {{"routing", "table"}}}}).find("routes") !=
        std::string::npos);
  CHECK(table_refusal({{"topology", {{"kind", "torus"}, {"dims", {3}}}},
                       {"router", {{"routing", "shortest"}}}})
            .find("\"auto\", \"dimension_order\"") != std::string::npos);
  CHECK(table_refusal({{"topology", {{"kind", "omega"}, {"levels", 3}}},
                       {"router", {{"routing", "shortest"}}}})
            .find("expected: \"auto\"") != std::string::npos);
  CHECK(table_refusal(
            {{"topology", {{"kind", "hyperx"}, {"dims", {8, 8}}, {"nodes_per_router", 51}}}})
            .find("up to 64 ports") != std::string::npos);
  CHECK(table_refusal({{"topology", {{"kind", "dragonfly"}, {"p", 64}, {"a", 64}, {"h", 64}}}})
            .find("entries") != std::string::npos);
  CHECK(table_refusal({{"topology", {{"kind", "tree"}, {"radix", 32}, {"levels", 5}}}})
            .find("fit an address") != std::string::npos);
  // Without the check VC 0 takes what would need another one.
  const Graph graph =
      table_graph({{"topology", ring}, {"router", {{"vcs", 1}}}, {"deadlock_check", false}});
  CHECK(!walked(graph).acyclic);
}

}  // namespace weft
