// Checks of routes by symmetry against those of all pairs: on whole networks, and on networks in
// which one block or link differs, where no symmetry may be found; and what proofs assume of route
// units.
#include "sim/analysis/symmetry.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/analysis/route_check.hpp"
#include "sim/base/error.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

Graph network(const json& topology, const json& vcs = 2, unsigned controllers = 1,
              std::string dateline = "balanced") {
  if (vcs.is_string()) dateline = "fixed";
  json router = {{"vcs", vcs}};
  if (topology["kind"] == "torus") router["dateline"] = dateline;
  const bool routers = !topology["kind"].get<std::string>().ends_with("crossbar") &&
                       topology["kind"] != "crossbar_2d";
  json config = {{"topology", topology}};
  if (routers) config["router"] = router;
  if (routers) config["nic"] = {{"controllers", controllers}};
  return build_graph(parse_config(config, "net.json"));
}

json board_of(const std::vector<unsigned>& dims, unsigned mains, unsigned aggregators) {
  return {{"kind", "board"}, {"dims", dims}, {"mains", mains}, {"aggregators", aggregators}};
}

std::vector<json> networks() {
  std::vector<json> list;
  for (const std::vector<unsigned>& dims : std::vector<std::vector<unsigned>>{
           {7}, {4, 3}, {6, 5}, {2, 2, 2}, {3, 1, 4}, {4, 2, 3}, {2, 2, 2, 2, 2}}) {
    list.push_back({{"kind", "torus"}, {"dims", dims}});
    list.push_back({{"kind", "mesh"}, {"dims", dims}});
    list.push_back({{"kind", "hier_crossbar"}, {"dims", dims}});
  }
  list.push_back({{"kind", "crossbar_2d"}, {"dims", {4, 5}}});
  list.push_back({{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}});
  list.push_back({{"kind", "mdce"}, {"n", 2}, {"B", 1}, {"C", 2}, {"P", 8}});
  list.push_back({{"kind", "dce"}, {"n", 5}, {"y_bits", 3}, {"delta", 2}});
  list.push_back({{"kind", "fat_tree"}, {"levels", 5}});
  list.push_back({{"kind", "omega"}, {"levels", 5}});
  list.push_back(board_of({2, 2, 2, 2}, 2, 1));
  list.push_back(board_of({3, 1, 2, 4}, 3, 2));
  list.push_back(board_of({1, 4, 3, 1}, 2, 3));
  list.push_back(board_of({5, 2, 1, 1}, 1, 4));
  return list;
}

bool symmetric(const Graph& graph) {
  return product_of(graph) || has_translations(graph);
}

// What a check finds.
std::string found(const Graph& graph, std::uint32_t all_pairs_up_to) {
  try {
    const RouteCheck check = check_routes(graph, all_pairs_up_to);
    return fmt::format("{} pairs, distances {}, diameter {}, {}{}", check.pairs, check.distances,
                       check.diameter, check.cycle.empty() ? "no cycle" : "a cycle",
                       check.sampled ? ", sampled" : "");
  } catch (const CheckError& error) {
    return error.what();
  }
}

// Each channel of a cycle waits for the next one: on links that follow each other.
void check_cycle(const Graph& graph, const std::vector<Channel>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Link& link = graph.links[cycle[i].link];
    REQUIRE(link.dst_block == graph.links[cycle[(i + 1) % cycle.size()].link].src_block);
  }
}

}  // namespace

TEST_CASE("routes by symmetry: what the routes of all pairs show") {
  for (const json& topology : networks()) {
    for (const json& vcs : std::vector<json>{1, 2, 3, 6, "per_destination"}) {
      for (const unsigned controllers : {1u, 2u, 5u}) {
        const Graph graph = network(topology, vcs, controllers);
        CAPTURE(fmt::format("{} {} VCs, {} controllers", topology.dump(), vcs.dump(), controllers));
        REQUIRE(symmetric(graph));
        REQUIRE(found(graph, 0) == found(graph, kExactNodes));
        const RouteCheck check = check_routes(graph);
        check_cycle(graph, check.cycle);
        // On boards only an order of VCs shows that dependencies between dimensions have no cycle.
        if (topology["kind"] != "board" || (vcs != 1 && vcs != "per_destination")) {
          REQUIRE(check.exact_by != "all pairs");
        }
        REQUIRE(check_routes(graph, kExactNodes).exact_by == "all pairs");
        REQUIRE(least_vcs(graph, 8) == least_vcs(graph, 8, nullptr, kExactNodes));
        if (!graph.has_routers()) break;
      }
      const std::string kind = topology["kind"];
      if (kind.ends_with("crossbar") || kind == "crossbar_2d") break;
    }
  }
  const json torus = {{"kind", "torus"}, {"dims", {5, 4}}};
  for (const unsigned vcs : {1u, 2u, 3u}) {
    const Graph graph = network(torus, vcs, 1, "fixed");
    CHECK(found(graph, 0) == found(graph, kExactNodes));
  }
}

