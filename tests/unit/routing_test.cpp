// Routing algorithms: packets walk alone through whole networks, tile by tile, and are compared
// with breadth-first distances and with the waypoint of their stamp; the check of deadlock against
// dependencies found by exhaustive search and taken away until none or cycles are left; runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/run/prepare.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

const std::vector<json> kGridNetworks = {{{"kind", "torus"}, {"dims", {4, 3}}},
                                         {{"kind", "mesh"}, {"dims", {3, 4}}}};
const std::vector<json> kOfTables = {{{"kind", "dragonfly"}, {"p", 2}, {"a", 2}, {"h", 1}},
                                     {{"kind", "hyperx"}, {"dims", {3, 3}}},
                                     {{"kind", "ring"}, {"nodes", 6}},
                                     {{"kind", "tree"}, {"radix", 2}, {"levels", 3}},
                                     {{"kind", "hypercube"}, {"dimensions", 3}}};

Config routed(const json& topology, const std::string& routing, json more = json::object()) {
  json document = {{"topology", topology}, {"router", {{"routing", routing}}}};
  document.merge_patch(more);
  return parse_config(document, "net.json");
}

// Links between routers from each block to one, by breadth-first search against the links.
std::vector<std::uint32_t> hops_to(const Graph& graph, std::uint32_t router) {
  std::vector<std::uint32_t> hops(graph.blocks.size(), kOpen);
  std::deque<std::uint32_t> queue = {router};
  hops[router] = 0;
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    for (const Link& link : graph.links) {
      if (!graph.between_switches(link) || link.dst_block != at) continue;
      if (hops[link.src_block] != kOpen) continue;
      hops[link.src_block] = hops[at] + 1;
      queue.push_back(link.src_block);
    }
  }
  return hops;
}

std::uint32_t router_of(const Graph& graph, std::uint32_t rank) {
  return graph.links[graph.out_link[graph.blocks[rank].first_out]].dst_block;
}

struct FollowedWay {
  std::vector<std::uint32_t> routers;
  std::vector<unsigned> vcs;  // On the links between them.
};

// Of a packet that is alone in the network.
FollowedWay walk_of(const Graph& graph, std::uint32_t src, std::uint32_t dst, std::uint16_t stamp,
                    std::uint16_t vc) {
  FollowedWay walk;
  Flit flit;
  flit.valid = flit.last = true;
  flit.stamp = stamp;
  flit.vc = vc;
  flit.data = Header{.dst = graph.address[dst], .src = graph.address[src]}.pack(graph.header);
  std::uint32_t link = graph.out_link[graph.blocks[src].first_out];
  for (;;) {
    const Link& at = graph.links[link];
    if (at.dst_block < graph.nodes) {
      REQUIRE(at.dst_block == dst);
      return walk;
    }
    REQUIRE(walk.routers.size() < 4 * graph.blocks.size());
    walk.routers.push_back(at.dst_block);
    const RouterTileConfig config = graph.router_config(at.dst_block);
    RouterTile tile(config);
    std::vector<Flit> rx(config.num_ports);
    rx[at.dst_port] = flit;
    const std::vector<std::uint64_t> credit(config.num_ports);
    tile.step({rx.data(), std::uint64_t{1} << at.dst_port, credit.data(), 0, 0});
    const auto out = tile.out();
    REQUIRE(std::has_single_bit(out.tx_valid));
    const auto port = static_cast<unsigned>(std::countr_zero(out.tx_valid));
    flit = out.tx[port];
    link = graph.out_link[graph.blocks[at.dst_block].first_out + port];
    REQUIRE(link != kOpen);
    if (graph.links[link].dst_block >= graph.nodes) walk.vcs.push_back(flit.vc);
  }
}

// A channel of each class of packets once the classes have been seen.
void check_classes(const FollowedWay& walk, unsigned half) {
  for (std::size_t i = 1; i < walk.vcs.size(); ++i) {
    CHECK((walk.vcs[i - 1] < half || walk.vcs[i] >= half));
  }
}

}  // namespace

