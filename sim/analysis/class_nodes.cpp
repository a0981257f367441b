// Nodes that represent their class of translations.
#include "sim/analysis/route_check.hpp"

namespace weft {

SomeNodes class_nodes(const Graph& graph) {
  const auto& classes = graph.translations.block_class;
  SomeNodes sources;
  // By class: its index in `sources`.
  std::vector<std::uint32_t> index(graph.blocks.size(), kOpen);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    std::uint32_t& p = index[classes[rank]];
    if (p == kOpen) {
      p = static_cast<std::uint32_t>(sources.ranks.size());
      sources.ranks.push_back(rank);
      sources.weights.push_back(0);
    }
    ++sources.weights[p];
  }
  return sources;
}

}  // namespace weft
