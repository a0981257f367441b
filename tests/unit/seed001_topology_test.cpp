// DCE, MDCE, fat tree and omega networks: wiring as defined (tests/unit/plain_networks.hpp and,
// once more, by the formulas of the paper), VCs, and refusals.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/topology/dce_networks.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/plain_networks.hpp"

namespace weft {
namespace {

using nlohmann::json;

Graph built(const json& topology, unsigned controllers = 1) {
  return build_graph(
      parse_config({{"topology", topology}, {"nic", {{"controllers", controllers}}}}, "net.json"));
}

std::string refused(const json& topology) {
  try {
    built(topology);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Where an out-port leads: a block, or kOpen.
std::uint32_t leads_to(const Graph& graph, std::uint32_t block, std::uint32_t port) {
  const std::uint32_t link = graph.out_link[graph.blocks[block].first_out + port];
  return link == kOpen ? kOpen : graph.links[link].dst_block;
}

// Every port of every router leads where the plain network's does, or nowhere; local ones home.
void check_routers(const Graph& graph, const plain::Net& net) {
  REQUIRE(graph.nodes == net.nodes);
  REQUIRE(graph.blocks.size() == 2 * net.nodes);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const Block& router = graph.blocks[graph.nodes + rank];
    std::vector<std::uint32_t> expected(router.num_out, kOpen);
    for (std::uint32_t i = 0; i < graph.nic_links; ++i) {
      expected[router.num_out - graph.nic_links + i] = rank;
    }
    for (const auto& [port, to] : net.outs(rank)) expected[port] = graph.nodes + to;
    for (std::uint32_t port = 0; port < router.num_out; ++port) {
      REQUIRE(leads_to(graph, graph.nodes + rank, port) == expected[port]);
      // Links lead from an out-port to the in-port of the same number.
      if (expected[port] < graph.nodes || expected[port] == kOpen) continue;
      const std::uint32_t link = graph.out_link[router.first_out + port];
      REQUIRE(graph.links[link].dst_port == port);
    }
  }
}

}  // namespace

TEST_CASE("dce: (x, y) -> (x + 1, y) and (x + delta, y with bit x inverted)") {
  for (unsigned n = 2; n <= 5; ++n) {
    for (unsigned bits = 1; bits <= n; ++bits) {
      for (unsigned delta = 0; delta < n + 2; ++delta) {
        const json topology = {{"kind", "dce"}, {"n", n}, {"y_bits", bits}, {"delta", delta}};
        CAPTURE(topology.dump());
        const Graph graph = built(topology, 1 + delta % 2);
        REQUIRE(graph.nodes == n << bits);
        REQUIRE(graph.dims == std::vector<std::uint32_t>{n, 1u << bits});
        for (unsigned x = 0; x < n; ++x) {
          for (unsigned y = 0; y < 1u << bits; ++y) {
            const std::uint32_t router = graph.nodes + x + n * y;
            REQUIRE(graph.blocks[router].name == fmt::format("r_{}", x + n * y));
            REQUIRE(leads_to(graph, router, 0) == graph.nodes + (x + 1) % n + n * y);
            const std::uint32_t across =
                x < bits ? graph.nodes + (x + delta) % n + n * (y ^ 1u << x) : kOpen;
            REQUIRE(leads_to(graph, router, 1) == across);
          }
        }
        check_routers(graph, plain::Dce(n, {{bits, delta}}));
      }
    }
  }
}

TEST_CASE("mdce: planes share the rings; CCC planes before Banyan planes") {
  for (unsigned n = 2; n <= 3; ++n) {
    for (unsigned cubes = 0; cubes <= 2; ++cubes) {
      for (unsigned banyan = 0; banyan <= 2; ++banyan) {
        for (unsigned rings = 1; rings <= 3; ++rings) {
          if (cubes + banyan == 0) continue;
          const json topology = {
              {"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", cubes}, {"P", rings}};
          CAPTURE(topology.dump());
          std::vector<plain::Dce::Plane> planes(cubes, {n, 0});
          planes.insert(planes.end(), banyan, {n, 1});
          check_routers(built(topology), plain::Dce(n, planes, rings));
        }
      }
    }
  }
  // P is 1 where it is not set; nodes of one partition, here one bit of one plane, stay in it.
  const Graph graph = built({{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}});
  CHECK(graph.blocks[graph.nodes].num_out == 4);
  const auto region = [](std::uint32_t rank) { return rank / 3 >> 4 & 1; };
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (region(src) != region(dst)) continue;
      graph.walk(src, dst, [&](std::uint32_t link) {
        REQUIRE(region(graph.links[link].dst_block % graph.nodes) == region(src));
      });
    }
  }
}

