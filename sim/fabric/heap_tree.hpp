// The tree of all ranks that barrier units and combine units are connected in.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

// A binary heap: rank 0 is the root, the parent of rank r is (r - 1) / 2.

/// Links between a rank's unit and the root.
constexpr unsigned tree_depth(std::uint32_t rank) {
  return static_cast<unsigned>(std::bit_width(rank + 1)) - 1;
}

/// That of every rank.
inline std::vector<unsigned> tree_depths(std::uint32_t nodes) {
  std::vector<unsigned> depths(nodes);
  for (std::uint32_t rank = 0; rank < nodes; ++rank) depths[rank] = tree_depth(rank);
  return depths;
}

/// Children of a rank among `nodes`; the first is 2 rank + 1.
constexpr unsigned tree_children(std::uint32_t rank, std::uint32_t nodes) {
  const std::uint32_t first = 2 * rank + 1;
  return first >= nodes ? 0u : std::min(2u, nodes - first);
}

/// Nodes that are behind the others.
struct NodesBehind {
  std::uint32_t done = 0;   ///< What they have done, less than the others.
  std::uint32_t count = 0;  ///< Of them; 0 if all have done the same.
  std::string ranks;        ///< The first eight, "0, 3 and 12 more".
};
/// `done(rank)`: how many orders or barriers the node has begun.
template <class Done>
NodesBehind nodes_behind(std::uint32_t nodes, Done done) {
  constexpr std::uint32_t kNamed = 8;
  std::uint32_t most = 0;
  NodesBehind behind{.done = UINT32_MAX, .count = 0, .ranks = {}};
  for (std::uint32_t n = 0; n < nodes; ++n) {
    behind.done = std::min(behind.done, done(n));
    most = std::max(most, done(n));
  }
  for (std::uint32_t n = 0; n < nodes && behind.done < most; ++n) {
    if (done(n) != behind.done) continue;
    if (++behind.count <= kNamed) {
      behind.ranks += fmt::format("{}{}", behind.count > 1 ? ", " : "", n);
    }
  }
  if (behind.count > kNamed) behind.ranks += fmt::format(" and {} more", behind.count - kNamed);
  return behind;
}

}  // namespace weft