TEST_CASE("valiant: every way passes the waypoint of its stamp, in class 0 up to there") {
  std::vector<json> networks = kGridNetworks;
  networks.insert(networks.end(), kOfTables.begin(), kOfTables.end());
  for (const json& topology : networks) {
    CAPTURE(topology.dump());
    const Graph graph = build_graph(routed(topology, "valiant"));
    const unsigned half = graph.num_vc / 2;
    const RouteWaypoint draw(graph.router_shapes.front().route);
    std::set<std::uint32_t> passed;
    for (std::uint32_t i = 0; i < 300; ++i) {
      const std::uint32_t src = i * 7 % graph.nodes, dst = i * 5 / 3 % graph.nodes;
      const auto stamp = static_cast<std::uint16_t>(i * 411);
      const std::uint32_t drawn = draw.eval({stamp, graph.address[src]}).waypoint;
      const auto found = std::find(graph.address.begin(), graph.address.end(), drawn);
      REQUIRE(found != graph.address.end());
      const std::uint32_t by =
          router_of(graph, static_cast<std::uint32_t>(found - graph.address.begin()));
      passed.insert(by);
      const FollowedWay walk = walk_of(graph, src, dst, stamp, static_cast<std::uint16_t>(i % 2));
      const auto at = std::find(walk.routers.begin(), walk.routers.end(), by);
      REQUIRE(at != walk.routers.end());
      check_classes(walk, half);
      const auto first = static_cast<std::size_t>(at - walk.routers.begin());
      for (std::size_t hop = 0; hop < walk.vcs.size(); ++hop) {
        CHECK((walk.vcs[hop] >= half) == (hop >= first));
      }
    }
    CHECK(passed.size() > 2);
  }
}

TEST_CASE("message classes: the same way in the VCs of either class, all of which are used") {
  std::vector<json> networks = kGridNetworks;
  networks.insert(networks.end(), kOfTables.begin(), kOfTables.end());
  networks.push_back({{"kind", "mdce"}, {"n", 2}, {"B", 1}, {"C", 1}, {"P", 1}});
  networks.push_back({{"kind", "fat_tree"}, {"levels", 3}});
  for (const json& topology : networks) {
    CAPTURE(topology.dump());
    const Graph plain = build_graph(routed(topology, "auto"));
    for (const unsigned vcs : {2 * plain.num_vc, 8u}) {
      if (vcs > 8) continue;
      const Graph graph = build_graph(
          routed(topology, "auto", {{"router", {{"vcs", vcs}, {"message_classes", 2}}}}));
      std::set<unsigned> used;
      for (std::uint32_t i = 0; i < 60 * vcs; ++i) {
        const std::uint32_t src = i * 7 % graph.nodes, dst = i * 5 / 3 % graph.nodes;
        const auto stamp = static_cast<std::uint16_t>(i / 3);
        const auto vc = static_cast<std::uint16_t>(i % vcs);
        const FollowedWay walk = walk_of(graph, src, dst, stamp, vc);
        CHECK(walk.routers == walk_of(plain, src, dst, 0, 0).routers);
        for (const unsigned on : walk.vcs) {
          CHECK((on >= vcs / 2) == (vc >= vcs / 2));
          used.insert(on);
        }
      }
      // Alone, a packet takes the lowest VC of an allocated set; a set of low or high is one VC.
      CHECK(used.size() >= 2);
      if (topology["kind"] == "torus") CHECK(used.size() == vcs);
    }
  }
}

TEST_CASE("ugal goes directly through an empty network, in class 1") {
  for (const json& topology : kGridNetworks) {
    const Graph graph = build_graph(routed(topology, "ugal"));
    for (std::uint32_t i = 0; i < 100; ++i) {
      const std::uint32_t src = i % graph.nodes, dst = i * 5 / 3 % graph.nodes;
      const FollowedWay walk = walk_of(graph, src, dst, static_cast<std::uint16_t>(i), 0);
      CHECK(walk.routers.size() == 1 + hops_to(graph, router_of(graph, dst))[walk.routers[0]]);
      for (const unsigned vc : walk.vcs) CHECK(vc >= graph.num_vc / 2);
    }
  }
}

