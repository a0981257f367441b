// Static figures by symmetry against all pairs of plain networks (tests/unit/plain_networks.hpp);
// the closed forms of seed 001; bisections worked out by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/topology/seed001_formulas.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/plain_networks.hpp"

namespace weft {
namespace {

using nlohmann::json;

Graph built(const json& topology, const json& vcs = 2, unsigned controllers = 1) {
  return build_graph(parse_config(
      {{"topology", topology}, {"router", {{"vcs", vcs}}}, {"nic", {{"controllers", controllers}}}},
      "net.json"));
}

struct Case {
  json topology;
  std::unique_ptr<plain::Net> net;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (unsigned n = 2; n <= 4; ++n) {
    for (unsigned bits = 1; bits <= n; ++bits) {
      for (unsigned delta = 0; delta < n; ++delta) {
        list.push_back(
            {{{"kind", "dce"}, {"n", n}, {"y_bits", bits}, {"delta", delta}},
             std::make_unique<plain::Dce>(n, std::vector<plain::Dce::Plane>{{bits, delta}})});
      }
    }
  }
  for (unsigned n = 2; n <= 3; ++n) {
    for (unsigned planes = 1; planes <= (n == 2 ? 3u : 2u); ++planes) {
      for (unsigned banyan = 0; banyan <= planes; ++banyan) {
        for (const unsigned rings : {1u, 2u, 8u}) {
          std::vector<plain::Dce::Plane> shape(planes - banyan, {n, 0});
          shape.insert(shape.end(), banyan, {n, 1});
          list.push_back(
              {{{"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", planes - banyan}, {"P", rings}},
               std::make_unique<plain::Dce>(n, shape, rings)});
        }
      }
    }
  }
  for (const std::vector<unsigned>& sizes : std::vector<std::vector<unsigned>>{
           {2}, {5}, {8}, {4, 4}, {5, 3}, {4, 1, 3}, {2, 2, 2}, {3, 4, 2}, {6, 5}}) {
    for (const bool torus : {false, true}) {
      list.push_back({{{"kind", torus ? "torus" : "mesh"}, {"dims", sizes}},
                      std::make_unique<plain::Grid>(sizes, torus)});
    }
  }
  for (unsigned levels = 1; levels <= 5; ++levels) {
    list.push_back(
        {{{"kind", "fat_tree"}, {"levels", levels}}, std::make_unique<plain::FatTree>(levels)});
    list.push_back(
        {{{"kind", "omega"}, {"levels", levels}}, std::make_unique<plain::Omega>(levels)});
  }
  return list;
}

// Each channel of a cycle waits for the next one, by the plain network's routes.
void check_cycle(const Graph& graph, const std::vector<Channel>& cycle, const plain::Waits& waits) {
  const auto plain_channel = [&](const Channel& c) {
    const Link& link = graph.links[c.link];
    return plain::Channel{link.src_block - graph.nodes, link.src_port, c.vc};
  };
  REQUIRE(!cycle.empty());
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto& list = waits.at(plain_channel(cycle[i]));
    const auto next = plain_channel(cycle[(i + 1) % cycle.size()]);
    REQUIRE(std::find(list.begin(), list.end(), next) != list.end());
  }
}

}  // namespace

TEST_CASE("figures by symmetry are those of all pairs") {
  for (const Case& c : cases()) {
    CAPTURE(c.topology.dump());
    const plain::Figures expected = plain::figures_of(*c.net);
    const unsigned needed = plain::vcs_needed(*c.net);
    for (const unsigned vcs : {1u, 2u, 5u}) {
      CAPTURE(vcs);
      const Graph graph = built(c.topology, vcs, vcs == 2 ? 2 : 1);
      const Topology& topology = find_topology(c.topology["kind"]);
      for (const std::uint32_t all_pairs_up_to : {0u, kExactNodes}) {
        const TopoFigures f = topo_figures(graph, topology, all_pairs_up_to);
        REQUIRE((f.exact_by == "all pairs") == (all_pairs_up_to != 0));
        REQUIRE_FALSE(f.sampled);
        REQUIRE(f.pairs == std::uint64_t{f.nodes} * f.nodes);
        REQUIRE(f.nodes == c.net->nodes);
        REQUIRE(f.diameter == expected.diameter);
        REQUIRE(f.mean_distance == doctest::Approx(expected.mean).epsilon(1e-12));
        REQUIRE(f.mean_distance_shortest == doctest::Approx(expected.shortest).epsilon(1e-12));
        REQUIRE(f.vcs_needed == needed);
        REQUIRE(f.deadlock_free == (vcs >= needed));
        REQUIRE(f.cycle.empty() == f.deadlock_free);
        if (!f.deadlock_free && vcs != 2) {
          check_cycle(graph, check_routes(graph, all_pairs_up_to).cycle,
                      plain::waits_of(*c.net, vcs));
        }
      }
    }
  }
}

