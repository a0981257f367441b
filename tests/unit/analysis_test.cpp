// Analysis against other algorithms: Floyd and Warshall for distances, transitive closure for
// cycles, closed forms for loads.
#include "sim/analysis/analysis.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using nlohmann::json;
using weft::Graph;

Graph built(const json& topology) {
  return weft::build_graph(weft::parse_config({{"topology", topology}}, "net.json"));
}

weft::TopoFigures figures(const json& topology) {
  return weft::topo_figures(built(topology), weft::find_topology(topology["kind"]));
}

const json kNetworks[] = {
    {{"kind", "hier_crossbar"}, {"dims", {4, 4}}},
    {{"kind", "hier_crossbar"}, {"dims", {5, 3}}},
    {{"kind", "hier_crossbar"}, {"dims", {2, 3, 2}}},
    {{"kind", "hier_crossbar"}, {"dims", {7}}},
    {{"kind", "hier_crossbar"}, {"dims", {2, 2, 2, 2}}},
    {{"kind", "full_crossbar"}, {"pes", 9}},
    {{"kind", "crossbar_2d"}, {"dims", {4, 3}}},
};

// Sum of shortest distances over links as nodes of a graph, by Floyd and Warshall.
double mean_by_floyd_warshall(const Graph& graph) {
  constexpr std::uint32_t far = 1000000;
  const std::size_t n = graph.links.size();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, far));
  for (std::size_t a = 0; a < n; ++a) {
    d[a][a] = 0;
    const weft::Block& block = graph.blocks[graph.links[a].dst_block];
    if (block.kind == weft::Block::Kind::kNic) continue;
    const auto outputs = graph.shapes[block.shape].num_out;
    for (std::uint32_t port = 0; port < block.num_out; ++port) {
      // A detour belongs to the input of the same number.
      if (port >= outputs && graph.links[a].dst_port != port - outputs) continue;
      d[a][graph.out_link[block.first_out + port]] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  double sum = 0;
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (src == dst) continue;
      sum += d[graph.out_link[graph.blocks[src].first_out]][graph.blocks[dst].first_in];
    }
  }
  return sum / graph.nodes / graph.nodes;
}

// A ring of `n` three-port switches: port 0 to its NIC, port 1 to the next switch; port 2 is
// connected to itself. RouteSwitch sends every packet for another node to port 1.
Graph ring(std::uint32_t n) {
  Graph graph;
  for (std::uint32_t i = 0; i < n; ++i) graph.add_nic("nic_" + std::to_string(i), i);
  for (std::uint32_t i = 0; i < n; ++i) {
    graph.add_crossbar("sw_" + std::to_string(i), i,
                       {.num_out = 3,
                        .detour = false,
                        .num_in = 3,
                        .first_in = 3,
                        .route = weft::Route::kSwitch,
                        .digit_lsb = 16,
                        .digit_w = 0});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    graph.connect(i, 0, n + i, 0);
    graph.connect(n + i, 0, i, 0);
    graph.connect(n + i, 1, n + (i + 1) % n, 1);
    graph.connect(n + i, 2, n + i, 2);
  }
  graph.check();
  return graph;
}

}  // namespace

TEST_CASE("distances agree with Floyd and Warshall") {
  for (const json& network : kNetworks) {
    CAPTURE(network.dump());
    const auto f = figures(network);
    CHECK(f.mean_distance_shortest == doctest::Approx(mean_by_floyd_warshall(built(network))));
    CHECK(f.mean_distance == doctest::Approx(f.mean_distance_shortest));
    CHECK(f.deadlock_free);
    CHECK_FALSE(f.sampled);
    CHECK(f.degree_in == 1);
    CHECK(f.degree_out == 1);
    CHECK(f.pairs == std::uint64_t{f.nodes} * f.nodes);
  }
}