TEST_CASE("one router or link that differs hides behind no symmetry") {
  unsigned failed = 0, changed = 0;
  for (const json& topology : networks()) {
    const Graph whole = network(topology);
    if (whole.nodes > 100) continue;
    const std::string expected = found(whole, 0);
    // Of a network that is one line all pairs are followed anyway.
    const bool line = std::count(whole.dims.begin(), whole.dims.end(), 1) + 1 ==
                      static_cast<std::ptrdiff_t>(whole.dims.size());
    // `alike`: the change may leave routes as they are.
    const auto check = [&](const Graph& graph, bool alike, std::uint32_t block,
                           const std::string& what) {
      CAPTURE(fmt::format("{} {}: {}", topology.dump(), whole.blocks[block].name, what));
      const std::string text = found(graph, kExactNodes);
      REQUIRE(found(graph, 0) == text);
      REQUIRE((alike || line || !symmetric(graph)));
      failed += text.find("pairs") == std::string::npos ? 1 : 0;
      changed += text != expected ? 1 : 0;
    };
    for (std::uint32_t b = whole.nodes; b < whole.blocks.size(); ++b) {
      const Block& block = whole.blocks[b];
      std::vector<std::uint32_t> out;  // Ports that lead to other routers or crossbars.
      for (std::uint32_t port = 0; port < block.num_out; ++port) {
        const std::uint32_t link = whole.out_link[block.first_out + port];
        if (link != kOpen && whole.links[link].dst_block >= whole.nodes) out.push_back(port);
      }
      const bool router = block.kind == Block::Kind::kRouter;
      if (out.size() > 1) {
        Graph graph = whole;
        auto &first = graph.out_link[block.first_out + out[0]],
             &last = graph.out_link[block.first_out + out.back()];
        std::swap(first, last);
        std::swap(graph.links[first].src_port, graph.links[last].src_port);
        check(graph, false, b, "two links exchanged");
      }
      if (!out.empty()) {
        Graph graph = whole;
        std::uint32_t& link = graph.out_link[block.first_out + out.back()];
        graph.links[link].src_block = graph.links[link].src_port = kOpen;
        link = kOpen;
        check(graph, false, b, "a link cut");
      }
      for (const std::uint32_t bit : {1u, 2u, 4u}) {
        Graph graph = whole;
        graph.blocks[b].own ^= bit;
        check(graph, !router || whole.staged, b, fmt::format("another address, by {}", bit));
      }
      if (router) {
        Graph graph = whole;
        RouterTileConfig shape = graph.router_shapes[block.shape];
        shape.route.per_dest = true;  // VCs remain as they are, whatever they should be.
        graph.router_shapes.push_back(shape);
        graph.route_units.push_back(
            std::make_shared<const RouteUnit>(shape.route_kind, shape.route));
        graph.blocks[b].shape = static_cast<std::uint32_t>(graph.router_shapes.size() - 1);
        check(graph, false, b, "another route unit");
      }
    }
    for (std::uint32_t rank = 1; rank < whole.nodes; ++rank) {
      Graph graph = whole;
      std::swap(graph.address[0], graph.address[rank]);
      std::swap(graph.blocks[0].own, graph.blocks[rank].own);
      check(graph, !whole.has_routers() || whole.staged, rank, "another node's address");
    }
  }
  // Most of these changes are errors.
  CHECK(failed > 1000);
  CHECK(changed > failed);
}