TEST_CASE("figures by symmetry with a VC for each destination") {
  for (const Case& c : cases()) {
    CAPTURE(c.topology.dump());
    if (c.net->nodes > 40) continue;
    const Graph graph = built(c.topology, "per_destination");
    const plain::Figures expected = plain::figures_of(*c.net);
    const TopoFigures f = topo_figures(graph, find_topology(c.topology["kind"]), 0);
    CHECK(f.mean_distance == doctest::Approx(expected.mean).epsilon(1e-12));
    CHECK(f.diameter == expected.diameter);
    CHECK(f.vcs_needed == c.net->nodes);
    CHECK(f.deadlock_free == check_routes(graph).cycle.empty());
  }
}

TEST_CASE("crossbars by symmetry: blocks passed, as the address digits call for") {
  for (const std::vector<std::uint32_t>& dims :
       std::vector<std::vector<std::uint32_t>>{{4, 4}, {5, 3}, {2, 3, 2}, {2, 1, 3}, {7}}) {
    CAPTURE(json(dims).dump());
    const json topology = {{"kind", "hier_crossbar"}, {"dims", dims}};
    // The highest digit that differs, of those that there are, says how far up a packet goes.
    std::uint64_t sum = 0, below = 1, up = 0;
    for (const std::uint32_t size : dims) {
      if (size == 1) continue;
      sum += (2 * up++ + 1) * (size - 1) * below;
      below *= size;
    }
    const TopoFigures f = topo_figures(built(topology, 1), find_topology("hier_crossbar"), 0);
    CHECK(f.mean_distance == doctest::Approx(double(sum) / double(below)));
    CHECK(f.mean_distance_shortest == doctest::Approx(f.mean_distance));
    CHECK(f.diameter == 2 * up - 1);
    CHECK(f.deadlock_free);
    CHECK(f.exact_by == "symmetry of each digit's values: node 0");
  }
  const json flat = {{"kind", "crossbar_2d"}, {"dims", {5, 3}}};
  const TopoFigures f = topo_figures(built(flat, 1), find_topology("crossbar_2d"), 0);
  CHECK(f.mean_distance == doctest::Approx((4 * 3 + 2 * 3 + 8 * 5) / 15.0));
  CHECK(f.deadlock_free);
  CHECK(f.diameter == 5);
}

TEST_CASE("seed 001: the closed forms where they hold, and where they do not") {
  const auto exact = [](const json& topology) {
    return topo_figures(built(topology, 4), find_topology(topology["kind"]), 0);
  };
  const auto dce = [&](unsigned n, unsigned bits, unsigned delta) {
    return exact({{"kind", "dce"}, {"n", n}, {"y_bits", bits}, {"delta", delta}});
  };
  const auto mdce = [&](unsigned n, unsigned banyan, unsigned cubes) {
    return exact({{"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", cubes}});
  };
  for (unsigned n = 2; n <= 6; ++n) {
    CAPTURE(n);
    const TopoFigures banyan = dce(n, n, 1), cubes = dce(n, n, 0);
    CHECK(banyan.mean_distance == doctest::Approx(*seed001::dce(n, n, 1).mean_distance));
    CHECK(banyan.diameter == *seed001::dce(n, n, 1).diameter);
    CHECK(cubes.mean_distance == doctest::Approx(*seed001::dce(n, n, 0).mean_distance));
    CHECK(cubes.diameter == *seed001::dce(n, n, 0).diameter);
    CHECK(*seed001::mdce(n, 1, 0, 1).mean_distance ==
          doctest::Approx(*seed001::dce(n, n, 1).mean_distance));
  }
  for (unsigned n = 2; n <= 4; ++n) {
    CAPTURE(n);
    CHECK(mdce(n, 2, 0).mean_distance == doctest::Approx(*seed001::mdce(n, 2, 0, 1).mean_distance));
    CHECK(mdce(n, 2, 0).diameter == *seed001::mdce(n, 2, 0, 1).diameter);
    CHECK(mdce(n, 1, 1).mean_distance > *seed001::mdce(n, 1, 1, 1).mean_distance + 0.01);
    CHECK(mdce(n, 1, 1).diameter == *seed001::mdce(n, 1, 1, 1).diameter);
  }
  CHECK(mdce(2, 3, 0).mean_distance == doctest::Approx(*seed001::mdce(2, 3, 0, 1).mean_distance));
}

