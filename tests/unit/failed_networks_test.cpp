// Networks of which a part has failed, against other algorithms: components by union-find, ways of
// the tables followed one by one and compared with breadth-first search over the links that are
// left, dependencies of channels sorted topologically; and runs on what is left.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/run/prepare.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

Graph failed_graph(const json& document) {
  return build_graph(parse_config(document, "net.json"));
}

json with_failed(json topology, json failed) {
  topology["failed"] = std::move(failed);
  return {{"topology", std::move(topology)}};
}

std::string failed_refusal(const json& document) {
  try {
    Config config = parse_config(document, "net.json");
    RouteChecks routes;
    prepare_run(config, {}, routes);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

// Names of the links between routers.
std::set<std::string> links_between_routers(const Graph& graph) {
  std::set<std::string> names;
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    if (graph.between_switches(graph.links[l])) names.insert(graph.link_name(l));
  }
  return names;
}

// Sets of routers that links connect, whatever their direction.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parent_;
};

// Links between routers on the ways from one router to all, by breadth-first search.
std::vector<std::uint32_t> hops_from(const Graph& graph, std::uint32_t router) {
  std::vector<std::vector<std::uint32_t>> next(graph.blocks.size());
  for (const Link& link : graph.links) {
    if (graph.between_switches(link)) next[link.src_block].push_back(link.dst_block);
  }
  std::vector<std::uint32_t> hops(graph.blocks.size(), kOpen);
  std::deque<std::uint32_t> queue = {router};
  hops[router] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    for (const std::uint32_t to : next[queue.front()]) {
      if (hops[to] != kOpen) continue;
      hops[to] = hops[queue.front()] + 1;
      queue.push_back(to);
    }
  }
  return hops;
}

// What following the tables of all pairs has shown.
struct FollowedTables {
  std::uint64_t pairs = 0, connected = 0, hops = 0, least = 0;  // Ordered pairs of nodes.
  bool acyclic = false;
};

FollowedTables follow_tables(const Graph& graph) {
  FollowedTables all;
  const auto router_of = [&](std::uint32_t rank) {
    return graph.links[graph.out_link[graph.blocks[rank].first_out]].dst_block;
  };
  const unsigned vcs = graph.num_vc;
  // Channels are numbered: link times VCs, plus VC.
  std::vector<std::set<std::uint32_t>> after(graph.links.size() * vcs);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    const auto least = hops_from(graph, router_of(src));
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (src == dst) continue;
      ++all.pairs;
      if (!graph.connected(src, dst)) continue;
      ++all.connected;
      std::uint32_t link = graph.out_link[graph.blocks[src].first_out], hops = 0;
      std::vector<unsigned> held(vcs);
      std::iota(held.begin(), held.end(), 0u);
      while (graph.links[link].dst_block >= graph.nodes) {
        const Link& at = graph.links[link];
        const RouteOut out =
            graph.route(at.dst_block, at.dst_port, graph.address[src], graph.address[dst]);
        const std::uint32_t next = graph.out_link[graph.blocks[at.dst_block].first_out + out.port];
        REQUIRE(next != kOpen);
        if (graph.between_switches(graph.links[next])) {
          REQUIRE(++hops < graph.blocks.size());
          std::vector<unsigned> granted;
          for (unsigned vc = 0; vc < vcs; ++vc) {
            bool any = false;
            for (const unsigned own : held) {
              if (!may_request(out.set, own, vc, vcs)) continue;
              any = true;
              if (hops > 1) after[link * vcs + own].insert(next * vcs + vc);
            }
            if (any) granted.push_back(vc);
          }
          REQUIRE(!granted.empty());
          held = granted;
        }
        link = next;
      }
      REQUIRE(graph.links[link].dst_block == dst);
      all.hops += hops;
      all.least += least[router_of(dst)];
    }
  }
  // Kahn's topological sort reaches every channel only if there is no cycle.
  std::vector<std::uint32_t> before(after.size()), ready;
  for (const auto& next : after) {
    for (const std::uint32_t channel : next) ++before[channel];
  }
  for (std::uint32_t c = 0; c < after.size(); ++c) {
    if (before[c] == 0) ready.push_back(c);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (const std::uint32_t channel : after[ready[i]]) {
      if (--before[channel] == 0) ready.push_back(channel);
    }
  }
  all.acyclic = ready.size() == after.size();
  return all;
}

