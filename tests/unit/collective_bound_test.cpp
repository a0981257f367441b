// Bounds of collectives against an exhaustive search over all schedules of tiny networks, and
// against closed forms on larger ones.
#include "sim/analysis/collective_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sim/base/hash.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;
using Goal = CollectiveGoal;

Graph built(const json& topology) {
  return build_graph(parse_config({{"topology", topology}}, "net.json"));
}

Bound bound_on(const Graph& graph, Goal goal, std::uint64_t words, std::uint32_t packet_flits,
               const std::vector<unsigned>& tree_depths = {}) {
  CollectiveWork work = {.goal = goal, .words = words, .members = {}};
  work.members.resize(graph.nodes);
  std::iota(work.members.begin(), work.members.end(), 0);
  work.own.assign(graph.nodes, words / graph.nodes);
  work.packet_flits = packet_flits;
  work.tree_depths = tree_depths;
  return collective_bound(graph, work);
}

// Long blocks in one packet: neither headers nor latency count. In steps of one block a link.
constexpr std::uint64_t kBlock = 1 << 20;
unsigned steps_of(const Graph& graph, Goal goal, std::uint64_t blocks) {
  const Bound bound = bound_on(graph, goal, blocks * kBlock, 1u << 30);
  return static_cast<unsigned>(
      std::ceil(static_cast<double>(bound.cycles) / static_cast<double>(kBlock) - 0.01));
}

// A network of up to 4 nodes with directed links, on each of which one block moves in a step. A
// state says for each block and node which partial reductions the node has: bit (set of members,
// less one) of a field of 2^nodes - 1 bits. Blocks of other collectives have one member's value.
struct Search {
  unsigned nodes;
  std::vector<std::array<unsigned, 2>> links;
  unsigned blocks;
  bool moves = false;  // A block that is sent is no longer where it was: an all-to-all.
  using State = std::array<std::uint16_t, 27>;  // By block and node: up to 9 blocks of 3 nodes.
  struct Hash {
    std::size_t operator()(const State& state) const {
      return fnv1a(std::string_view(reinterpret_cast<const char*>(state.data()), sizeof state),
                   kHashStart);
    }
  };
  using States = std::unordered_set<State, Hash>;
  State start = {}, goal = {};

  bool done(const State& state) const {
    for (std::size_t i = 0; i < state.size(); ++i) {
      if ((state[i] & goal[i]) != goal[i]) return false;
    }
    return true;
  }
  // Disjoint partial reductions of one node are combined at once.
  void combine(std::uint16_t& have) const {
    for (unsigned a = 1; a < 1u << nodes; ++a) {
      for (unsigned b = 1; b < a; ++b) {
        if ((a & b) == 0 && (have >> (a - 1) & 1) != 0 && (have >> (b - 1) & 1) != 0) {
          have = static_cast<std::uint16_t>(have | 1u << ((a | b) - 1));
        }
      }
    }
  }
  // All states after one step, in which every link carries one value of the old state, or nothing;
  // up to the first that is the goal, and then true.
  bool expand(const State& old, std::size_t link, State now, States& after) const {
    if (link == links.size()) {
      for (std::uint16_t& have : now) combine(have);
      return after.insert(now).second && done(now);
    }
    const auto [from, to] = links[link];
    if (expand(old, link + 1, now, after)) return true;
    for (unsigned block = 0; block < blocks; ++block) {
      const unsigned source = block * nodes + from, sink = block * nodes + to;
      if (moves && now[source] == 0) continue;
      for (unsigned bits = old[source] & ~unsigned{now[sink]}; bits != 0; bits &= bits - 1) {
        State next = now;
        const auto bit = static_cast<std::uint16_t>(bits & -bits);
        next[sink] = static_cast<std::uint16_t>(next[sink] | bit);
        if (moves) next[source] = 0;
        if (expand(old, link + 1, next, after)) return true;
      }
    }
    return false;
  }
  // Fewest steps; more than `most` are not tried.
  unsigned fewest(unsigned most) const {
    if (done(start)) return 0;
    States states = {start};
    for (unsigned step = 1; step <= most; ++step) {
      States after;
      for (const State& state : states) {
        if (expand(state, 0, state, after)) return step;
      }
      states = std::move(after);
    }
    return most + 1;
  }
};

