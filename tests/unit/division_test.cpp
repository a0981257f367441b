// How a network is divided between processes and threads.
#include "sim/share/division.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "sim/share/space_cut.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

Graph graph_of(const json& topology) {
  return build_graph(
      parse_config({{"topology", topology}, {"workload", {{"traffic", "uniform"}}}}, "test"));
}

Division divided(const Graph& graph, unsigned processes, unsigned threads = 1) {
  return {graph, {processes, threads}};
}

// Links from one process to another.
std::uint64_t links_across(const Graph& graph, const Division& division, unsigned threads = 1) {
  return static_cast<std::uint64_t>(
      std::count_if(graph.links.begin(), graph.links.end(), [&](const Link& link) {
        return link.src_block != kOpen && division.of_block[link.src_block] / threads !=
                                              division.of_block[link.dst_block] / threads;
      }));
}

// Every node is in one part, with all nodes of its router; `slack`: nodes by which a part may be
// larger than another.
void check_whole(const Graph& graph, const Division& division, std::uint32_t slack) {
  std::vector<unsigned> found(graph.nodes);
  std::uint32_t least = graph.nodes, most = 0;
  for (unsigned part = 0; part < division.parts(); ++part) {
    std::uint32_t before = 0, size = 0;
    for (const std::uint32_t n : division.nodes[part]) {
      CHECK((size == 0 || n > before));
      before = n;
      ++size;
      ++found[n];
      CHECK(division.of_block[n] == part);
      CHECK(division.of_address[graph.address[n]] == part);
    }
    CHECK(size == division.nodes[part].size());
    least = std::min(least, size);
    most = std::max(most, size);
  }
  CHECK(std::all_of(found.begin(), found.end(), [](unsigned times) { return times == 1; }));
  CHECK(most - least <= slack);
  for (std::uint32_t l = 0; l < graph.nodes * graph.nic_links; ++l) {
    const Link& link = graph.links[l];
    CHECK(division.of_block[link.src_block] == division.of_block[link.dst_block]);
  }
  for (const std::uint16_t part : division.of_block) CHECK(part < division.parts());
}

}  // namespace

TEST_CASE("every node is in one part, with its router") {
  struct Case {
    json topology;
    std::uint32_t together = 1;  // Nodes of a router or crossbar.
  };
  const std::vector<Case> cases = {
      {{{"kind", "mesh"}, {"dims", {7, 5}}}},
      {{{"kind", "torus"}, {"dims", {4, 4, 4}}}},
      {{{"kind", "hyperx"}, {"dims", {4, 3}}, {"nodes_per_router", 3}}, 3},
      {{{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}}},
      {{{"kind", "dragonfly"}, {"p", 2}, {"a", 4}, {"h", 2}}, 2},
      {{{"kind", "crossbar_2d"}, {"dims", {8, 4}}}, 8},
      {{{"kind", "board"}, {"dims", {2, 2, 2, 2}}}},
      {{{"kind", "fat_tree"}, {"levels", 5}}, 2},
      {{{"kind", "tree"}, {"radix", 3}, {"levels", 3}}, 3},
  };
  for (const Case& c : cases) {
    CAPTURE(c.topology.dump());
    const Graph graph = graph_of(c.topology);
    for (const unsigned processes : {1u, 2u, 3u, 5u}) {
      for (const unsigned threads : {1u, 2u}) {
        CAPTURE(processes);
        CAPTURE(threads);
        // Each level of bisection, and then each slice, may miss by one group.
        check_whole(graph, divided(graph, processes, threads), 4 * c.together);
      }
    }
  }
  // All nodes are at one crossbar.
  const Graph one = graph_of({{"kind", "full_crossbar"}, {"pes", 8}});
  check_whole(one, divided(one, 2), 8);
}

TEST_CASE("parts of a grid are blocks, not slices") {
  struct Case {
    std::vector<unsigned> dims;
    unsigned processes;
    std::uint64_t best;  // Links out of all parts, one direction each, of cubes or squares.
  };
  // Parts of a x b nodes have 2 (a + b) links out, of a x b x c nodes 2 (a b + b c + c a).
  const std::vector<Case> cases = {
      {{32, 32}, 16, 16 * 4 * 8}, {{64, 32}, 32, 32 * 4 * 8}, {{16, 16, 16}, 64, 64 * 6 * 16},
      {{128, 8}, 16, 16 * 2 * 8}, {{8, 128}, 16, 16 * 2 * 8},  // Slices.
  };
  for (const Case& c : cases) {
    const Graph graph = graph_of({{"kind", "torus"}, {"dims", c.dims}});
    const std::uint64_t links = links_across(graph, divided(graph, c.processes));
    CAPTURE(json(c.dims).dump());
    CHECK(links >= c.best);
    CHECK(static_cast<double>(links) <= 1.3 * static_cast<double>(c.best));
  }
}

