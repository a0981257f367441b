// Limits of a collective: words that must cross some links, and the path of the farthest word.
#include "sim/analysis/collective_bound.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/analysis/analysis.hpp"
#include "sim/analysis/latency.hpp"
#include "sim/analysis/symmetry.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

using Goal = CollectiveGoal;

// Cycles from an order to the word in memory, if only the root's node has one (rtl/combine).
constexpr std::uint64_t kTreeCycles = 5;

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

// Words that must cross links.
struct Limit {
  const char* by;
  std::uint64_t words;
  std::uint64_t links;
  std::uint64_t by_tree;  // Number of `words` that each word through a combining tree saves.

  // Flits, headers included, on the busiest of the links if `combined` words go by the tree.
  std::uint64_t cycles(std::uint32_t packet_flits, std::uint64_t combined) const {
    const std::uint64_t spared = by_tree * combined;
    if (words <= spared) return 0;
    return wire_flits(quotient_up(words - spared, links), packet_flits);
  }
};

// A part of the members.
struct Part {
  std::uint64_t members = 0, own = 0;
  bool root = false;
};

class CollectiveLimits {
 public:
  CollectiveLimits(const Graph& graph, const CollectiveWork& work)
      : graph_(graph), work_(work), parts_(graph.nodes) {
    for (std::uint32_t i = 0; i < work.members.size(); ++i) {
      Part& part = parts_[work.members[i]];
      part = {1, work.own.empty() ? 0 : work.own[i], i == work.root};
      add_to(all_, part);
    }
    add_nodes();
    add_groups();
    add_cuts();
    if (work.goal == Goal::kAllToAll) add_digits();
    follow_distances();
  }

  Bound bound() const {
    Bound bound = at(0);
    // The fewest cycles in which the tree can do enough for messages to do the rest.
    if (has_tree()) {
      std::uint64_t low = 0, high = std::min(bound.cycles, work_.words);
      while (low < high) {
        const std::uint64_t middle = (low + high) / 2;
        at(middle).cycles <= middle ? high = middle : low = middle + 1;
      }
      bound = {low, "links and combining tree"};
    }
    if (latency_ > bound.cycles) bound = {latency_, "latency"};
    if (has_tree()) return bound;
    for (const Limit& limit : injection_) {
      bound.injection = std::max(bound.injection, limit.cycles(work_.packet_flits, 0));
    }
    return bound;
  }

 private:
  static void add_to(Part& sum, const Part& part) {
    sum.members += part.members;
    sum.own += part.own;
    sum.root |= part.root;
  }
  Part others(const Part& part) const {
    return {all_.members - part.members, all_.own - part.own, !part.root};
  }
  bool has_tree() const { return !work_.tree_depths.empty(); }
  bool routers_at_nodes() const { return graph_.has_routers() && !graph_.staged; }
  // By router, from block `nodes` on: the number that all of its nodes have; kOpen if it has none,
  // or if theirs differ.
  template <class NumberOf>
  std::vector<std::uint32_t> of_routers(NumberOf number_of) const {
    std::vector<std::uint32_t> number(graph_.blocks.size() - graph_.nodes, kOpen);
    std::vector<bool> seen(number.size());
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      const std::uint32_t router = router_of(rank);
      const std::uint32_t own = number_of(rank);
      number[router] = !seen[router] || number[router] == own ? own : kOpen;
      seen[router] = true;
    }
    return number;
  }
  std::uint32_t router_of(std::uint32_t rank) const {
    return graph_.links[graph_.out_link[graph_.blocks[rank].first_out]].dst_block - graph_.nodes;
  }

  // Words that must leave a part of the members for the others.
  std::uint64_t leaving(const Part& part) const {
    const Part rest = others(part);
    if (part.members == 0 || rest.members == 0) return 0;
    switch (work_.goal) {
      case Goal::kAllToAll:
        return part.members * rest.members * work_.words;
      case Goal::kAllreduce:
        return work_.words;
      case Goal::kReduceScatter:
        return rest.own;
      case Goal::kAllgather:
        return part.own;
      case Goal::kBroadcast:
        return part.root ? work_.words : 0;
      case Goal::kReduce:
        return part.root ? 0 : work_.words;
      default:
        return 0;
    }
  }
  // How often every word must be sent between parts that each have members.
  std::uint64_t trips(std::uint64_t parts) const {
    if (work_.goal == Goal::kAllToAll || work_.goal == Goal::kLeave) return 0;
    return (work_.goal == Goal::kAllreduce ? 2 : 1) * (parts - 1);
  }
  // Words from one member to another.
  std::uint64_t between(const Part& from, const Part& to) const {
    switch (work_.goal) {
      case Goal::kReduceScatter:
        return to.own;
      case Goal::kAllgather:
        return from.own;
      case Goal::kBroadcast:
        return from.root ? work_.words : 0;
      case Goal::kReduce:
        return to.root ? work_.words : 0;
      case Goal::kLeave:
        return 0;
      default:
        return work_.words;
    }
  }

  void add_part(const char* by, const Part& part, std::uint64_t out, std::uint64_t in,
                std::vector<Limit>& limits) const {
    if (out != 0) limits.push_back({by, leaving(part), out, 1});
    if (in != 0) limits.push_back({by, leaving(others(part)), in, 1});
  }
  void add_nodes();
  void add_groups();
  template <class GroupOf>
  void add_groups(GroupOf group_of);
  void add_cuts();
  void add_digits();
  void follow_distances();

  // The largest limit if `combined` words of the array go by the tree.
  Bound at(std::uint64_t combined) const {
    Bound bound;
    for (const Limit& limit : limits_) {
      const std::uint64_t cycles = limit.cycles(work_.packet_flits, combined);
      if (cycles > bound.cycles) bound = {cycles, limit.by};
    }
    return bound;
  }

  const Graph& graph_;
  const CollectiveWork& work_;
  std::vector<Part> parts_;  // By rank.
  Part all_;
  std::vector<std::uint64_t> out_, in_;  // Links that the network offers each node.
  std::vector<Limit> limits_;
  std::vector<Limit> injection_;  // Limits of the links that the interfaces have.
  std::uint64_t latency_ = 0;
};

