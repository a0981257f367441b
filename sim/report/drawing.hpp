// Where a network's blocks are drawn.
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
  /// By link: it leads from one side of the drawing to the other and closes a ring, whose routers
  /// are drawn in a line.
  std::vector<bool> wraps;
};

/// By the traits of the graph: a router at each node by the coordinates of the nodes, a single ring
/// as a circle, switches of stages and crossbars in columns. None: another network, which a layout
/// by forces suits better.
std::optional<Drawing> drawing_of(const Graph& graph);

}  // namespace weft