Search search_of(const Graph& graph, Goal goal, unsigned blocks) {
  Search search{graph.nodes, {}, blocks, goal == Goal::kAllToAll, {}, {}};
  for (const Link& link : graph.links) {
    if (link.src_block == kOpen || link.src_block < graph.nodes || link.dst_block < graph.nodes) {
      continue;
    }
    search.links.push_back({link.src_block - graph.nodes, link.dst_block - graph.nodes});
  }
  const unsigned n = graph.nodes;
  REQUIRE(blocks * n <= search.start.size());
  const auto all = static_cast<std::uint16_t>(1u << ((1u << n) - 2));
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned owner = block % n;
    for (unsigned node = 0; node < n; ++node) {
      auto& start = search.start[block * n + node];
      auto& end = search.goal[block * n + node];
      const auto own = static_cast<std::uint16_t>(1u << ((1u << node) - 1));
      switch (goal) {
        case Goal::kAllToAll:
          start = node == block / n ? 1 : 0;
          end = node == owner ? 1 : 0;
          break;
        case Goal::kAllgather:
          start = node == owner ? 1 : 0;
          end = 1;
          break;
        case Goal::kBroadcast:
          start = node == 0 ? 1 : 0;
          end = 1;
          break;
        default:
          start = own;
          const bool wants = goal == Goal::kAllreduce || (goal == Goal::kReduce && node == 0) ||
                             (goal == Goal::kReduceScatter && node == owner);
          end = wants ? all : 0;
      }
    }
  }
  return search;
}

}  // namespace

TEST_CASE("no schedule of a tiny network is shorter than the bound") {
  struct Case {
    json network;
    Goal goal;
    unsigned blocks;  // Blocks of an array; an all-to-all has nodes^2.
    bool tight;       // The best schedule takes no longer.
  };
  const json ring = {{"kind", "torus"}, {"dims", {3}}}, line = {{"kind", "mesh"}, {"dims", {3}}};
  const json square = {{"kind", "mesh"}, {"dims", {2, 2}}};
  const json line4 = {{"kind", "mesh"}, {"dims", {4}}};
  const Case cases[] = {
      {ring, Goal::kBroadcast, 2, false},    {line, Goal::kBroadcast, 1, false},
      {line4, Goal::kBroadcast, 3, false},   {square, Goal::kBroadcast, 2, false},
      {ring, Goal::kAllgather, 3, true},     {line, Goal::kAllgather, 3, true},
      {square, Goal::kAllgather, 4, true},   {line4, Goal::kAllgather, 4, true},
      {ring, Goal::kReduceScatter, 3, true}, {line, Goal::kReduceScatter, 3, true},
      {ring, Goal::kReduce, 1, true},        {ring, Goal::kReduce, 2, false},
      {line, Goal::kReduce, 1, false},       {ring, Goal::kAllreduce, 1, true},
      {ring, Goal::kAllreduce, 3, true},     {line, Goal::kAllreduce, 1, false},
      {ring, Goal::kAllToAll, 9, true},      {line, Goal::kAllToAll, 9, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.network.dump());
    CAPTURE(static_cast<int>(c.goal));
    CAPTURE(c.blocks);
    const Graph graph = built(c.network);
    const unsigned least = steps_of(graph, c.goal, c.goal == Goal::kAllToAll ? 1 : c.blocks);
    const unsigned fewest = search_of(graph, c.goal, c.blocks).fewest(c.tight ? least : least + 3);
    CHECK(least >= 1);
    CHECK(least <= fewest);
    if (c.tight) CHECK(least == fewest);
  }
}

