// System boards (seed 003): ports, links, routes and VCs as plain_boards.hpp lays them, hops by a
// closed form, evenness, and refusals.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/router/route/route_board.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/plain_boards.hpp"

namespace weft {
namespace {

using nlohmann::json;

struct Shape {
  plain::Boards::Sizes sizes;
  unsigned mains, aggregators, controllers;

  json topology() const {
    return {{"kind", "board"}, {"dims", sizes}, {"mains", mains}, {"aggregators", aggregators}};
  }
  plain::Boards plain() const { return {sizes, mains, aggregators, controllers}; }
  Graph graph(const json& router = json::object()) const {
    const json nic = {{"controllers", controllers}};
    return build_graph(
        parse_config({{"topology", topology()}, {"nic", nic}, {"router", router}}, "net.json"));
  }
};

// Sizes 1 to 5 in every dimension, 1 to 8 mains, 1 to 4 aggregators, 1 to 8 controllers.
const Shape kShapes[] = {
    {{1, 1, 1, 1}, 1, 1, 1}, {{1, 1, 1, 1}, 8, 4, 8}, {{2, 2, 2, 2}, 2, 1, 1},
    {{3, 1, 2, 1}, 3, 2, 2}, {{2, 3, 1, 1}, 4, 3, 3}, {{4, 1, 1, 2}, 5, 4, 4},
    {{1, 4, 2, 1}, 6, 1, 5}, {{5, 1, 1, 1}, 7, 2, 6}, {{1, 1, 5, 1}, 8, 3, 7},
    {{2, 1, 1, 4}, 1, 4, 8}, {{4, 4, 1, 1}, 2, 2, 8}, {{1, 5, 1, 3}, 3, 1, 2},
    {{1, 2, 4, 2}, 2, 2, 1}, {{4, 2, 1, 4}, 1, 1, 1},
};

std::string refused(const json& topology) {
  try {
    build_graph(parse_config({{"topology", topology}}, "net.json"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Steps to a position in a ring, the shorter way.
unsigned apart(unsigned k, unsigned s, unsigned t) {
  const unsigned far = s > t ? s - t : t - s;
  return std::min(far, k - far);
}

// Hops of a route, from the positions of its ends alone.
unsigned hops(const Shape& shape, const plain::Boards::Position& s,
              const plain::Boards::Position& t) {
  const auto& k = shape.sizes;
  unsigned grid = 0;
  for (unsigned d = 1; d < 4; ++d) grid += apart(k[d], s.at[d], t.at[d]);
  const unsigned ring = apart(k[0], s.at[0], t.at[0]);
  const bool from_main = s.unit < shape.mains, to_main = t.unit < shape.mains;
  if (from_main && to_main) return grid + (s.unit == t.unit && ring == 0 ? 0 : ring + 2);
  if (from_main) return grid + 1 + ring;
  if (to_main) return grid == 0 ? ring + 1 : 1 + grid + (ring == 0 ? 0 : ring + 2);
  return (grid == 0 && s.unit == t.unit ? 0 : grid + 2) + ring;
}

}  // namespace

TEST_CASE("board: ports, and links as the plain network's") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.topology().dump());
    const Graph graph = shape.graph();
    const plain::Boards net = shape.plain();
    const unsigned units = shape.mains + shape.aggregators;
    REQUIRE(graph.nodes == net.nodes);
    REQUIRE(graph.blocks.size() == 2 * net.nodes);
    REQUIRE(graph.router_shapes.size() == 2);
    REQUIRE(graph.dims == std::vector<std::uint32_t>{units, shape.sizes[0], shape.sizes[1],
                                                     shape.sizes[2], shape.sizes[3]});
    for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
      const Block& router = graph.blocks[graph.nodes + rank];
      const bool main = rank % units < shape.mains;
      const unsigned to_others = main ? shape.aggregators + 6 : shape.mains + 2;
      REQUIRE(router.name == fmt::format("r_{}", rank));
      REQUIRE(router.num_in == to_others + shape.controllers);
      REQUIRE(router.num_out == to_others + shape.controllers);
      // What the others' in-ports are: the units' numbers on a board, else the out-port's.
      std::map<unsigned, std::pair<std::uint32_t, std::uint32_t>> expected;
      for (const auto& [port, to] : net.outs(rank)) {
        const bool on_board = port < (main ? shape.aggregators : shape.mains);
        const unsigned own = main ? rank % units : rank % units - shape.mains;
        expected[port] = {graph.nodes + to, on_board ? own : port};
      }
      for (unsigned i = 0; i < shape.controllers; ++i) expected[to_others + i] = {rank, i};
      for (unsigned port = 0; port < router.num_out; ++port) {
        const std::uint32_t link = graph.out_link[router.first_out + port];
        REQUIRE((link == kOpen) == (expected.count(port) == 0));
        if (link == kOpen) continue;
        REQUIRE(graph.links[link].dst_block == expected[port].first);
        REQUIRE(graph.links[link].dst_port == expected[port].second);
      }
    }
  }
}

TEST_CASE("board: a main has 4 + 6 ports, an aggregator 8 + 2") {
  const json topology = {{"kind", "board"}, {"dims", {4, 4, 4, 3}}};
  const Config config = parse_config({{"topology", topology}}, "net.json");
  CHECK(config.router.vcs == 2);
  const Graph graph = build_graph(config);
  REQUIRE(graph.nodes == 12 * 192);
  std::uint32_t links = 0;
  for (std::uint32_t block = graph.nodes; block < graph.blocks.size(); ++block) {
    const Block& router = graph.blocks[block];
    REQUIRE(router.num_out == ((block - graph.nodes) % 12 < 8 ? 4 + 6 + 1 : 8 + 2 + 1));
    for (std::uint32_t port = 0; port + 1 < router.num_out; ++port) {
      links += graph.out_link[router.first_out + port] != kOpen ? 1 : 0;
    }
  }
  CHECK(links == 192 * (8 * 10 + 4 * 10));
}

TEST_CASE("board: routes as the plain network's, by every link and both directions at ties") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.topology().dump());
    for (const unsigned vcs : {2u, 5u}) {
      const Graph graph = shape.graph({{"vcs", vcs}});
      const plain::Boards net = shape.plain();
      for (unsigned n = 0; n < 2 * shape.controllers; ++n) {
        for (std::uint32_t src = 0; src < graph.nodes; ++src) {
          for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
            const auto plain = net.route(src, dst, n / 2, n % 2 != 0, vcs);
            REQUIRE(plain.size() == hops(shape, net.position(src), net.position(dst)));
            std::size_t i = 0;
            std::uint32_t in_port = 0;
            const auto check = [&](std::uint32_t link, VcSet set) {
              const Link& l = graph.links[link];
              const std::uint32_t by = std::exchange(in_port, l.dst_port);
              if (l.src_block < graph.nodes) return;
              if (l.dst_block < graph.nodes) {
                REQUIRE(l.dst_port == (plain.empty() ? n / 2 : net.link_in(dst, by)));
                return;
              }
              REQUIRE(i < plain.size());
              const plain::Hop& hop = plain[i++];
              REQUIRE(l.src_block - graph.nodes == hop.from);
              REQUIRE(l.src_port == hop.port);
              REQUIRE(l.dst_block - graph.nodes == hop.to);
              for (unsigned vc = 0; vc < vcs; ++vc) {
                REQUIRE(may_request(set, 0, vc, vcs) == (vc >= hop.low && vc < hop.high));
              }
            };
            graph.walk(src, dst, check, n / 2, n % 2 != 0);
            REQUIRE(i == plain.size());
          }
        }
      }
    }
  }
}

