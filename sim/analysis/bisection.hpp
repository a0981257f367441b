// Links across the middle of a network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A cut of a network in two.
struct Bisection {
  std::uint64_t links = 0;  ///< Links that cross the cut, one direction each.
  std::string cut;          ///< In words: "dimension 0 between 15 and 16", "bit 3 of dimension 1".
  bool halves = false;      ///< Both sides have the same number of nodes; else `cut` names both
                            ///< numbers.
};

/// The cut with the fewest links among those by address: each dimension in its middle, and by each
/// bit of its digit, if that makes halves. If all sizes are odd, the cut nearest to the middle.
/// This is an upper bound of the bisection width, which is over all halves. A block that belongs to
/// no single node is on the side of most of its neighbours that are nearer to nodes; in a tie on
/// the first side.
Bisection bisection(const Graph& graph);

/// One cut by address, and the links across it.
struct AddressCut {
  std::vector<bool> second;  ///< By block: whether it is on the second side.
  std::uint64_t from_first = 0, from_second = 0;
};

/// All cuts by address: each dimension of several nodes in its middle, or one below, and by the
/// bits of its digit that make halves.
std::vector<AddressCut> address_cuts(const Graph& graph);

}  // namespace weft