// Compares what a graph says of its components with union-find; whether all nodes are connected.
bool check_components(const Graph& graph) {
  UnionFind sets(graph.blocks.size());
  for (const Link& link : graph.links) {
    if (link.src_block != kOpen) sets.join(link.src_block, link.dst_block);
  }
  std::uint64_t cut = 0;
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      const bool same = sets.root(src) == sets.root(dst);
      if (src == dst) continue;
      REQUIRE(graph.connected(src, dst) == same);
      cut += !same;
    }
  }
  CHECK(graph.failures.cut_pairs == cut);
  return cut == 0;
}

}  // namespace

// With FAILED_DRAWS=1000 in the environment this is the study of scripts/failed_links.sh.
TEST_CASE("failed networks: every connected pair of random draws has a way, without deadlock") {
  const char* const wanted = std::getenv("FAILED_DRAWS");
  const int draws = wanted != nullptr ? std::atoi(wanted) : 12;
  for (const char* const kind : {"torus", "mesh"}) {
    const json topology = {{"kind", kind}, {"dims", {8, 8}}};
    const auto whole_links = links_between_routers(failed_graph({{"topology", topology}}));
    int whole = 0, shortest = 0;
    std::uint64_t connected = 0, pairs = 0, hops = 0, least = 0;
    for (int seed = 1; seed <= draws; ++seed) {
      CAPTURE(kind);
      CAPTURE(seed);
      const Graph graph = failed_graph(with_failed(topology, {{"share", 0.1}, {"seed", seed}}));
      const auto left = links_between_routers(graph);
      // 128 connections of the torus, 112 of the mesh; both directions of each.
      REQUIRE(whole_links.size() - left.size() == 2 * (kind == std::string("torus") ? 13 : 11));
      REQUIRE(std::ranges::includes(whole_links, left));
      for (const Link& link : graph.links) {
        if (!graph.between_switches(link)) continue;
        REQUIRE(std::ranges::any_of(graph.links, [&](const Link& back) {
          return back.src_block == link.dst_block && back.dst_block == link.src_block;
        }));
      }
      whole += check_components(graph);
      const FollowedTables tables = follow_tables(graph);
      REQUIRE(tables.acyclic);
      REQUIRE(check_routes(graph).cycle.empty());
      REQUIRE(tables.hops >= tables.least);
      const bool is_shortest = graph.failures.routing.starts_with("shortest");
      if (is_shortest) REQUIRE(tables.hops == tables.least);
      shortest += is_shortest;
      connected += tables.connected;
      pairs += tables.pairs;
      hops += tables.hops;
      least += tables.least;
    }
    if (wanted == nullptr) continue;
    fmt::print(
        "{}: {} draws, {} whole, {} by shortest ways, the others by up*/down*; {} of {} "
        "pairs connected, all delivered; mean way {:.3f} links, shortest {:.3f}\n",
        kind, draws, whole, shortest, connected, pairs,
        static_cast<double>(hops) / static_cast<double>(connected),
        static_cast<double>(least) / static_cast<double>(connected));
  }
}

TEST_CASE("failed networks: the check before cycle 0 finds a cycle where there is one") {
  const json topology = {{"kind", "torus"}, {"dims", {4, 4}}};
  json document = with_failed(topology, {{"routers", {"r_5"}}});
  document["router"] = {{"vcs", 1}, {"routing", "shortest"}};
  document["deadlock_check"] = false;
  const Graph graph = failed_graph(document);
  CHECK_FALSE(follow_tables(graph).acyclic);
  CHECK_FALSE(check_routes(graph).cycle.empty());
  // One VC suffices for up*/down*, which "auto" takes then.
  document["router"]["routing"] = "auto";
  const Graph other = failed_graph(document);
  CHECK(other.failures.routing.starts_with("up*/down*"));
  CHECK(follow_tables(other).acyclic);
  CHECK(check_routes(other).cycle.empty());
}