TEST_CASE(
    "minimal adaptive and o1turn: every hop comes nearer; o1turn keeps its class and turns "
    "once") {
  for (const json& topology : kGridNetworks) {
    for (const char* routing : {"minimal_adaptive", "o1turn"}) {
      const Graph graph = build_graph(routed(topology, routing));
      const unsigned half = graph.num_vc / 2;
      for (std::uint32_t src = 0; src < graph.nodes; ++src) {
        for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
          const std::vector<std::uint32_t> hops = hops_to(graph, router_of(graph, dst));
          for (std::uint16_t vc = 0; vc < graph.num_vc; ++vc) {
            const FollowedWay walk = walk_of(graph, src, dst, 0, vc);
            REQUIRE(walk.routers.size() == 1 + hops[walk.routers[0]]);
            if (routing == std::string("minimal_adaptive")) continue;
            for (const unsigned on : walk.vcs) CHECK((on >= half) == (vc >= half));
            // In dimension 0 first, or last: ranks differ by less than its size within it.
            const std::uint32_t size = graph.dims[0];
            std::vector<bool> across;
            for (std::size_t i = 1; i < walk.routers.size(); ++i) {
              across.push_back(
                  walk.routers[i] - graph.nodes - (walk.routers[i] - graph.nodes) % size !=
                  walk.routers[i - 1] - graph.nodes - (walk.routers[i - 1] - graph.nodes) % size);
            }
            CHECK(std::is_sorted(across.begin(), across.end(),
                                 [&](bool a, bool b) { return vc < half ? a < b : b < a; }));
          }
        }
      }
    }
  }
}

namespace {

// Whether channels wait in a cycle when a packet to each destination may take escape channels, by
// the route units, and shortest ways in between. Channels that wait for none are taken away.
bool can_wait_in_cycle(const Graph& graph, unsigned vcs) {
  using Id = std::pair<std::uint32_t, unsigned>;
  std::map<Id, std::set<Id>> waits;
  for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
    const std::vector<std::uint32_t> hops = hops_to(graph, router_of(graph, dst));
    const auto escapes = [&](std::uint32_t block) {
      std::set<Id> found;
      for (const bool other : {false, true}) {
        const RouteUnit& unit = *graph.route_units[graph.blocks[block].shape];
        const std::uint32_t own = graph.blocks[block].own;
        const RouteOut out = unit.route(0, own, own, graph.address[dst], other);
        for (unsigned vc = 0; vc < vcs && hops[block] != 0; ++vc) {
          const std::uint32_t link = graph.out_link[graph.blocks[block].first_out + out.port];
          if (may_request(out.set, 0, vc, vcs)) found.insert({link, vc});
        }
      }
      return found;
    };
    for (std::uint32_t from = graph.nodes; from < graph.blocks.size(); ++from) {
      for (const Id& held : escapes(from)) {
        std::set<std::uint32_t> reached = {graph.links[held.first].dst_block};
        std::deque<std::uint32_t> queue(reached.begin(), reached.end());
        for (; !queue.empty(); queue.pop_front()) {
          const std::set<Id> next = escapes(queue.front());
          waits[held].insert(next.begin(), next.end());
          for (const Link& link : graph.links) {
            if (!graph.between_switches(link) || link.src_block != queue.front()) continue;
            if (hops[link.dst_block] + 1 != hops[link.src_block]) continue;
            if (reached.insert(link.dst_block).second) queue.push_back(link.dst_block);
          }
        }
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = waits.begin(); it != waits.end();) {
      std::erase_if(it->second, [&](const Id& id) { return !waits.contains(id); });
      changed |= it->second.empty();
      it = it->second.empty() ? waits.erase(it) : std::next(it);
    }
  }
  return !waits.empty();
}

}  // namespace