TEST_CASE("dce, mdce: the VCs told in advance are the least without a cycle, which else is named") {
  const auto check = [](const json& topology, const DceShape& shape, unsigned spare) {
    CAPTURE(topology.dump());
    const unsigned classes = dce_classes(shape), least = classes - spare;
    const Config config = parse_config({{"topology", topology}}, "net.json");
    CHECK(config.router.vcs == classes);
    REQUIRE(least_vcs(build_graph(config), 8) == least);
    if (least == 1) return;
    const json fewer = {{"topology", topology}, {"router", {{"vcs", least - 1}}}};
    const TopoFigures f =
        topo_figures(build_graph(parse_config(fewer, "net.json")), find_topology(topology["kind"]));
    CHECK(f.vcs_needed == least);
    CHECK_FALSE(f.deadlock_free);
    CHECK(f.cycle.find(fmt::format(" vc {}, waits for r_", least - 2)) != std::string::npos);
  };
  for (std::uint32_t n = 2; n <= 5; ++n) {
    for (std::uint32_t bits = 1; bits <= n; ++bits) {
      for (std::uint32_t delta = 0; delta < n; ++delta) {
        // Here no packet of the last class goes far enough to close a cycle with an earlier class.
        const unsigned spare = n == 5 && bits == 3 && delta == 4 ? 1 : 0;
        check({{"kind", "dce"}, {"n", n}, {"y_bits", bits}, {"delta", delta}},
              {.columns = n, .planes = {{bits, delta}}}, spare);
        if (n < 5 && spare == 0) continue;
        CHECK(plain::vcs_needed(plain::Dce(n, {{bits, delta}})) ==
              dce_classes({.columns = n, .planes = {{bits, delta}}}) - spare);
      }
    }
  }
  for (std::uint32_t n = 2; n <= 3; ++n) {
    for (std::uint32_t banyan = 0; banyan <= 2; ++banyan) {
      for (std::uint32_t cubes = 0; cubes <= 2; ++cubes) {
        if (banyan + cubes == 0) continue;
        DceShape shape{.columns = n, .planes = {}};
        shape.planes.assign(cubes, {n, 0});
        shape.planes.insert(shape.planes.end(), banyan, {n, 1});
        check({{"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", cubes}}, shape, 0);
      }
    }
  }
}

TEST_CASE("fat_tree, omega: every port of every switch, in each plane") {
  for (unsigned levels = 1; levels <= 5; ++levels) {
    const plain::FatTree tree(levels);
    const plain::Omega omega(levels);
    for (const bool is_tree : {true, false}) {
      const plain::Net& net = is_tree ? static_cast<const plain::Net&>(tree) : omega;
      for (const unsigned planes : {1u, 3u}) {
        const json topology = {{"kind", is_tree ? "fat_tree" : "omega"}, {"levels", levels}};
        CAPTURE(topology.dump());
        const Graph graph = built(topology, planes);
        const std::uint32_t switches = net.vertices - net.nodes;
        REQUIRE(graph.nodes == net.nodes);
        REQUIRE(graph.blocks.size() == net.nodes + planes * switches);
        for (std::uint32_t v = 0; v < net.vertices; ++v) {
          for (std::uint32_t plane = 0; plane < planes; ++plane) {
            const std::uint32_t block = v < net.nodes ? v : v + plane * switches;
            for (const auto& [port, to] : net.outs(v)) {
              const std::uint32_t expected = to < net.nodes ? to : to + plane * switches;
              REQUIRE(leads_to(graph, block, v < net.nodes ? plane : port) == expected);
            }
          }
        }
        // No other links: as many as the plain network has, in each plane.
        std::uint32_t links = 0;
        for (std::uint32_t v = 0; v < net.vertices; ++v) {
          links += static_cast<std::uint32_t>(net.outs(v).size());
        }
        REQUIRE(graph.connected_links() == planes * links);
      }
    }
  }
}

