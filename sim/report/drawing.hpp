// Places of a network's blocks in a drawing.
#pragma once

#include <optional>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A place in a drawing, in units of the distance of neighbours; y grows downwards.
struct Place {
  double x = 0, y = 0;
};

/// The natural drawing of a network.
struct Drawing {
  std::vector<Place> places;  ///< By block.
  /// By link: whether it leads from one side of the drawing to the other and closes a ring, whose
  /// routers are drawn in a line.
  std::vector<bool> wraps;
};

/// The drawing by the traits of the graph: a router at each node by the coordinates of the nodes, a
/// single ring as a circle, switches in stages and crossbars in columns. None for other networks,
/// which a force-directed layout suits better.
std::optional<Drawing> drawing_of(const Graph& graph);

}  // namespace weft