TEST_CASE("figures worked out by hand") {
  // 4 x 4: of 16 destinations 12 are in other rows (3 crossbars), 3 in the own row (1), 1 itself.
  const auto xbar16 = figures({{"kind", "hier_crossbar"}, {"dims", {4, 4}}});
  CHECK(xbar16.mean_distance == doctest::Approx((12 * 3 + 3 * 1) / 16.0));
  CHECK(xbar16.diameter == 3);
  CHECK(xbar16.links == 4 * 16);  // In and out of the nodes, up and down between the levels.
  CHECK(xbar16.crosspoints == 4 * 8 * 4 + 4 * 4 * 4);
  // Fig. 9 at 4 x 4: own row 3 others and own column 3 others at 3 switching blocks, 9 at 5.
  const auto flat = figures({{"kind", "crossbar_2d"}, {"dims", {4, 4}}});
  CHECK(flat.mean_distance == doctest::Approx((6 * 3 + 9 * 5) / 16.0));
  CHECK(flat.diameter == 5);
  CHECK(flat.links == 6 * 16);
  const auto full = figures({{"kind", "full_crossbar"}, {"pes", 10}});
  CHECK(full.mean_distance == doctest::Approx(0.9));
  CHECK(full.diameter == 1);
  CHECK(full.links == 20);
  const auto fig7 = figures({{"kind", "hier_crossbar"}, {"dims", {64, 4, 4}}});
  CHECK(fig7.mean_distance == doctest::Approx((768 * 5 + 192 * 3 + 63 * 1) / 1024.0));
}

TEST_CASE("above 4,096 nodes sources are sampled without symmetry, and that is said") {
  CHECK(weft::analysed_sources(4096).ranks.size() == 4096);
  const auto sources = weft::analysed_sources(8192).ranks;
  CHECK(sources.size() == 256);
  CHECK(std::is_sorted(sources.begin(), sources.end()));
  CHECK(std::adjacent_find(sources.begin(), sources.end()) == sources.end());
  CHECK(sources.back() < 8192);
  CHECK(weft::analysed_sources(1u << 19).ranks.size() == 32);  // 2^24 pairs.
  const json topology = {{"kind", "hier_crossbar"}, {"dims", {32, 16, 16}}};
  Graph graph = built(topology);
  const auto exact = weft::topo_figures(graph, weft::find_topology("hier_crossbar"));
  CHECK_FALSE(exact.sampled);
  CHECK(exact.pairs == 8192ull * 8192);
  graph.translations = {};
  const auto f = weft::topo_figures(graph, weft::find_topology("hier_crossbar"));
  CHECK(f.sampled);
  CHECK(f.pairs == 256 * 8192);
  // All nodes of this network see the same distances, so the sample is exact.
  CHECK(f.mean_distance == doctest::Approx((7680 * 5 + 480 * 3 + 31 * 1) / 8192.0));
  CHECK(exact.mean_distance == doctest::Approx(f.mean_distance));
}

TEST_CASE("a ring without a dateline waits in a cycle, which is named link by link") {
  const Graph graph = ring(4);
  const auto routes = weft::check_routes(graph);
  CHECK(routes.pairs == 16);
  REQUIRE(routes.cycle.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& link = graph.links[routes.cycle[i].link];
    const auto& next = graph.links[routes.cycle[(i + 1) % 4].link];
    CHECK(link.dst_block == next.src_block);
    CHECK(next.src_port == 1);
  }
  const std::string words = weft::cycle_in_words(graph, routes.cycle);
  CHECK(words.find("sw_3 out 1 -> sw_0 in 1") != std::string::npos);
  CHECK(words.find(", waits for ") != std::string::npos);
  CHECK(weft::least_vcs(graph, 3) == 0);  // Packets would wait in a cycle with any number of VCs.
  const weft::Topology none{
      .kind = "ring", .description = "", .parameters = "", .build = {}, .crosspoints = {}};
  const auto f = weft::topo_figures(graph, none);
  CHECK_FALSE(f.deadlock_free);
  CHECK(f.cycle == words);
  CHECK(f.mean_distance == doctest::Approx((2 + 3 + 4) / 4.0));
}

TEST_CASE("a long cycle is shown from both ends, with the number of channels between") {
  for (const unsigned n : {8u, 9u, 30u}) {
    const Graph graph = ring(n);
    const auto cycle = weft::check_routes(graph).cycle;
    REQUIRE(cycle.size() == n);
    const std::string words = weft::cycle_in_words(graph, cycle);
    unsigned named = 0;
    for (const auto& channel : cycle) {
      named += words.find(graph.link_name(channel.link) + ", waits for ") != std::string::npos;
    }
    CHECK(named == (n == 8 ? 8 : 7));
    CHECK(words.ends_with(", waits for " + graph.link_name(cycle[0].link)));
    const std::string more = fmt::format(", waits for ... ({} more) ..., ", n - 7);
    CHECK((words.find(more) != std::string::npos) == (n > 8));
  }
}