TEST_CASE("board: two VCs are free of cycles, one VC is not where rings or turns close a cycle") {
  unsigned refused_with_one = 0;
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.topology().dump());
    const plain::Boards net = shape.plain();
    REQUIRE_FALSE(plain::cyclic(plain::waits_of(net, 2)));
    REQUIRE_FALSE(plain::cyclic(plain::waits_of(net, 3)));
    for (const unsigned vcs : {1u, 2u, 3u, 8u}) {
      const Graph graph = shape.graph({{"vcs", vcs}});
      const RouteCheck routes = check_routes(graph);
      if (vcs > 1) {
        REQUIRE(routes.exact_by == "product of dimensions: all pairs on a line of each");
      }
      REQUIRE_FALSE(routes.sampled);
      REQUIRE(routes.cycle.empty() == (vcs > 1 || !plain::cyclic(plain::waits_of(net, 1))));
      refused_with_one += routes.cycle.empty() ? 0 : 1;
    }
    // A VC for each destination.
    if (shape.plain().nodes > 64) continue;
    REQUIRE(check_routes(shape.graph({{"vcs", "per_destination"}})).cycle.empty());
  }
  CHECK(refused_with_one > std::size(kShapes) / 2);
}

TEST_CASE("board: figures") {
  const Shape shape = {{2, 2, 1, 3}, 3, 2, 1};
  const plain::Figures expected = plain::figures_of(shape.plain());
  const TopoFigures f = topo_figures(shape.graph(), find_topology("board"));
  CHECK(f.nodes == 60);
  CHECK(f.diameter == expected.diameter);
  CHECK(f.mean_distance == doctest::Approx(expected.mean));
  CHECK(f.mean_distance_shortest == doctest::Approx(expected.shortest));
  CHECK(f.degree_in == 6);
  CHECK(f.degree_out == 6);
  CHECK(f.links == 12 * (2 * 3 * 2 + 3 * 4 + 2 * 2));
  CHECK(f.vcs_needed == 2);
  CHECK(f.deadlock_free);
  CHECK(f.exact_by == "product of dimensions: all pairs on a line of each");
  const TopoFigures one = topo_figures(shape.graph({{"vcs", 1}}), find_topology("board"));
  CHECK_FALSE(one.deadlock_free);
  CHECK(one.cycle.find(" vc 0, waits for r_") != std::string::npos);
}