TEST_CASE("seed 001: table 1 as printed follows from its formulas but for (2, 0, 1)-MDCE") {
  struct Row {
    PaperFigures figures;
    double printed;
    bool follows;
  };
  const std::vector<std::uint32_t> flat = {512, 1024}, cube = {16, 8, 8}, big = {64, 128, 64};
  const std::vector<std::uint32_t> square = {32, 32};
  const Row rows[] = {
      {seed001::mdce(4, 2, 0, 1), 8.15, false}, {seed001::mdce(8, 2, 0, 1), 18.61, false},
      {seed001::mdce(4, 1, 1, 1), 6.44, true},  {seed001::mdce(8, 1, 1, 1), 14.49, true},
      {seed001::dce(8, 7, 1), 10.01, true},     {seed001::dce(16, 15, 1), 22.00, true},
      {seed001::dce(8, 7, 0), 12.52, true},     {seed001::dce(16, 15, 0), 28.50, true},
      {seed001::mesh(square), 32.00, true},     {seed001::mesh(flat), 768.00, true},
      {seed001::torus(square), 16.00, true},    {seed001::torus(flat), 384.00, true},
      {seed001::torus(cube), 8.00, true},       {seed001::torus(big), 64.00, true},
      {seed001::fat_tree(10), 17.00, true},     {seed001::fat_tree(19), 35.00, true},
      {seed001::omega(10), 10.00, true},        {seed001::omega(19), 19.00, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.printed);
    REQUIRE(row.figures.table1);
    CHECK(*row.figures.table1 == row.printed);
    REQUIRE(row.figures.mean_distance);
    CHECK((std::abs(*row.figures.mean_distance - row.printed) < 0.005) == row.follows);
  }
  CHECK(seed001::dce(8, 7, 2).empty());
  CHECK_FALSE(seed001::dce(8, 6, 1).mean_distance);
  CHECK_FALSE(seed001::mdce(4, 0, 2, 1).mean_distance);
  CHECK(*seed001::mdce(4, 0, 2, 1).diameter == 14);
  CHECK_FALSE(seed001::mdce(4, 1, 1, 2).table1);
  CHECK_FALSE(seed001::mdce(4, 0, 1, 1).table1);
  const PaperFigures paper = seed001::mdce(4, 1, 1, 1);
  CHECK(paper.diameter == 11);
  CHECK(paper.mean_distance == 6.4375);
  CHECK(paper.formula == "(6)");
  CHECK(paper.table1 == 6.44);
}

TEST_CASE("table 1 by count: 1,024 processors") {
  const auto mean = [](const json& topology) {
    return topo_figures(built(topology, 4), find_topology(topology["kind"]), 0).mean_distance;
  };
  CHECK(mean({{"kind", "fat_tree"}, {"levels", 10}}) == doctest::Approx(17.0 + 4.0 / 1024));
  CHECK(mean({{"kind", "omega"}, {"levels", 10}}) == 10);
  CHECK(mean({{"kind", "torus"}, {"dims", {32, 32}}}) == 16);
  CHECK(mean({{"kind", "torus"}, {"dims", {8, 8, 16}}}) == 8);
  CHECK(mean({{"kind", "mesh"}, {"dims", {32, 32}}}) == doctest::Approx(2 * 341.0 / 32));
}

