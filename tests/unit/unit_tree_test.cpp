// The tree of barrier and combine units: it connects all nodes along the network, as a search over
// the links knows it, and on regular networks is as short as can be.
#include "sim/fabric/unit_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/analysis/latency.hpp"
#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/small_networks.hpp"

namespace weft {
namespace {

Graph graph_of(const nlohmann::json& topology, unsigned stages = 0) {
  nlohmann::json document = {{"topology", topology}};
  if (stages != 0) document["link"] = {{"stages", stages}};
  return build_graph(parse_config(document, "test"));
}

// Cycles by wires between all routers or crossbars, by the method of Floyd and Warshall, and of all
// nodes from there.
class Wires {
 public:
  explicit Wires(const Graph& graph) : graph_(graph), blocks_(graph.blocks.size()) {
    cycles_.assign(blocks_ * blocks_, kFar);
    for (std::size_t b = 0; b < blocks_; ++b) at(b, b) = 0;
    for (const Link& link : graph.links) {
      if (!graph.between_switches(link)) continue;
      for (const auto& [a, b] :
           {std::pair(link.src_block, link.dst_block), std::pair(link.dst_block, link.src_block)}) {
        at(a, b) = std::min(at(a, b), 1u + link.stages);
      }
    }
    for (std::size_t k = 0; k < blocks_; ++k) {
      for (std::size_t a = 0; a < blocks_; ++a) {
        for (std::size_t b = 0; b < blocks_; ++b)
          at(a, b) = std::min(at(a, b), at(a, k) + at(k, b));
      }
    }
  }
  unsigned between(std::uint32_t node, std::uint32_t other) {
    unsigned least = kFar;
    for (const std::uint32_t a : switches(node)) {
      for (const std::uint32_t b : switches(other)) least = std::min(least, at(a, b));
    }
    return std::max(least, 1u);
  }

 private:
  static constexpr unsigned kFar = 1u << 30;
  unsigned& at(std::size_t a, std::size_t b) { return cycles_[a * blocks_ + b]; }
  std::vector<std::uint32_t> switches(std::uint32_t node) const {
    std::vector<std::uint32_t> found;
    for (const Link& link : graph_.links) {
      if (link.src_block == node) found.push_back(link.dst_block);
      if (link.dst_block == node && link.src_block != kOpen) found.push_back(link.src_block);
    }
    return found;
  }