TEST_CASE("board: packets of an aggregator are spread over mains, and arrive at several ports") {
  for (unsigned controllers = 1; controllers <= 8; ++controllers) {
    const Shape shape = {{1, 3, 1, 1}, 8, 4, controllers};
    CAPTURE(controllers);
    const Graph graph = shape.graph();
    std::map<std::uint32_t, unsigned> uses;  // Uses of the mains of the first board.
    for (unsigned a = 0; a < 4; ++a) {
      std::set<std::uint32_t> mains, ports;
      for (unsigned link = 0; link < controllers; ++link) {
        // To the aggregator of the same number on the next board.
        std::vector<Link> way;
        graph.walk(
            8 + a, 12 + 8 + a, [&](std::uint32_t l) { way.push_back(graph.links[l]); }, link);
        REQUIRE(way.size() == 5);
        REQUIRE(way[1].dst_block - graph.nodes == (a * controllers + link) % 8);
        mains.insert(way[1].dst_block);
        ports.insert(way[4].dst_port);
        ++uses[way[1].dst_block];
      }
      CHECK(mains.size() == controllers);
      if (8 % controllers == 0) CHECK(ports.size() == controllers);
    }
    // All eight evenly where the links of a board's aggregators can be divided so.
    const unsigned even = 4 * controllers / 8;
    for (unsigned m = 0; m < 8; ++m) {
      const unsigned used = uses[graph.nodes + m];
      CHECK(used >= even);
      CHECK(used <= even + (4 * controllers % 8 != 0 ? 1 : 0));
    }
  }
}

