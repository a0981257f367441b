// Shared by DCE and MDCE networks (seed 001 2, 3): rings of routers, connected by cross links.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/router_networks.hpp"

namespace weft {

/// Rings along x (dimension 0), and planes: dimensions y whose bit x the cross links of column x
/// invert.
struct DceShape {
  struct Plane {
    std::uint32_t bits = 0;   ///< 2^bits rings in this dimension; columns from `bits` on have none.
    std::uint32_t delta = 0;  ///< Columns that a cross link advances, 0 to columns - 1.
  };
  std::uint32_t columns = 0;  ///< Routers of a ring, 2 or more.
  std::uint32_t rings = 1;    ///< Parallel links along a ring.
  std::vector<Plane> planes;  ///< In the order in which a packet looks at them.
};

/// Bits that an address has left for the planes beside a column of a ring of that length.
std::uint32_t max_plane_bits(std::uint32_t columns);

/// Builds the network; ports in the order of rtl/README.md, route_dce.
Graph dce_network(const Config& config, const DceShape& shape);

/// Classes that a packet can be in: one more than the times that it goes round, not counting a
/// first step that does (rtl/README.md, route_dce). Exact: all columns to begin in and all
/// differences of source and destination are tried. As many VCs suffice against deadlock; where
/// cross links go on 4 columns or more, one less may (`weft topo` finds the least).
unsigned dce_classes(const DceShape& shape);

}  // namespace weft
