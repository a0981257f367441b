// Distances in links between routers or crossbars, and in cycles, for bounds of latency.
#include "sim/analysis/latency.hpp"

#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace weft {

namespace {

// Calls `visit` with the connected links out of a block and their other ends; if `backwards`, with
// those into it.
template <class Visit>
void visit_links(const Graph& graph, std::uint32_t at, bool backwards, Visit visit) {
  const Block& block = graph.blocks[at];
  for (std::uint32_t p = 0; p < (backwards ? block.num_in : block.num_out); ++p) {
    const std::uint32_t l = backwards ? block.first_in + p : graph.out_link[block.first_out + p];
    if (l == kOpen || graph.links[l].src_block == kOpen) continue;
    visit(graph.links[l], backwards ? graph.links[l].src_block : graph.links[l].dst_block);
  }
}

// Fewest links between switching blocks, by rank.
std::vector<std::uint32_t> least_links(const Graph& graph, std::uint32_t src, bool backwards) {
  std::vector<std::uint32_t> far(graph.blocks.size(), kOpen);
  std::deque<std::uint32_t> queue = {src};
  far[src] = 0;
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    visit_links(graph, at, backwards, [&](const Link& link, std::uint32_t to) {
      const bool counts = graph.between_switches(link);
      if (far[to] <= far[at] + counts) return;
      far[to] = far[at] + counts;
      counts ? queue.push_back(to) : queue.push_front(to);
    });
  }
  far.resize(graph.nodes);
  return far;
}

// Fewest cycles by block, with `first` at `src`. `leave(block, visit)` calls `visit` with links of
// a block and their other ends, `cost(link)` is what one of them adds.
template <class Leave, class Cost>
std::vector<std::uint64_t> fewest(const Graph& graph, std::uint32_t src, std::uint64_t first,
                                  Leave leave, Cost cost) {
  using Reached = std::pair<std::uint64_t, std::uint32_t>;  // Cycles, block.
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  std::vector<std::uint64_t> cycles(graph.blocks.size(), ~std::uint64_t{0});
  cycles[src] = first;
  queue.emplace(first, src);
  while (!queue.empty()) {
    const auto [here, at] = queue.top();
    queue.pop();
    if (here > cycles[at]) continue;
    leave(at, [&, here = here](const Link& link, std::uint32_t to) {
      const std::uint64_t there = here + cost(link);
      if (there >= cycles[to]) return;
      cycles[to] = there;
      queue.emplace(there, to);
    });
  }
  cycles.resize(graph.nodes);
  return cycles;
}

// Fewest cycles from link to link, by rank, including registers of links.
std::vector<std::uint64_t> least_cycles(const Graph& graph, std::uint32_t src, bool backwards) {
  const std::uint64_t block = block_cycles(graph);
  return fewest(
      graph, src, block,  // Cycles of the last router or crossbar.
      [&](std::uint32_t at, auto visit) { visit_links(graph, at, backwards, visit); },
      [&](const Link& link) {
        return graph.delay(link) + (graph.between_switches(link) ? block : 0);
      });
}

}  // namespace

std::vector<std::uint64_t> wire_cycles(const Graph& graph, std::uint32_t src) {
  return fewest(
      graph, src, 0,
      [&](std::uint32_t at, auto visit) {
        for (const bool backwards : {false, true}) visit_links(graph, at, backwards, visit);
      },
      [&](const Link& link) -> std::uint64_t {
        return graph.between_switches(link) ? 1u + link.stages : 0;
      });
}

LeastWays least_ways(const Graph& graph, std::uint32_t src, bool backwards) {
  LeastWays ways{.links = least_links(graph, src, backwards), .cycles = {}};
  if (graph.has_delays()) {
    ways.cycles = least_cycles(graph, src, backwards);
    return ways;
  }
  for (const std::uint64_t links : ways.links) {
    ways.cycles.push_back((links + 1) * block_cycles(graph));
  }
  return ways;
}

}  // namespace weft
