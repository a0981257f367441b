// One line of each dimension of a network in dimension order.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// Ranks along one dimension, all other digits 0.
struct Line {
  std::vector<std::uint32_t> ranks;
  /// Number of pairs of nodes of the network that have the digits of one pair on the line.
  std::uint64_t weight = 1;
};

/// Of each dimension of more than one node.
inline std::vector<Line> lines_of(const Graph& graph) {
  std::vector<Line> lines;
  std::uint32_t stride = 1;
  for (const std::uint32_t size : graph.dims) {
    const std::uint64_t others = graph.nodes / size;
    if (size > 1) lines.push_back({{}, others * others});
    for (std::uint32_t i = 0; size > 1 && i < size; ++i) lines.back().ranks.push_back(i * stride);
    stride *= size;
  }
  return lines;
}

}  // namespace weft