TEST_CASE("parts stay what they are, whichever processes and threads have them") {
  const Graph graph = graph_of({{"kind", "torus"}, {"dims", {12, 4}}});
  for (const Sharing shares : {Sharing{1, 1}, Sharing{1, 3}, Sharing{2, 2}, Sharing{3, 1}}) {
    const Division first(graph, shares);
    REQUIRE(first.parts() == shares.parts());
    for (const unsigned processes : {1u, 2u, 3u, 5u, 8u}) {
      CAPTURE(processes);
      std::vector<unsigned> owners;  // Owner of each part.
      std::vector<std::uint32_t> nodes;
      for (unsigned number = 0; number < processes; ++number) {
        const Division division(graph, shares, number, processes);
        CHECK(division.of_block == first.of_block);
        CHECK(division.parts() == std::max(shares.parts(), processes));
        CHECK(division.end_own > division.first_own);
        for (unsigned part = 0; part < division.parts(); ++part) {
          CHECK(division.owns(part) == (division.process_of(part) == number));
        }
        for (const unsigned threads : {1u, 2u, 5u}) {
          unsigned next = division.first_own;
          for (unsigned thread = 0; thread < threads; ++thread) {
            const auto [from, to] = division.parts_of_thread(thread, threads);
            CHECK(from == next);
            next = to;
          }
          CHECK(next == division.end_own);
        }
        owners.insert(owners.end(), division.end_own - division.first_own, number);
        for (const std::uint32_t n : division.own) nodes.push_back(n);
      }
      CHECK(owners.size() == std::max(shares.parts(), processes));
      std::sort(nodes.begin(), nodes.end());
      CHECK(nodes.size() == graph.nodes);
      CHECK(std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end());
    }
  }
}

TEST_CASE("a network of a file has as many parts as asked for, also without nodes") {
  // A tree with three nodes at each of nine routers, and routers without nodes.
  const Graph graph = graph_of({{"kind", "tree"}, {"radix", 3}, {"levels", 3}});
  for (const unsigned processes : {9u, 10u, 27u}) {
    const Division division = divided(graph, processes);
    CHECK(division.parts() == processes);
    std::uint32_t nodes = 0;
    for (const NodeSet& part : division.nodes) nodes += part.size();
    CHECK(nodes == graph.nodes);
  }
}

TEST_CASE("few processes have slices of successive nodes") {
  for (const json& dims : {json{16, 8}, json{32, 32}, json{4, 4, 4}}) {
    const Graph graph = graph_of({{"kind", "torus"}, {"dims", dims}});
    const Division division = divided(graph, 2);
    CHECK(division.nodes[0].one_range());
    CHECK(division.nodes[1].one_range());
  }
}

TEST_CASE("a network whose nodes are numbered anyhow has parts with few links between them") {
  if (!has_metis()) return;
  // A torus of 16 x 16, its nodes in a random order.
  constexpr unsigned kSize = 16;
  std::vector<unsigned> order(kSize * kSize);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[(i * 7919 + 104729) % i]);
  }
  json file = {{"routers", json::array()}, {"nodes", json::array()}, {"links", json::array()}};
  const auto name = [](unsigned x, unsigned y) {
    return "r" + std::to_string(x % kSize + kSize * (y % kSize));
  };
  for (unsigned r = 0; r < order.size(); ++r)
    file["routers"].push_back({{"name", name(r, r / kSize)}});
  for (const unsigned r : order) file["nodes"].push_back(name(r, r / kSize));
  for (unsigned r = 0; r < order.size(); ++r) {
    const unsigned x = r % kSize, y = r / kSize;
    file["links"].push_back({{"from", name(x, y)}, {"to", name(x + 1, y)}});
    file["links"].push_back({{"from", name(x, y)}, {"to", name(x, y + 1)}});
  }
  const auto path = std::filesystem::temp_directory_path() / "weft_division_test.json";
  std::ofstream(path) << file;
  const Graph graph = graph_of({{"kind", "graph"}, {"file", path.string()}});
  std::filesystem::remove(path);
  for (const unsigned processes : {2u, 4u, 16u}) {
    const Division division = divided(graph, processes);
    check_whole(graph, division, graph.nodes / processes / 4 + 1);
    // Two slices have 4 x 16 links out, squares of 8 x 8 or 4 x 4 nodes 4 x 8 or 4 x 4 each.
    const unsigned best = processes == 2 ? 64 : processes == 4 ? 128 : 256;
    CHECK(static_cast<double>(links_across(graph, division)) <= 1.5 * best);
  }
}