TEST_CASE("bisections by hand") {
  const auto cut = [](const json& topology, unsigned controllers = 1) {
    const Bisection b = bisection(built(topology, 2, controllers));
    return fmt::format("{}: {}{}", b.links, b.cut, b.halves ? "" : " no halves");
  };
  // A line of k has one link each way in its middle, a ring two; so many lines.
  CHECK(cut({{"kind", "mesh"}, {"dims", {8, 4}}}) == "8: dimension 0 between 3 and 4");
  CHECK(cut({{"kind", "mesh"}, {"dims", {4, 6}}}) == "8: dimension 1 between 2 and 3");
  CHECK(cut({{"kind", "torus"}, {"dims", {8, 4}}}) == "16: dimension 0 between 3 and 4");
  // An odd size makes no halves and is ignored where another does.
  CHECK(cut({{"kind", "mesh"}, {"dims", {4, 5}}}) == "10: dimension 0 between 1 and 2");
  CHECK(cut({{"kind", "mesh"}, {"dims", {5, 5}}}) ==
        "10: dimension 0 between 1 and 2: 10 and 15 nodes no halves");
  // Bit b of y: the cross links of column b, one for each ring.
  CHECK(cut({{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 1}}) ==
        "8: dimension 1 between 3 and 4");
  CHECK(cut({{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}, {"P", 2}}) ==
        "64: dimension 1 between 3 and 4");
  // Half the nodes have a path up to the roots' other half, and as many down; in each plane.
  CHECK(cut({{"kind", "fat_tree"}, {"levels", 4}}) == "16: dimension 0 between 7 and 8");
  CHECK(cut({{"kind", "fat_tree"}, {"levels", 4}}, 2) == "32: dimension 0 between 7 and 8");
  CHECK(cut({{"kind", "omega"}, {"levels", 4}}) == "16: dimension 0 between 7 and 8");
}

TEST_CASE("bisections of crossbars: the lines into the crossbars between the halves") {
  const auto links = [](const json& topology) {
    return bisection(build_graph(parse_config({{"topology", topology}}, "net.json"))).links;
  };
  CHECK(links({{"kind", "full_crossbar"}, {"pes", 16}}) == 16);
  CHECK(links({{"kind", "hier_crossbar"}, {"dims", {8, 4}}}) == 32);
  CHECK(links({{"kind", "crossbar_2d"}, {"dims", {8, 4}}}) == 32);
}

TEST_CASE("large networks are analysed by symmetry, or by a sample") {
  struct Large {
    json topology;
    double mean;
    std::string by;
  };
  // Closed forms that are exact: (6) without CCC planes, rings of even size, levels.
  const Large larges[] = {
      {{{"kind", "mdce"}, {"n", 6}, {"B", 2}, {"C", 0}},
       *seed001::mdce(6, 2, 0, 1).mean_distance,
       "translation symmetry of y (xor): nodes (x, 0) for each column x"},
      {{{"kind", "torus"}, {"dims", {128, 64}}},
       48,
       "product of dimensions: all pairs on a line of each"},
      {{{"kind", "omega"}, {"levels", 14}}, 14, "translation symmetry of addresses (xor): node 0"},
  };
  for (const Large& large : larges) {
    CAPTURE(large.topology.dump());
    const TopoFigures f =
        topo_figures(built(large.topology, 4), find_topology(large.topology["kind"]));
    CHECK(f.nodes > kExactNodes);
    CHECK(f.mean_distance == doctest::Approx(large.mean).epsilon(1e-12));
    CHECK(f.exact_by == large.by);
    CHECK_FALSE(f.sampled);
    CHECK(f.pairs == std::uint64_t{f.nodes} * f.nodes);
  }
  // Which of three links along a ring a packet takes depends on its whole address.
  const Graph three = built({{"kind", "mdce"}, {"n", 5}, {"B", 1}, {"C", 1}, {"P", 3}}, 3);
  const RouteCheck routes = check_routes(three);
  CHECK(routes.sampled);
  CHECK(routes.exact_by.empty());
  CHECK(routes.cycle.empty());
  CHECK(routes.pairs == 256 * 5120);
}

}  // namespace weft