TEST_CASE("escape channels wait in a cycle where an exhaustive search finds one") {
  unsigned free = 0, cyclic = 0;
  for (const json& dims : {json{4}, json{5}, json{3, 3}, json{4, 3}, json{2, 4}, json{2, 2, 3}}) {
    for (const char* kind : {"torus", "mesh"}) {
      for (const unsigned vcs : {2u, 4u, 6u}) {
        const Graph graph = build_graph(routed({{"kind", kind}, {"dims", dims}}, "minimal_adaptive",
                                               {{"router", {{"vcs", vcs}}}}));
        const RouteCheck check = check_routes(graph);
        const bool expected = can_wait_in_cycle(graph, vcs / 2);
        CAPTURE(dims.dump());
        CAPTURE(kind);
        CAPTURE(vcs);
        CHECK(check.cycle.empty() == !expected);
        for (std::size_t i = 0; i < check.cycle.size(); ++i) CHECK(check.cycle[i].vc < vcs / 2);
        (expected ? cyclic : free) += 1;
      }
    }
  }
  CHECK(free > 10);
  CHECK(cyclic > 2);
}

TEST_CASE("networks without the VCs of a routing are refused with the cycle") {
  RouteChecks checks;
  for (const char* routing : {"o1turn", "valiant", "ugal", "minimal_adaptive"}) {
    const json topology = {{"kind", "torus"}, {"dims", {4, 4}}};
    const Config config = routed(topology, routing, {{"router", {{"vcs", 2}}}});
    CHECK_THROWS_WITH_AS(check_network(config, checks),
                         doctest::Contains("router.vcs of at least 4"), ConfigError);
    CHECK_THROWS_WITH_AS(check_network(config, checks), doctest::Contains("waits for"),
                         ConfigError);
    const Config enough = routed(topology, routing);
    CHECK(enough.router.vcs == 4);
    CHECK_NOTHROW(check_network(enough, checks));
    CHECK(topo_figures(build_graph(enough), find_topology("torus")).vcs_needed == 4);
    // Packets of one class round a ring in one VC.
    CHECK_THROWS_WITH_AS(check_network(routed({{"kind", "ring"}, {"nodes", 5}}, "valiant",
                                              {{"router", {{"vcs", 2}}}}),
                                       checks),
                         doctest::Contains("/router/vcs"), ConfigError);
  }
  for (const json& router :
       {json{{"vcs", 1}}, json{{"vcs", 3}}, json{{"vcs", 10}}, json{{"vcs", "per_destination"}},
        json{{"dateline", "balanced"}}, json{{"dateline", "crossing"}}}) {
    CAPTURE(router.dump());
    CHECK_THROWS_AS(
        routed({{"kind", "torus"}, {"dims", {4}}}, "minimal_adaptive", {{"router", router}}),
        ConfigError);
  }
  CHECK_THROWS_AS(routed(kOfTables[0], "minimal_adaptive"), ConfigError);
  CHECK_THROWS_AS(routed({{"kind", "omega"}, {"levels", 3}}, "valiant"), ConfigError);
}

TEST_CASE("all data arrive with every routing, on engines flit and model alike") {
  for (const bool grid : {true, false}) {
    for (const json& topology : grid ? kGridNetworks : kOfTables) {
      for (const char* routing : {"valiant", "ugal", "o1turn", "minimal_adaptive"}) {
        if (!grid && routing[0] != 'v' && routing[0] != 'u') continue;
        for (const json& work :
             {json{{"collective", "a2a"}, {"message_flits", 9}},
              json{{"collective", "allreduce_ring"}, {"bytes", 1024}},
              json{{"traffic", "uniform"}, {"rate", 0.6}, {"warmup", 50}, {"measure", 300}}}) {
          for (const char* switching : {"wormhole", "cut_through"}) {
            json more = {{"workload", work},
                         {"router", {{"switching", switching}, {"vc_depth", 16}}}};
            if (work.contains("collective")) {
              more["processor"] = "native";
              more["nic"] = {{"packet_flits", 9}, {"controllers", 2}};
            }
            const Config config = routed(topology, routing, more);
            CAPTURE(to_json(config).dump());
            RunOptions options;
            options.engine = "flit";
            const Graph graph = build_graph(config);
            const Result flit = run(config, graph, options);
            CHECK(flit.data_errors + flit.order_errors + flit.parity_errors == 0);
            options.engine = "model";
            const Result model = run(config, graph, options);
            CHECK(model.digest == flit.digest);
            CHECK(model.stepped.find(routing) != std::string::npos);
          }
        }
      }
    }
  }
}

}  // namespace weft
