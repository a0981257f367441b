// Patterns in which all packets of a node have the same destination.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/traffic/traffic.hpp"

namespace weft {

/// The pattern that `destination(src)` (ranks) describes. It is called once for each node.
template <class Destination>
DrawDestination permutation(const Graph& graph, Destination destination) {
  auto table = std::make_shared<std::vector<std::uint32_t>>();
  for (std::uint32_t src = 0; src < graph.nodes; ++src) table->push_back(destination(src));
  return [table = std::move(table)](std::uint32_t src, RandomStream&) { return (*table)[src]; };
}

/// The pattern that maps each coordinate of a node, below `size`, to a new one: `digit(x, size)`.
template <class Digit>
DrawDestination digit_permutation(const Graph& graph, Digit digit) {
  return permutation(graph, [&](std::uint32_t src) {
    std::uint32_t rank = 0, unit = 1;
    for (const std::uint32_t size : graph.dims) {
      rank += digit(src % size, size) * unit;
      src /= size;
      unit *= size;
    }
    return rank;
  });
}

/// Bits of a rank; throws ConfigError if the number of nodes is not a power of two.
inline unsigned rank_bits(const Config& config, const Graph& graph) {
  if (!std::has_single_bit(graph.nodes)) refuse_nodes(config, graph, "2, 4, 8, ...");
  return static_cast<unsigned>(std::countr_zero(graph.nodes));
}

}  // namespace weft