// Adds limits of each node alone, and of all nodes on average.
void CollectiveLimits::add_nodes() {
  out_.assign(graph_.nodes, graph_.nic_links);
  in_ = out_;
  if (routers_at_nodes()) {
    const std::size_t routers = graph_.blocks.size() - graph_.nodes;
    std::vector<std::uint64_t> out(routers), in(routers), nodes(routers);
    for (const Link& link : graph_.links) {
      if (!graph_.between_switches(link)) continue;
      ++out[link.src_block - graph_.nodes];
      ++in[link.dst_block - graph_.nodes];
    }
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) ++nodes[router_of(rank)];
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      // Other nodes at the router may take all that an interface sends.
      const std::uint32_t router = router_of(rank);
      const std::uint64_t others = nodes[router] > 1 ? kMostControllers : 0;
      out_[rank] = out[router] + others;
      in_[rank] = in[router] + others;
    }
  }
  std::uint64_t offered[2] = {}, present[2] = {};
  for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
    out_[rank] = std::min<std::uint64_t>(out_[rank], kMostControllers);
    in_[rank] = std::min<std::uint64_t>(in_[rank], kMostControllers);
    const std::uint64_t out = std::min<std::uint64_t>(out_[rank], graph_.nic_links);
    const std::uint64_t in = std::min<std::uint64_t>(in_[rank], graph_.nic_links);
    add_part("links of a node", parts_[rank], out_[rank], in_[rank], limits_);
    add_part("links of a node", parts_[rank], out, in, injection_);
    if (work_.goal == Goal::kLeave && parts_[rank].members != 0 && out != 0) {
      limits_.push_back({"links of a node", work_.words, out_[rank], 0});
      injection_.push_back({"links of a node", work_.words, out, 0});
    }
    offered[0] += out_[rank];
    offered[1] += in_[rank];
    present[0] += out;
    present[1] += in;
  }
  const std::uint64_t each = trips(all_.members);
  limits_.push_back(
      {"links of all nodes", each * work_.words, std::min(offered[0], offered[1]), each});
  injection_.push_back(
      {"links of all nodes", each * work_.words, std::min(present[0], present[1]), each});
}

// Adds limits of nodes that differ only in their first digits: lines, planes, boards.
void CollectiveLimits::add_groups() {
  if (!routers_at_nodes()) return;
  if (graph_.shares_routers) add_groups([&](std::uint32_t rank) { return router_of(rank); });
  std::uint32_t size = 1;
  for (const std::uint32_t digits : graph_.dims) {
    size *= digits;
    if (digits == 1 || graph_.nodes == size) continue;
    add_groups([&](std::uint32_t rank) { return rank / size; });
  }
}

// Adds limits of groups of nodes by number, unless a router belongs to none or to several.
template <class GroupOf>
void CollectiveLimits::add_groups(GroupOf group_of) {
  const std::vector<std::uint32_t> of_router = of_routers(group_of);
  if (std::ranges::find(of_router, kOpen) != of_router.end()) return;
  const std::uint32_t count = 1 + *std::ranges::max_element(of_router);
  std::vector<Part> groups(count);
  std::vector<std::uint64_t> out(count), in(count);
  for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
    add_to(groups[group_of(rank)], parts_[rank]);
  }
  for (const Link& link : graph_.links) {
    if (!graph_.between_switches(link)) continue;
    const std::uint32_t from = of_router[link.src_block - graph_.nodes];
    const std::uint32_t to = of_router[link.dst_block - graph_.nodes];
    out[from] += from != to;
    in[to] += from != to;
  }
  std::uint64_t with_members = 0;
  for (std::uint32_t g = 0; g < count; ++g) {
    add_part("links of a part", groups[g], out[g], in[g], limits_);
    with_members += groups[g].members != 0;
  }
  const std::uint64_t each = trips(with_members);
  limits_.push_back({"links between parts", each * work_.words,
                     std::accumulate(out.begin(), out.end(), std::uint64_t{0}), each});
}

