// Layout of the tree of units along the network.
#include "sim/fabric/unit_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace weft {
namespace {

// Most searches that may pass a router or crossbar: the first ones are the nearest, and nearly
// always find what is beyond it.
constexpr unsigned kMostSearches = 8;

// Number of attempts, which end at the first tree that cannot be less deep; else the least deep one
// is taken. Networks of kManyNodes or more have fewer attempts.
constexpr unsigned kAttempts = 16, kFewAttempts = 2;
constexpr std::uint32_t kManyNodes = 2048;

}  // namespace

// A router or crossbar, by its number minus that of the interfaces, and the path to it.
struct UnitTree::Way {
  unsigned cycles = 0, links = 0;
  std::uint32_t order = 0;  // Order among paths that are equally near.
  std::uint32_t at = 0;

  friend bool operator>(const Way& a, const Way& b) {
    return std::tie(a.cycles, a.links, a.order) > std::tie(b.cycles, b.links, b.order);
  }
};

// What the layout needs of the network.
struct UnitTree::Switches {
  using Ways = std::priority_queue<Way, std::vector<Way>, std::greater<>>;

  explicit Switches(const Graph& graph)
      : ways(graph.blocks.size() - graph.nodes), nodes_at(ways.size()), of_node(graph.nodes) {
    const auto add = [](std::vector<std::uint32_t>& list, std::uint32_t item) {
      if (std::ranges::find(list, item) == list.end()) list.push_back(item);
    };
    for (const Link& link : graph.links) {
      if (link.src_block == kOpen) continue;
      const std::uint32_t from = link.src_block - graph.nodes, to = link.dst_block - graph.nodes;
      if (link.src_block < graph.nodes) {
        add(of_node[link.src_block], to);
      } else if (link.dst_block < graph.nodes) {
        add(of_node[link.dst_block], from);
      } else {  // A wire may lead in either direction.
        ways[from].push_back({.cycles = 1u + link.stages, .links = 1, .at = to});
        ways[to].push_back({.cycles = 1u + link.stages, .links = 1, .at = from});
      }
    }
    for (std::uint32_t n = graph.nodes; n-- > 0;) {
      for (const std::uint32_t s : of_node[n]) nodes_at[s].push_back(n);
    }
  }

  // Cycles from a node to the farthest one.
  unsigned distance(std::uint32_t node) const {
    std::vector<bool> seen(ways.size());
    unsigned farthest = 0;
    Ways open;
    for (const std::uint32_t s : of_node[node]) open.push({.at = s});
    while (!open.empty()) {
      const Way way = open.top();
      open.pop();
      if (seen[way.at]) continue;
      seen[way.at] = true;
      if (!nodes_at[way.at].empty()) farthest = way.cycles;
      for (const Way& next : ways[way.at]) {
        if (!seen[next.at]) open.push({.cycles = way.cycles + next.cycles, .at = next.at});
      }
    }
    return farthest;
  }

  // Finds a middle: from rank 0 always moves on to a neighbour from which the farthest node is
  // nearer. Returns the node and the cycles to its farthest node.
  std::pair<std::uint32_t, unsigned> middle() const {
    std::pair<std::uint32_t, unsigned> best = {0, distance(0)};
    for (bool found = true; found;) {
      found = false;
      for (const std::uint32_t s : of_node[best.first]) {
        for (const Way& way : ways[s]) {
          if (found || nodes_at[way.at].empty()) continue;
          const std::uint32_t node = nodes_at[way.at].back();
          const unsigned farthest = distance(node);
          found = farthest < best.second;
          if (found) best = {node, farthest};
        }
      }
    }
    return best;
  }

  std::vector<std::vector<Way>> ways;                // By switch: paths to its neighbours.
  std::vector<std::vector<std::uint32_t>> nodes_at;  // By switch: its nodes, the lowest rank last.
  std::vector<std::vector<std::uint32_t>> of_node;   // By rank: its switches.
};

// One attempt. `order` decides between switches that are equally near.
class UnitTree::Layout {
  using Ways = Switches::Ways;

 public:
  Layout(const Switches& network, const std::vector<std::uint32_t>& order)
      : network_(network),
        order_(order),
        nodes_at_(network.nodes_at),
        searches_(network.ways.size()) {
    tree_.units_.resize(network.of_node.size());
  }

  UnitTree lay(std::uint32_t root) {
    begin(root, true);
    while (tree_.order_.size() < tree_.nodes()) {
      if (open_.empty() && !begin_again()) refuse();
      const Open first = open_.top();
      open_.pop();
      Search& search = all_[first.sequence];
      Unit& parent = tree_.units_[search.node];
      if (!advance(search)) continue;
      const Way way = search.ways.top();
      const unsigned length = std::max(1u, way.cycles), depth = parent.depth + length;
      // Other searches may have taken the nodes that were nearer.
      if (depth > first.cycles || way.links > first.links) {
        open_.push({depth, way.links, first.sequence});
        continue;
      }
      const std::uint32_t child = nodes_at_[way.at].back();
      tree_.units_[child] = {.parent = search.node,
                             .number = parent.num_child,
                             .cycles = length,
                             .links = way.links,
                             .depth = depth};
      parent.children[parent.num_child++] = child;
      if (parent.num_child < kMostChildren) {
        open_.push({depth, way.links, first.sequence});
      } else {
        search = {};
      }
      begin(child, true);
    }
    return std::move(tree_);
  }

