// How the blocks of a fabric are divided between threads.
#include "sim/fabric/fabric.hpp"

namespace weft {

std::vector<Part> cut(const Graph& graph, unsigned count) {
  // A block's cost grows with its ports; that of an interface includes its endpoint.
  constexpr std::uint64_t kNodeCost = 4;
  std::vector<std::uint64_t> before = {0};
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    const std::uint64_t cost = b < graph.nodes ? kNodeCost : graph.blocks[b].num_in;
    before.push_back(before.back() + cost);
  }
  const auto block_at = [&](std::uint64_t cost) {
    return static_cast<std::uint32_t>(std::lower_bound(before.begin(), before.end(), cost) -
                                      before.begin());
  };
  std::vector<Part> parts;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t first = block_at(before.back() * i / count);
    const std::uint32_t end = block_at(before.back() * (i + 1) / count);
    parts.push_back({std::min(first, graph.nodes), std::min(end, graph.nodes),
                     std::max(first, graph.nodes), std::max(end, graph.nodes)});
  }
  return parts;
}

}  // namespace weft