// Adds limits of cuts by address.
void CollectiveLimits::add_cuts() {
  for (const AddressCut& cut : address_cuts(graph_)) {
    Part part;
    for (const std::uint32_t rank : work_.members) {
      if (cut.second[rank]) add_to(part, parts_[rank]);
    }
    add_part("links across a cut", part, cut.from_second, cut.from_first, limits_);
  }
}

// Adds a limit for each dimension from the links that change its digit: a path between two nodes
// has at least as many of them as it takes from one digit to the other, whatever it does in other
// dimensions.
void CollectiveLimits::add_digits() {
  if (!routers_at_nodes()) return;
  std::uint32_t stride = 1;
  for (const std::uint32_t size : graph_.dims) {
    const auto digit = [size, step = std::exchange(stride, stride * size)](std::uint32_t rank) {
      return rank / step % size;
    };
    const std::vector<std::uint32_t> of_router = of_routers(digit);
    if (std::ranges::find(of_router, kOpen) != of_router.end()) continue;
    std::vector<std::vector<std::uint32_t>> next(size);
    std::vector<std::uint64_t> members(size);
    std::uint64_t links = 0, hops = 0;
    for (const std::uint32_t rank : work_.members) ++members[digit(rank)];
    for (const Link& link : graph_.links) {
      if (!graph_.between_switches(link)) continue;
      const std::uint32_t from = of_router[link.src_block - graph_.nodes];
      const std::uint32_t to = of_router[link.dst_block - graph_.nodes];
      if (from == to) continue;
      ++links;
      if (std::find(next[from].begin(), next[from].end(), to) == next[from].end()) {
        next[from].push_back(to);
      }
    }
    if (links == 0) continue;
    for (std::uint32_t src = 0; src < size; ++src) {
      std::vector<std::uint32_t> far(size, kOpen), queue = {src};
      far[src] = 0;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        hops += members[src] * members[queue[i]] * far[queue[i]];
        for (const std::uint32_t to : next[queue[i]]) {
          if (far[to] != kOpen) continue;
          far[to] = far[queue[i]] + 1;
          queue.push_back(to);
        }
      }
    }
    limits_.push_back({"links of a dimension", hops * work_.words, links, 0});
  }
}

// Adds limits from the path of the last word between two members, and for the all-to-all from all
// paths together.
void CollectiveLimits::follow_distances() {
  SomeNodes sources;
  const bool to_root = work_.goal == Goal::kReduce;
  if (to_root || work_.goal == Goal::kBroadcast) {
    sources = {{work_.members[work_.root]}, {1}};
  } else if (graph_.nodes <= kExactNodes && !has_tree() && has_translations(graph_)) {
    sources = class_nodes(graph_);
  } else if (graph_.nodes <= kMostSources) {
    sources = {work_.members, std::vector<std::uint64_t>(work_.members.size(), 1)};
  } else {
    sources = {{work_.members.front()}, {1}};
  }
  const std::uint64_t block = block_cycles(graph_);
  std::uint64_t hops = 0;
  for (std::size_t i = 0; i < sources.ranks.size(); ++i) {
    const std::uint32_t src = sources.ranks[i];
    if (parts_[src].members == 0) continue;
    const LeastWays least = least_ways(graph_, src, to_root);
    std::vector<std::uint64_t> wires;
    if (has_tree()) wires = wire_cycles(graph_, src);
    for (const std::uint32_t other : work_.members) {
      if (other == src) continue;
      hops += sources.weights[i] * least.links[other];
      const std::uint32_t from = to_root ? other : src, to = to_root ? src : other;
      const std::uint64_t words = between(parts_[from], parts_[to]);
      if (words == 0) continue;
      const auto by_links = [&](std::uint64_t share, std::uint64_t way) {
        return kSendCycles + way + wire_flits(share, work_.packet_flits) - 1 + kReceiveCycles +
               (work_.reduces ? kReduceCycles : 0);
      };
      if (has_tree()) {
        // Cycles of one word: by links only, or by the tree, where a message may replace the way up
        // or the way down.
        const std::uint64_t message = by_links(1, 2 * block);
        const std::uint64_t tree = std::min<std::uint64_t>(work_.tree_depths[from], message) +
                                   std::min<std::uint64_t>(work_.tree_depths[to], message);
        latency_ = std::max(latency_, std::min(kTreeCycles + std::max(wires[other], tree),
                                               by_links(1, least.cycles[other])));
        continue;
      }
      const std::uint64_t share = quotient_up(words, std::min(out_[from], in_[to]));
      latency_ = std::max(latency_, by_links(share, least.cycles[other]));
    }
  }
  if (work_.goal != Goal::kAllToAll) return;
  std::uint64_t links = 0;
  for (const Link& link : graph_.links) {
    links += graph_.between_switches(link);
  }
  if (links != 0) limits_.push_back({"all links by distances", hops * work_.words, links, 0});
}

}  // namespace

Bound collective_bound(const Graph& graph, const CollectiveWork& work) {
  if (work.members.size() < 2 || work.words == 0) return {};
  return CollectiveLimits(graph, work).bound();
}

}  // namespace weft
