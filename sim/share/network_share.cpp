// The share of a network that one process simulates; other processes simulate the rest.
#include "sim/share/network_share.hpp"

#include <algorithm>
#include <tuple>

namespace weft {

std::vector<BlockRange> NetworkShare::ranges_of_thread(const Graph& graph, unsigned thread) const {
  const auto [first, end] = division_.parts_of_thread(thread, threads_);
  NodeSet nodes, switches;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const unsigned part = division_.of_block[b];
    if (part >= first && part < end) (b < graph.nodes ? nodes : switches).add(b);
  }
  std::vector<BlockRange> parts(std::max(nodes.ranges().size(), switches.ranges().size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < nodes.ranges().size()) {
      const NodeRange& range = nodes.ranges()[i];
      std::tie(parts[i].first_node, parts[i].end_node) = std::tie(range.first, range.end);
    }
    if (i < switches.ranges().size()) {
      const NodeRange& range = switches.ranges()[i];
      std::tie(parts[i].first_block, parts[i].end_block) = std::tie(range.first, range.end);
    }
  }
  return parts;
}

}  // namespace weft