TEST_CASE("failed networks: all kinds of routers, with nodes cut off") {
  const json kinds[] = {
      {{"kind", "torus"}, {"dims", {2, 3, 2}}},
      {{"kind", "mesh"}, {"dims", {5, 3}}},
      {{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 0}},
      {{"kind", "mdce"}, {"n", 3}, {"B", 0}, {"C", 1}, {"P", 2}},
      {{"kind", "fat_tree"}, {"levels", 4}},
      {{"kind", "board"}, {"dims", {2, 2, 2, 1}}, {"mains", 2}, {"aggregators", 2}},
      {{"kind", "ring"}, {"nodes", 9}},
      {{"kind", "hypercube"}, {"dimensions", 4}},
      {{"kind", "hyperx"}, {"dims", {4, 3}}, {"nodes_per_router", 2}},
      {{"kind", "dragonfly"}, {"p", 2}, {"a", 3}, {"h", 2}},
      {{"kind", "tree"}, {"radix", 3}, {"levels", 2}},
  };
  for (const json& topology : kinds) {
    for (int seed = 1; seed <= 3; ++seed) {
      CAPTURE(topology.dump());
      CAPTURE(seed);
      const Graph whole = failed_graph({{"topology", topology}});
      // Names in numerical order of blocks: the second router, with its nodes.
      const std::string router = whole.blocks[whole.nodes + 1].name;
      const json failed = {{"routers", {router}}, {"share", 0.1}, {"seed", seed}};
      const Graph graph = failed_graph(with_failed(topology, failed));
      CHECK(graph.failures.routers == 1);
      for (const std::string& name : links_between_routers(graph)) {
        CHECK((name + " ").find(router + " ") == std::string::npos);
      }
      const FollowedTables tables = follow_tables(graph);
      CHECK(tables.acyclic);
      CHECK(tables.pairs - tables.connected == graph.failures.cut_pairs);
      CHECK(check_routes(graph).cycle.empty());
      const TopoFigures figures = topo_figures(graph, find_topology(topology.at("kind")));
      CHECK(figures.deadlock_free);
      // A node to itself counts, unless its router is dead.
      CHECK(figures.pairs == tables.connected + graph.nodes - graph.failures.dead_nodes);
      CHECK(figures.mean_distance * static_cast<double>(figures.pairs) ==
            doctest::Approx(static_cast<double>(tables.hops)));
      CHECK(figures.mean_distance_shortest * static_cast<double>(figures.pairs) ==
            doctest::Approx(static_cast<double>(tables.least)));
    }
  }
}

TEST_CASE(
    "failed networks: a link by either name, both directions, and draws of their own stream") {
  const json mesh = {{"kind", "mesh"}, {"dims", {3, 3}}};
  const auto whole = links_between_routers(failed_graph({{"topology", mesh}}));
  const auto left = [&](const json& failed) {
    return links_between_routers(failed_graph(with_failed(mesh, failed)));
  };
  auto expected = whole;
  expected.erase("r_4 out 0 -> r_5 in 0");
  expected.erase("r_5 out 1 -> r_4 in 1");
  CHECK(left({{"links", {"r_4 -> r_5"}}}) == expected);
  CHECK(left({{"links", {"r_5 -> r_4"}}}) == expected);
  CHECK(left({{"links", {"r_4 out 0 -> r_5 in 0"}}}) == expected);
  CHECK(left({{"share", 0.25}}) == left({{"share", 0.25}, {"seed", 1}}));
  CHECK(left({{"share", 0.25}}) != left({{"share", 0.25}, {"seed", 2}}));
  // The run's seed does not change the network.
  json document = with_failed(mesh, {{"share", 0.25}});
  document["seed"] = 7;
  CHECK(links_between_routers(failed_graph(document)) == left({{"share", 0.25}}));
  CHECK(left({{"share", 1}}).empty());
  // Nothing has failed: the kind's own routes, and no such key in the echo.
  const Config none = parse_config(with_failed(mesh, {{"share", 0}}), "net.json");
  CHECK_FALSE(to_json(none.topology).contains("failed"));
  CHECK(build_graph(none).in_dimension_order());
}

