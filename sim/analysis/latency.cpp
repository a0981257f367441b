// Distances in links between routers or crossbars, for bounds of latency.
#include "sim/analysis/latency.hpp"

#include <deque>

namespace weft {

std::vector<std::uint32_t> distances(const Graph& graph, std::uint32_t src, bool backwards) {
  std::vector<std::uint32_t> far(graph.blocks.size(), kOpen);
  std::deque<std::uint32_t> queue = {src};
  far[src] = 0;
  const auto reach = [&](std::uint32_t from, std::uint32_t to) {
    const bool counts = from >= graph.nodes && to >= graph.nodes;
    if (far[to] <= far[from] + counts) return;
    far[to] = far[from] + counts;
    counts ? queue.push_back(to) : queue.push_front(to);
  };
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    const Block& block = graph.blocks[at];
    for (std::uint32_t p = 0; p < (backwards ? block.num_in : block.num_out); ++p) {
      const std::uint32_t link =
          backwards ? block.first_in + p : graph.out_link[block.first_out + p];
      if (link == kOpen || graph.links[link].src_block == kOpen) continue;
      reach(at, backwards ? graph.links[link].src_block : graph.links[link].dst_block);
    }
  }
  far.resize(graph.nodes);
  return far;
}

}  // namespace weft