TEST_CASE(
    "board: with as many controllers as links each of them has its own link to the interface") {
  // 4 + 2 + 2 links of a main without Y, 2 + 2 of an aggregator of two mains.
  for (const Shape& shape : {Shape{{1, 3, 1, 3}, 4, 4, 8}, Shape{{3, 1, 1, 1}, 2, 1, 4}}) {
    CAPTURE(shape.topology().dump());
    const Graph graph = shape.graph();
    // In-ports of the packets that arrive at a node by each link into its interface.
    std::map<std::uint32_t, std::map<std::uint32_t, std::set<std::uint32_t>>> in_ports;
    for (std::uint32_t src = 0; src < graph.nodes; ++src) {
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        for (const bool other : {false, true}) {
          std::vector<Link> way;
          graph.walk(
              src, dst, [&](std::uint32_t l, VcSet) { way.push_back(graph.links[l]); }, 0, other);
          if (src == dst) continue;
          in_ports[dst][way.back().dst_port].insert(way[way.size() - 2].dst_port);
        }
      }
    }
    for (const auto& [node, ports] : in_ports) {
      for (const auto& [port, of] : ports) CHECK(of.size() == 1);
    }
  }
}

TEST_CASE("board: the bound counts links that all routes of a message have") {
  const Shape shape = {{2, 3, 1, 1}, 4, 2, 2};
  const Graph graph = shape.graph();
  // Aggregator to aggregator over the mains: four links of the network, none of them certain.
  LinkLoad over(graph);
  over.add(4, 6 * 2 + 4, 10);
  CHECK(over.bound() == 5);
  // Along W the one link is certain, and so is the whole route of a main.
  LinkLoad along(graph);
  along.add(4, 6 + 4, 10);
  CHECK(along.bound() == 10);
  LinkLoad main(graph);
  main.add(0, 6 * 2, 10);
  CHECK(main.bound() == 10);
}

TEST_CASE("board: refusals") {
  const json good = {{"kind", "board"}, {"dims", {2, 2, 2, 2}}};
  CHECK(refused(good).empty());
  CHECK(refused({{"kind", "board"}, {"dims", {1, 1, 1, 1}}}).empty());
  const auto with = [&](const char* key, const json& value) {
    json topology = good;
    topology[key] = value;
    return refused(topology);
  };
  CHECK(with("dims", {2, 2, 2}) ==
        "net.json: /topology/dims: value [2,2,2]: expected: a list of 4 numbers, each 1 to 1024");
  CHECK(with("dims", {2, 2, 2, 2, 2}).find("expected: a list of 4 numbers") != std::string::npos);
  CHECK(with("dims", {2, 2, 0, 2}) ==
        "net.json: /topology/dims/2: value 0: expected: a whole number from 1 to 1024");
  CHECK(with("dims", {64, 64, 64, 2}).find("an address of 20 bits (these need 23") !=
        std::string::npos);
  CHECK(with("mains", 0) ==
        "net.json: /topology/mains: value 0: expected: a whole number from 1 to 54");
  CHECK(with("mains", 55).find("/topology/mains: value 55") != std::string::npos);
  CHECK(with("aggregators", 0) ==
        "net.json: /topology/aggregators: value 0: expected: a whole number from 1 to 50");
  CHECK(with("aggregators", "4").find("/topology/aggregators: value \"4\"") != std::string::npos);
  CHECK(with("units", 12).find("/topology/units") != std::string::npos);
  CHECK(refused({{"kind", "board"}})
            .find("expected: a list of 4 numbers, each 1 to 1024 (sizes W, X, Y, Z)") !=
        std::string::npos);
  // The largest boards, with the most controllers, are networks.
  const Shape most = {{1, 1, 1, 2}, 54, 50, 8};
  CHECK(most.graph().nodes == 208);
}

TEST_CASE("route_board: refusals") {
  const auto refuse = [](auto change, const char* words) {
    RouteConfig config;
    config.max_coords = {11, 1, 1, 1, 1};
    config.mains = 8;
    CHECK_NOTHROW(RouteBoard{config});
    change(config);
    CHECK_THROWS_WITH_AS(RouteBoard{config}, doctest::Contains(words), ConfigError);
  };
  refuse([](RouteConfig& c) { c.max_coords = {11, 1}; }, "2 dimensions, expected: 5");
  refuse([](RouteConfig& c) { c.mains = 0; }, "0 mains among 12 units, expected: 1 or more");
  refuse([](RouteConfig& c) { c.mains = 12; }, "12 mains among 12 units");
  refuse([](RouteConfig& c) { c.num_local = 0; }, "no local port");
}

}  // namespace weft
