// Shortest distances, whatever the routing.
#include <algorithm>

#include "sim/analysis/route_check.hpp"
#include "sim/analysis/symmetry.hpp"

namespace weft {
namespace {

// Sum of the blocks passed on the shortest paths from one node to all, by breadth-first search over
// links. A flit may leave a block by every output, and by the detour of its input.
class ShortestDistances {
 public:
  explicit ShortestDistances(const Graph& graph) : graph_(graph), expanded_(graph.blocks.size()) {}

  std::uint64_t sum_from(std::uint32_t src) {
    std::fill(expanded_.begin(), expanded_.end(), false);
    frontier_.assign(1, graph_.out_link[graph_.blocks[src].first_out]);
    std::uint64_t sum = 0;
    // Each block is expanded once and each in-port has one link, so no link is visited twice.
    for (std::uint64_t distance = 0; !frontier_.empty(); ++distance) {
      next_.clear();
      for (const std::uint32_t link : frontier_) {
        const std::uint32_t block = graph_.links[link].dst_block;
        if (block >= graph_.nodes) {
          expand(block, graph_.links[link].dst_port);
        } else if ((block != src || graph_.staged) && graph_.connected(src, block)) {
          sum += distance;
        }
      }
      frontier_.swap(next_);
    }
    return sum;
  }

 private:
  void expand(std::uint32_t block, std::uint32_t in_port) {
    const Block& b = graph_.blocks[block];
    const auto* out = &graph_.out_link[b.first_out];
    if (b.kind == Block::Kind::kRouter) {
      if (expanded_[block]) return;
      expanded_[block] = true;
      // Several links to one interface start at one router: only the first is counted.
      std::uint32_t before = kOpen;
      for (std::uint32_t p = 0; p < b.num_out; ++p) {
        if (out[p] == kOpen) continue;
        const std::uint32_t to = graph_.links[out[p]].dst_block;
        if (to >= graph_.nodes || to != before) next_.push_back(out[p]);
        before = to;
      }
      return;
    }
    const CrossbarConfig& shape = graph_.shapes[b.shape];
    if (!expanded_[block]) {
      expanded_[block] = true;
      next_.insert(next_.end(), out, out + shape.num_out);
    }
    if (shape.detour && in_port < shape.num_out) next_.push_back(out[shape.num_out + in_port]);
  }

  const Graph& graph_;
  std::vector<bool> expanded_;
  std::vector<std::uint32_t> frontier_, next_;
};

// Sum of the shortest distances, in links between routers, on one line: if the dimensions of a
// network are independent, its distances are sums of those along its lines.
std::uint64_t sum_on_line(const Graph& graph, const DimensionLine& line) {
  const auto size = static_cast<std::uint32_t>(line.ranks.size());
  std::vector<std::uint32_t> index(graph.blocks.size(), kOpen);
  const auto router = [&](std::uint32_t i) {
    return graph.links[graph.out_link[graph.blocks[line.ranks[i]].first_out]].dst_block;
  };
  for (std::uint32_t i = 0; i < size; ++i) index[router(i)] = i;
  std::vector<std::vector<std::uint32_t>> next(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const Block& block = graph.blocks[router(i)];
    for (std::uint32_t p = 0; p < block.num_out; ++p) {
      const std::uint32_t link = graph.out_link[block.first_out + p];
      if (link == kOpen || index[graph.links[link].dst_block] == kOpen) continue;
      next[i].push_back(index[graph.links[link].dst_block]);
    }
  }
  std::uint64_t sum = 0;
  for (std::uint32_t src = 0; src < size; ++src) {
    std::vector<std::uint32_t> hops(size, kOpen), queue = {src};
    hops[src] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t at = queue[i];
      sum += hops[at];
      for (const std::uint32_t to : next[at]) {
        if (hops[to] != kOpen) continue;
        hops[to] = hops[at] + 1;
        queue.push_back(to);
      }
    }
  }
  return sum;
}

}  // namespace

std::uint64_t shortest_distances(const Graph& graph, std::uint32_t all_pairs_up_to) {
  const bool by_symmetry = graph.nodes > all_pairs_up_to;
  std::uint64_t sum = 0;
  const auto product = by_symmetry ? product_of(graph) : std::nullopt;
  if (product && product->units == 1) {
    for (const DimensionLine& line : lines_of(graph, *product)) {
      const std::uint64_t others = graph.nodes / line.ranks.size();
      sum += others * others * sum_on_line(graph, line);
    }
    return sum;
  }
  const SomeNodes sources =
      by_symmetry && has_translations(graph) ? class_nodes(graph) : analysed_sources(graph.nodes);
  ShortestDistances distances(graph);
  // A path has one fewer links between routers than routers.
  const bool less = graph.has_routers() && !graph.staged;
  for (std::size_t s = 0; s < sources.ranks.size(); ++s) {
    const std::uint32_t src = sources.ranks[s];
    std::uint64_t others = graph.nodes - 1;
    if (!graph.failures.component.empty()) {
      others = 0;
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        others += dst != src && graph.connected(src, dst);
      }
    }
    sum += sources.weights[s] * (distances.sum_from(src) - (less ? others : 0));
  }
  return sum;
}

}  // namespace weft
