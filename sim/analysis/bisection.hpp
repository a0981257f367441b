// Links across the middle of a network.
#pragma once

#include <cstdint>
#include <string>

#include "sim/topology/graph.hpp"

namespace weft {

/// A cut of a network in two.
struct Bisection {
  std::uint64_t links = 0;  ///< That cross it, one direction each.
  std::string cut;          ///< "dimension 0 between 15 and 16", "bit 3 of dimension 1".
  bool halves = false;      ///< Both sides have as many nodes; else the cut's words have both.
};

/// The cut with the fewest links among those by address: each dimension in its middle, and by each
/// bit of its digit, where that makes halves. Of sizes that are all odd, the middle that is
/// nearest. So this is an upper bound of the bisection width, which is over all halves. A block
/// that is no node's own lies on the side of most of its neighbours nearer to nodes, undecided on
/// the first.
Bisection bisection(const Graph& graph);

}  // namespace weft