TEST_CASE("a class of nodes that is none: two columns of a DCE") {
  Graph graph = network({{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 1}});
  REQUIRE(has_translations(graph));
  for (auto& number : graph.translations.block_class) {
    if (number % 4 == 1) --number;
  }
  CHECK_FALSE(has_translations(graph));
  CHECK(check_routes(graph).exact_by == "all pairs");
}

TEST_CASE("route_dce: routes do not depend on invariant bits") {
  for (const unsigned rings : {1u, 2u, 3u, 4u, 8u}) {
    RouteConfig config;
    config.max_coords = {2, 3, 7};
    config.deltas = {0, 1, 2};
    config.num_rings = rings;
    const RouteUnit unit(RouteKind::kDce, config);
    const unsigned ports = RouteUnit::links(RouteKind::kDce, config) + config.num_local;
    const std::uint32_t bits = unit.invariant_bits(), all = 1u << 7;
    CHECK(bits == (rings == 3 ? 0 : rings == 8 ? 0b1111000 : 0b1111100));
    for (std::uint32_t flip = bits; flip != 0; flip = (flip - 1) & bits) {
      for (std::uint32_t own = 0; own < all; ++own) {
        for (std::uint32_t dst = 0; dst < all; ++dst) {
          for (unsigned port = 0; port < ports; ++port) {
            REQUIRE(unit.route(port, own ^ flip, 0, dst ^ flip, false) ==
                    unit.route(port, own, 0, dst, false));
          }
        }
      }
    }
  }
}

TEST_CASE("route_tree, route_omega: inverted bits exchange ports") {
  for (const RouteKind kind : {RouteKind::kTree, RouteKind::kOmega}) {
    for (unsigned levels = 1; levels <= 5; ++levels) {
      RouteConfig config;
      const std::uint32_t nodes = 1u << levels, width = nodes / 2;
      config.max_coords = {nodes - 1};
      config.num_local = 2;
      const RouteUnit unit(kind, config);
      const bool tree = kind == RouteKind::kTree;
      const std::uint32_t first = tree ? width : 0, last = tree ? (levels + 1) * width : levels;
      for (std::uint32_t own = first; own < last; ++own) {
        for (std::uint32_t flip = 0; flip < nodes; ++flip) {
          const auto inverted = unit.inverted(own, flip);
          REQUIRE(inverted);
          for (std::uint32_t dst = 0; dst < nodes; ++dst) {
            const RouteOut out = unit.route(0, own, 0, dst, false);
            REQUIRE(unit.route(0, inverted->own, 0, dst ^ flip, false) ==
                    RouteOut{out.port ^ inverted->ports, out.set});
          }
        }
      }
    }
  }
  RouteConfig line;
  line.max_coords = {3};
  CHECK_FALSE(RouteUnit(RouteKind::kMesh, line).inverted(0, 1));
}

TEST_CASE("a phase and the destination say how a route goes on from an in-port") {
  for (const std::vector<unsigned>& dims :
       std::vector<std::vector<unsigned>>{{8}, {5, 4}, {2, 3, 4}, {4, 4, 2}}) {
    for (const std::string dateline : {"fixed", "balanced", "crossing"}) {
      const Graph graph = network({{"kind", "torus"}, {"dims", dims}}, 4, 1, dateline);
      const RouteUnit& unit = *graph.route_units[0];
      const unsigned phases = RouteUnit::traits(RouteKind::kTorus).phases;
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        std::map<std::pair<std::uint32_t, unsigned>, std::tuple<std::uint32_t, VcSet, unsigned>>
            next;
        for (std::uint32_t src = 0; src < graph.nodes; ++src) {
          for (const bool other_way : {false, true}) {
            std::uint32_t held = kOpen;
            unsigned held_phase = 0;
            graph.walk(
                src, dst,
                [&](std::uint32_t link, VcSet set) {
                  const Block& block = graph.blocks[graph.links[link].dst_block];
                  const unsigned phase = block.kind != Block::Kind::kRouter
                                             ? 0
                                             : unit.phase(block.own, graph.address[src],
                                                          graph.address[dst], other_way);
                  REQUIRE(phase < phases);
                  if (held != kOpen) {
                    const std::tuple step = {link, set, phase};
                    REQUIRE(next.try_emplace({held, held_phase}, step).first->second == step);
                  }
                  held = link;
                  held_phase = phase;
                },
                0, other_way);
          }
        }
      }
    }
  }
}

}  // namespace weft