  const Graph& graph_;
  std::size_t blocks_;
  std::vector<unsigned> cycles_;
};

// What is wrong with the tree of a network.
std::string wrong_with(const Graph& graph) {
  const UnitTree tree(graph);
  Wires wires(graph);
  std::vector<bool> reached(graph.nodes);
  unsigned depth = 0, longest = 1;
  for (const std::uint32_t n : tree.order()) {
    if (reached[n]) return fmt::format("node {} is there twice", n);
    reached[n] = true;
    const UnitTree::Unit& unit = tree[n];
    for (unsigned c = 0; c < UnitTree::kMostChildren; ++c) {
      if ((unit.children[c] != kOpen) != (c < unit.num_child)) return "children are miscounted";
      if (c < unit.num_child &&
          (tree[unit.children[c]].parent != n || tree[unit.children[c]].number != c)) {
        return fmt::format("child {} of {} is not its child", c, n);
      }
    }
    depth = std::max(depth, unit.depth);
    if (n == tree.root()) {
      if (unit.parent != kOpen || unit.depth != 0) return "the root has a parent";
      continue;
    }
    if (!reached[unit.parent]) return fmt::format("node {} is before its parent", n);
    if (unit.cycles != wires.between(unit.parent, n)) {
      return fmt::format("{} cycles from {} to {}, by the links {}", unit.cycles, unit.parent, n,
                         wires.between(unit.parent, n));
    }
    if (wire_cycles(graph, unit.parent)[n] > unit.cycles) return "below the bound of wires";
    longest = std::max(longest, unit.cycles);
    if (unit.depth != tree[unit.parent].depth + unit.cycles) return "depths are no sums";
  }
  if (std::count(reached.begin(), reached.end(), true) != graph.nodes) return "nodes are missing";
  if (tree.depth() != depth || tree.longest() != longest) return "wrong extremes";
  return {};
}

TEST_CASE("a tree of units connects all nodes, edges as long as the network's links") {
  const small::Folder folder("unit_tree");
  for (const nlohmann::json& topology :
       small::networks(folder.write("g.json", small::graph_text(3)))) {
    CAPTURE(topology.dump());
    CHECK(wrong_with(graph_of(topology)) == "");
  }
  for (const unsigned stages : {1u, 30u}) {
    CHECK(wrong_with(graph_of({{"kind", "torus"}, {"dims", {5, 4, 3}}}, stages)) == "");
    CHECK(wrong_with(graph_of({{"kind", "hier_crossbar"}, {"dims", {4, 4}}}, stages)) == "");
  }
  CHECK(wrong_with(graph_of({{"kind", "dragonfly"}, {"p", 2}, {"a", 4}, {"h", 2}})) == "");
  CHECK(wrong_with(graph_of({{"kind", "mesh"}, {"dims", {13, 7}}})) == "");
}

TEST_CASE("the deepest unit of a grid is as far as its middle from the farthest node") {
  const auto depth = [](const nlohmann::json& topology, unsigned stages = 0) {
    return UnitTree(graph_of(topology, stages)).depth();
  };
  CHECK(depth({{"kind", "ring"}, {"nodes", 64}}) == 32);
  CHECK(depth({{"kind", "mesh"}, {"dims", {9}}}) == 4);
  CHECK(depth({{"kind", "mesh"}, {"dims", {9, 9}}}) == 8);
  CHECK(depth({{"kind", "torus"}, {"dims", {9, 9}}}) == 8);
  CHECK(depth({{"kind", "torus"}, {"dims", {9, 9}}}, 30) == 8 * 31);
  CHECK(depth({{"kind", "mesh"}, {"dims", {32, 32}}}) == 32);
  // Two children each: as deep as a binary tree where all are neighbours.
  CHECK(depth({{"kind", "full_crossbar"}, {"pes", 63}}) == 5);
  CHECK(depth({{"kind", "full_crossbar"}, {"pes", 64}}) == 6);
  CHECK(UnitTree(graph_of({{"kind", "ring"}, {"nodes", 64}})).links() == 63);
}

TEST_CASE("a tree of units needs a network that connects its nodes") {
  const small::Folder folder("unit_tree");
  const std::string file = folder.write("g.json", R"({"routers": [{"name": "a"}, {"name": "b"}],
    "nodes": ["a", "b"], "links": [{"from": "a", "to": "b"}]})");
  nlohmann::json document = {{"topology", {{"kind", "graph"}, {"file", file}}}};
  document["topology"]["failed"] = {{"links", {"a -> b", "b -> a"}}};
  const Graph graph = build_graph(parse_config(document, "test"));
  CHECK_THROWS_WITH_AS(UnitTree{graph},
                       "barrier and combine units are connected along the links of the network, "
                       "which do not lead from node 0 to node 1",
                       ConfigError);
}

TEST_CASE("a wire with registers shows each word once, `delay` cycles later") {
  RandomStream random(5);
  for (const unsigned delay : {1u, 2u, 7u, 40u}) {
    CAPTURE(delay);
    TreeWire<unsigned> wire(delay);
    std::map<std::uint64_t, unsigned> due;
    std::uint64_t cycle = 100;
    for (unsigned i = 0; i < 1000; ++i, ++cycle) {
      const unsigned* const word = wire.leaves(cycle);
      const auto expected = due.find(cycle);
      REQUIRE((word != nullptr) == (expected != due.end()));
      if (word != nullptr) REQUIRE(*word == expected->second);
      const bool enters = i < 100 || random.below(3) == 0;
      if (enters) due[cycle + delay] = i;
      wire.step(cycle, enters ? &i : nullptr);
      due.erase(cycle);
      REQUIRE(wire.quiet() == due.empty());
    }
  }
}

}  // namespace
}  // namespace weft