TEST_CASE("dce, mdce, fat_tree, omega: refusals name the key, the value and what is expected") {
  const auto says = [](const json& topology, const std::string& words) {
    CAPTURE(topology.dump());
    const std::string message = refused(topology);
    CAPTURE(message);
    CHECK(message.find("net.json: " + words) != std::string::npos);
  };
  const json dce = {{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 1}};
  const auto dce_with = [&](const char* key, const json& value) {
    json changed = dce;
    changed[key] = value;
    return changed;
  };
  says(dce_with("y_bits", 5), "/topology/y_bits: value 5: expected: 1 to 4: at most one for each");
  says(dce_with("y_bits", 0), "/topology/y_bits: value 0: expected: a whole number from 1 to 19");
  says(dce_with("n", 1), "/topology/n: value 1: expected: a whole number from 2 to 1024");
  says(dce_with("n", 1025), "/topology/n: value 1025: expected");
  says(dce_with("delta", -1), "/topology/delta: value -1: expected");
  says(dce_with("dims", {4}), "/topology/dims: unknown key");
  for (const char* key : {"n", "y_bits", "delta"}) {
    json missing = dce;
    missing.erase(key);
    says(missing, fmt::format("/topology/{}: missing", key));
  }
  says({{"kind", "dce"}, {"n", 4}, {"y_bits", 3}},
       "/topology/delta: missing: expected: a whole number from 0 to 1024 (columns that a cross "
       "link advances: 0 (cube-connected cycles), 1 (circular Banyan)");
  // An address has 20 bits, 5 of them for 20 columns.
  says({{"kind", "dce"}, {"n", 20}, {"y_bits", 16}, {"delta", 1}},
       "/topology/y_bits: value 16: expected: 1 to 15");

  const auto mdce = [](int n, int banyan, int cubes) -> json {
    return {{"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", cubes}};
  };
  says(mdce(4, 0, 0), "/topology: value ");
  CHECK(refused(mdce(4, 0, 0)).find("expected: B + C of 1 or more") != std::string::npos);
  CHECK(refused(mdce(4, 3, 2)).find("expected: B + C up to 4 with n = 4") != std::string::npos);
  CHECK(refused(mdce(9, 1, 1)).find("expected: B + C up to 1 with n = 9") != std::string::npos);
  CHECK(refused(mdce(2, 4, 4)).find("expected: B + C up to 7 with n = 2") != std::string::npos);
  says(mdce(4, -1, 1), "/topology/B: value -1: expected");
  says(mdce(4, 1, 8), "/topology/C: value 8: expected: a whole number from 0 to 7");
  says(mdce(1, 1, 1), "/topology/n: value 1: expected");
  says({{"kind", "mdce"}, {"n", 4}, {"C", 1}}, "/topology/B: missing");
  says({{"kind", "mdce"}, {"n", 4}, {"B", 1}}, "/topology/C: missing");
  says({{"kind", "mdce"}, {"n", 4}, {"B", 1}, {"C", 1}, {"P", 0}},
       "/topology/P: value 0: expected: a whole number from 1 to 8");

  for (const char* kind : {"fat_tree", "omega"}) {
    for (const json& levels : {json(0), json(20), json(-1), json("4")}) {
      says({{"kind", kind}, {"levels", levels}},
           "/topology/levels: value " + levels.dump() + ": expected: a whole number from 1 to 19");
    }
    says({{"kind", kind}}, "/topology/levels: missing");
    says({{"kind", kind}, {"levels", 4}, {"dims", {4}}}, "/topology/dims: unknown key");
  }
}

}  // namespace weft