TEST_CASE("virtual channels that networks of routers need") {
  const auto needed = [](const json& topology, const json& vcs) {
    const auto graph = weft::build_graph(
        weft::parse_config({{"topology", topology}, {"router", {{"vcs", vcs}}}}, "net.json"));
    const auto f = weft::topo_figures(graph, weft::find_topology(topology["kind"]));
    CHECK_FALSE(f.crosspoints);
    return f.vcs_needed;
  };
  const json torus = {{"kind", "torus"}, {"dims", {5, 4}}};
  for (const unsigned vcs : {1u, 2u, 7u}) {
    CHECK(needed(torus, vcs) == 2);
    CHECK(needed({{"kind", "mesh"}, {"dims", {5, 4}}}, vcs) == 1);
    CHECK(needed({{"kind", "torus"}, {"dims", {3, 3}}}, vcs) == 1);
  }
  CHECK(needed(torus, "per_destination") == 20);
}

TEST_CASE("a cycle of dependencies is found exactly where the closure has one") {
  CHECK(rc::check([] {
    // Blocks of a random ring; dependencies among its links at random.
    const Graph graph = ring(*rc::gen::inRange(2u, 5u));
    const std::size_t n = graph.links.size();
    weft::ChannelDependencies dependencies(graph);
    std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
    for (std::uint32_t a = 0; a < n; ++a) {
      const weft::Block& block = graph.blocks[graph.links[a].dst_block];
      for (std::uint32_t port = 0; port < block.num_out; ++port) {
        if (*rc::gen::inRange(0, 3) == 0) continue;
        const auto b = graph.out_link[block.first_out + port];
        dependencies.add(a, 1, b, weft::VcSet::kAny);
        reach[a][b] = 1;
      }
    }
    const auto direct = reach;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) reach[i][j] |= reach[i][k] & reach[k][j];
      }
    }
    bool cyclic = false;
    for (std::size_t i = 0; i < n; ++i) cyclic |= reach[i][i] != 0;
    const auto cycle = dependencies.cycle();
    RC_ASSERT(cycle.empty() != cyclic);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      RC_ASSERT(direct[cycle[i].link][cycle[(i + 1) % cycle.size()].link] != 0);
    }
  }));
}

TEST_CASE("flits of a message on a wire") {
  CHECK(weft::wire_flits(0, 128) == 1);
  CHECK(weft::wire_flits(1, 128) == 2);
  CHECK(weft::wire_flits(128, 128) == 129);
  CHECK(weft::wire_flits(129, 128) == 131);
  CHECK(weft::wire_flits(1048575, 1) == 2097150);
}

TEST_CASE("load of links") {
  const Graph graph = built({{"kind", "crossbar_2d"}, {"dims", {64, 4}}});
  weft::LinkLoad load(graph);
  CHECK(load.bound() == 0);
  load.add(0, 129, 10);
  CHECK(load.bound() == 10);
  load.add(128, 191, 5);  // Sharing the link from PE200's switch to XXB2 (seed 002 [0009], [0010]).
  CHECK(load.bound() == 15);
  std::uint64_t sum = 0;
  for (const auto flits : load.by_link()) sum += flits;
  CHECK(sum == 10 * 6 + 5 * 4);
}

// Two messages of a node to itself by two of its links do not meet anywhere.
TEST_CASE("load of links by messages of a node to itself") {
  const json networks[] = {{{"kind", "ring"}, {"nodes", 3}},
                           {{"kind", "torus"}, {"dims", {3}}},
                           {{"kind", "mesh"}, {"dims", {3}}},
                           {{"kind", "hyperx"}, {"dims", {3}}},
                           {{"kind", "dce"}, {"n", 2}, {"y_bits", 1}, {"delta", 0}}};
  for (const json& topology : networks) {
    for (const unsigned controllers : {1u, 2u, 8u}) {
      CAPTURE(topology.dump());
      CAPTURE(controllers);
      const Graph graph = weft::build_graph(weft::parse_config(
          {{"topology", topology}, {"nic", {{"controllers", controllers}}}}, "net.json"));
      weft::LinkLoad load(graph);
      load.add(1, 1, 750);
      load.add(1, 1, 125);
      CHECK(load.bound() == (875 + controllers - 1) / controllers);
      // A message of another node comes by the same links whatever link it leaves by.
      load.add(0, 1, 700);
      CHECK(load.bound() == (controllers == 1 ? 875 + 700 : 700));
    }
  }
}