TEST_CASE("bounds of larger networks: closed forms") {
  const auto blocks = [](const json& topology, Goal goal) {
    const Graph graph = built(topology);
    const std::uint64_t words = std::uint64_t{graph.nodes} * 5040;
    return static_cast<double>(bound_on(graph, goal, words, 1u << 30).cycles) /
           static_cast<double>(words);
  };
  const auto near = [](double x) { return doctest::Approx(x).epsilon(0.001); };
  // All-to-all: N k / 8 blocks on an even torus, N (k^2 - 1) / (8 k) on an odd one, N k / 4 on a
  // mesh; along the longest dimension.
  CHECK(blocks({{"kind", "torus"}, {"dims", {8, 8}}}, Goal::kAllToAll) == near(64));
  CHECK(blocks({{"kind", "torus"}, {"dims", {4, 4, 4}}}, Goal::kAllToAll) == near(32));
  CHECK(blocks({{"kind", "torus"}, {"dims", {5, 5}}}, Goal::kAllToAll) == near(15));
  CHECK(blocks({{"kind", "torus"}, {"dims", {4, 8}}}, Goal::kAllToAll) == near(32));
  CHECK(blocks({{"kind", "mesh"}, {"dims", {8, 8}}}, Goal::kAllToAll) == near(128));
  CHECK(blocks({{"kind", "full_crossbar"}, {"pes", 9}}, Goal::kAllToAll) == near(8));
  CHECK(blocks({{"kind", "fat_tree"}, {"levels", 3}}, Goal::kAllToAll) == near(7));
  // 2 (N - 1) / N, and half of it for its halves; a corner of a mesh has two links.
  CHECK(blocks({{"kind", "torus"}, {"dims", {8, 8}}}, Goal::kAllreduce) == near(126.0 / 64 / 4));
  CHECK(blocks({{"kind", "torus"}, {"dims", {8, 8}}}, Goal::kAllgather) == near(63.0 / 64 / 4));
  CHECK(blocks({{"kind", "full_crossbar"}, {"pes", 16}}, Goal::kAllreduce) == near(30.0 / 16));
  CHECK(blocks({{"kind", "full_crossbar"}, {"pes", 16}}, Goal::kReduce) == near(1));
  CHECK(blocks({{"kind", "mesh"}, {"dims", {8, 8}}}, Goal::kBroadcast) == near(0.5));
  CHECK(blocks({{"kind", "mesh"}, {"dims", {8}}}, Goal::kAllreduce) == near(1));
}

TEST_CASE("bounds do not depend on the send controllers, but for the one of injection") {
  json document = {{"topology", {{"kind", "torus"}, {"dims", {8, 8}}}}};
  std::vector<std::uint64_t> injection;
  for (const unsigned controllers : {1u, 2u, 4u, 8u}) {
    document["nic"] = {{"controllers", controllers}};
    const Bound bound =
        bound_on(build_graph(parse_config(document, "test")), Goal::kAllToAll, 64, 128);
    CHECK(bound.cycles == 64 * 64 + 32);
    injection.push_back(bound.injection);
  }
  CHECK(injection == std::vector<std::uint64_t>{63 * 64 + 32, 2016 + 16, 1008 + 8, 1008 + 8});
}

TEST_CASE("short messages are bound by latency, long ones with a combining tree by both") {
  const Graph graph = built({{"kind", "torus"}, {"dims", {8, 8}}});
  // 7 to the first link, 9 routers, header and 2 words on a link, 3 to the memory.
  const Bound latency = bound_on(graph, Goal::kAllreduce, 8, 128);
  CHECK(latency.by == "latency");
  CHECK(latency.cycles == 7 + 9 + 2 + 3);
  // With a tree 2 (N - 1) / N / 4 words a word of the array are shared with it.
  const std::uint64_t words = 1 << 20;
  const Bound alone = bound_on(graph, Goal::kAllreduce, words, 1u << 30);
  std::vector<unsigned> depths;
  for (unsigned n = 0; n < 64; ++n) depths.push_back(n == 0 ? 0 : depths[(n - 1) / 2] + 1);
  const Bound tree = bound_on(graph, Goal::kAllreduce, words, 1u << 30, depths);
  const double each = 126.0 / 256;
  CHECK(static_cast<double>(alone.cycles) == doctest::Approx(each * words).epsilon(0.001));
  CHECK(static_cast<double>(tree.cycles) ==
        doctest::Approx(each / (1 + each) * words).epsilon(0.001));
  // Node 63 has six links to the root, and those far from it in the network have five.
  const Bound few = bound_on(graph, Goal::kAllreduce, 8, 128, depths);
  CHECK(few.by == "latency");
  CHECK(few.cycles == 5 + 6 + 5);
  // On a ring of three a message is faster than a very deep tree.
  const Graph ring = built({{"kind", "torus"}, {"dims", {3}}});
  CHECK(bound_on(ring, Goal::kAllreduce, 1, 128, {0, 40, 40}).cycles == 7 + 2 + 1 + 3);
  CHECK(bound_on(ring, Goal::kAllreduce, 1, 128, {0, 1, 1}).cycles == 5 + 1 + 1);
}

}  // namespace weft