TEST_CASE("failed networks: runs on what is left") {
  json document = with_failed({{"kind", "mesh"}, {"dims", {4, 4}}},
                              {{"routers", {"r_5"}}, {"links", {"r_0 -> r_1", "r_0 -> r_4"}}});
  document["workload"] = {{"transfers",
                           {{{"from", 3}, {"to", 12}, {"flits", 40}},
                            {{"from", 0}, {"to", 12}, {"flits", 40}},
                            {{"from", 2}, {"to", 5}, {"flits", 40}}}}};
  const auto run_one = [](const json& one, const std::string& engine) {
    RouteChecks routes;
    RunOptions options;
    options.engine = engine;
    Config config = parse_config(one, "net.json");
    const PreparedRun prepared = prepare_run(config, options, routes);
    return run(config, prepared, options);
  };
  const Result transfers = run_one(document, "model");
  CHECK(transfers.verified());
  CHECK(transfers.cycles >= transfers.bound_cycles);
  CHECK(transfers.messages == 1);
  CHECK(transfers.transfers.at(0).end.has_value());
  CHECK_FALSE(transfers.transfers.at(1).end.has_value());
  CHECK(transfers.digest == run_one(document, "flit").digest);
  CHECK(transfers.notes.at(1) ==
        "failed: 12 of 48 links and 1 of 16 routers; packets go by shortest ways in 2 layers of "
        "VCs; cut off are 58 ordered pairs of nodes: 0 -> 1, 0 -> 2, 0 -> 3, ...");
  // Traffic: nothing is sent to nodes that are cut off, nor by them.
  for (const char* const pattern : {"uniform", "transpose", "mesh_emulation"}) {
    CAPTURE(pattern);
    document["workload"] = {{"traffic", pattern}, {"rate", 0.1}, {"warmup", 0}, {"measure", 2000}};
    const Result traffic = run_one(document, "model");
    CHECK(traffic.verified());
    CHECK(traffic.packets > 0);
    // All but what is on the way at the end.
    CHECK(traffic.packets >= traffic.messages);
    CHECK(traffic.packets - traffic.messages < 16);
    CHECK(traffic.digest == run_one(document, "flit").digest);
  }
  // Collectives go on with the others, and what they leave is checked.
  for (const char* const collective : {"alltoall", "allreduce_rings", "allgather", "barrier"}) {
    CAPTURE(collective);
    document["workload"] = {{"collective", collective}};
    if (std::string(collective).starts_with("allr") || std::string(collective) == "allgather") {
      document["workload"]["bytes"] = 4096;
    }
    document["processor"] = "native";
    const Result result = run_one(document, "model");
    CHECK(result.verified());
    CHECK(result.cycles >= result.bound_cycles);
    CHECK(result.notes.at(1).ends_with("whose ranks count the others: 0, 5"));
  }
}

TEST_CASE("failed networks: refusals") {
  const json mesh = {{"kind", "mesh"}, {"dims", {3, 3}}};
  const auto refused = [&](const json& failed, const json& more = json::object()) {
    json document = with_failed(mesh, failed);
    document["workload"] = {{"traffic", "uniform"}};
    document.update(more);
    return failed_refusal(document);
  };
  CHECK(refused({{"share", 0.1}}) == "accepted");
  CHECK(refused({{"share", 1.5}}) ==
        "net.json: /topology/failed/share: value 1.5: expected: a number from 0 and up to 1");
  CHECK(refused({{"share", -0.5}}).find("expected: a number from 0 and up to 1") !=
        std::string::npos);
  CHECK(refused({{"links", {"r_0 -> r_2"}}}) ==
        "net.json: /topology/failed/links/0: value \"r_0 -> r_2\": expected: a link between "
        "routers of "
        "this network, as \"r_1 out 1 -> r_0 in 1\", or all between two routers, as \"r_1 -> "
        "r_0\"");
  CHECK(refused({{"routers", {"r_9"}}}) ==
        "net.json: /topology/failed/routers/0: value \"r_9\": expected: a router of this network, "
        "\"r_0\" to \"r_8\"");
  CHECK(refused({{"nodes", {1}}}).find("/topology/failed/nodes") != std::string::npos);
  CHECK(refused({{"links", "r_0"}}).find("expected: a list of links") != std::string::npos);
  CHECK(refused({{"share", 0.1}}, {{"router", {{"routing", "o1turn"}}}}).find("/router/routing") !=
        std::string::npos);
  CHECK(refused({{"share", 0.1}}, {{"router", {{"routing", "dimension_order"}}}})
            .find("do not lead around what has failed") != std::string::npos);
  CHECK(refused({{"routers", {"r_0"}}}, {{"router", {{"routing", "valiant"}}}})
            .find("drawn as waypoints") != std::string::npos);
  CHECK(refused({{"routers", {"r_4"}}}, {{"partition", {0, 0}}}).find("/partition") !=
        std::string::npos);
  CHECK(refused({{"share", 1}}, {{"workload", {{"collective", "a2a"}}}})
            .find("two nodes or more that are connected") != std::string::npos);
  // Crossbars and networks whose interfaces are at several routers.
  json crossbar = with_failed({{"kind", "full_crossbar"}, {"pes", 4}}, {{"share", 0.5}});
  CHECK(failed_refusal(crossbar).find("/topology/failed/share") != std::string::npos);
  json omega = with_failed({{"kind", "omega"}, {"levels", 3}}, {{"share", 0.1}});
  CHECK(failed_refusal(omega).find("lead to and from several routers") != std::string::npos);
}

}  // namespace weft
