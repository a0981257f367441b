// The tree of all ranks that barrier units and combine units are connected in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace weft {

// A binary heap: rank 0 is the root, the parent of rank r is (r - 1) / 2.

/// Links between a rank's unit and the root.
constexpr unsigned tree_depth(std::uint32_t rank) {
  return static_cast<unsigned>(std::bit_width(rank + 1)) - 1;
}

/// Children of a rank among `nodes`; the first is 2 rank + 1.
constexpr unsigned tree_children(std::uint32_t rank, std::uint32_t nodes) {
  const std::uint32_t first = 2 * rank + 1;
  return first >= nodes ? 0u : std::min(2u, nodes - first);
}

}  // namespace weft