 private:
  // A search from a node for nodes that are not in the tree.
  struct Search {
    std::uint32_t node = kOpen;
    Ways ways = {};
    std::unordered_set<std::uint32_t> seen = {};
  };
  struct Open {
    unsigned cycles, links;  // Lower bounds: depth of the next child, and links of the edge to it.
    std::uint32_t sequence;

    // Of edges to the same depth, those along fewer links come first.
    friend bool operator>(const Open& a, const Open& b) {
      return std::tie(a.cycles, a.links, a.sequence) > std::tie(b.cycles, b.links, b.sequence);
    }
  };

  // Begins the search of a node for children. `is_new`: the node was not in the tree.
  void begin(std::uint32_t node, bool is_new) {
    if (is_new) {
      for (const std::uint32_t s : network_.of_node[node]) std::erase(nodes_at_[s], node);
      tree_.order_.push_back(node);
      tree_.depth_ = std::max(tree_.depth_, tree_.units_[node].depth);
      tree_.longest_ = std::max(tree_.longest_, tree_.units_[node].cycles);
    }
    open_.push({tree_.units_[node].depth + 1, 0, static_cast<std::uint32_t>(all_.size())});
    all_.push_back({.node = node});
    for (const std::uint32_t s : network_.of_node[node]) {
      all_.back().ways.push({.order = order_[s], .at = s});
    }
  }

  // Moves on to the nearest switch with nodes that are not in the tree; returns false if there is
  // none.
  bool advance(Search& search) {
    while (!search.ways.empty()) {
      const Way way = search.ways.top();
      if (!nodes_at_[way.at].empty()) return true;
      search.ways.pop();
      if (!search.seen.insert(way.at).second) continue;
      if (searches_[way.at]++ >= kMostSearches && way.links != 0) continue;
      for (const Way& next : network_.ways[way.at]) {
        if (search.seen.contains(next.at)) continue;
        search.ways.push(
            {way.cycles + next.cycles, way.links + next.links, order_[next.at], next.at});
      }
    }
    return false;
  }

  // Begins the search again from nodes with free children: those that could find the remaining
  // nodes have two children by now. Returns false if that was done already and no node was found
  // since.
  bool begin_again() {
    if (begun_again_ == tree_.order_.size()) return false;
    begun_again_ = tree_.order_.size();
    std::ranges::fill(searches_, 0);
    all_.clear();
    for (const std::uint32_t node : tree_.order_) {
      if (tree_.units_[node].num_child < kMostChildren) begin(node, false);
    }
    return true;
  }

  [[noreturn]] void refuse() const {
    for (std::uint32_t s = 0;; ++s) {
      if (nodes_at_[s].empty()) continue;
      throw ConfigError(
          fmt::format("barrier and combine units are connected along the links of the network, "
                      "which do not lead from node {} to node {}",
                      tree_.root(), nodes_at_[s].back()));
    }
  }

  const Switches& network_;
  const std::vector<std::uint32_t>& order_;
  std::vector<std::vector<std::uint32_t>> nodes_at_;  // By switch: nodes that are not in the tree;
                                                      // the lowest rank last.
  std::vector<unsigned> searches_;                    // By switch: searches that have passed it.
  std::vector<Search> all_;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
  std::size_t begun_again_ = 0;  // Nodes of the tree when begin_again was called last.
  UnitTree tree_;
};

UnitTree::UnitTree(const Graph& graph) {
  const Switches network(graph);
  const auto [root, farthest] = network.middle();
  const auto most_children = static_cast<unsigned>(std::bit_width(graph.nodes)) - 1;
  const unsigned least = std::max(farthest, most_children);
  std::vector<std::uint32_t> order(network.ways.size());
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(1);
  const unsigned attempts = graph.nodes < kManyNodes ? kAttempts : kFewAttempts;
  for (unsigned a = 0; a < attempts && (a == 0 || depth_ > least); ++a) {
    UnitTree tree = Layout(network, order).lay(root);
    if (a == 0 || tree.depth_ < depth_) *this = std::move(tree);
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
  }
}

std::uint64_t UnitTree::links() const {
  return std::accumulate(units_.begin(), units_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Unit& unit) { return sum + unit.links; });
}

std::vector<unsigned> UnitTree::depths() const {
  std::vector<unsigned> depths;
  for (const Unit& unit : units_) depths.push_back(unit.depth);
  return depths;
}

NodesBehind nodes_behind(std::span<const std::uint32_t> done) {
  constexpr std::uint32_t kNamed = 8;
  const auto [least, most] = std::ranges::minmax(done);
  NodesBehind behind{.done = least, .count = 0, .ranks = {}};
  for (std::size_t n = 0; n < done.size() && least < most; ++n) {
    if (done[n] != least) continue;
    if (++behind.count <= kNamed) {
      behind.ranks += fmt::format("{}{}", behind.count > 1 ? ", " : "", n);
    }
  }
  if (behind.count > kNamed) behind.ranks += fmt::format(" and {} more", behind.count - kNamed);
  return behind;
}

}  // namespace weft
