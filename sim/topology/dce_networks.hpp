// Shared by DCE and MDCE networks (seed 001 2, 3): rings of routers, connected by cross links.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/router_networks.hpp"

namespace weft {

/// Rings along x (dimension 0), and planes: in a plane's dimension y, the cross links of column x
/// invert bit x.
struct DceShape {
  struct Plane {
    std::uint32_t bits = 0;   ///< 2^bits rings in this dimension; columns from `bits` on have no
                              ///< cross links.
    std::uint32_t delta = 0;  ///< Columns that a cross link moves forward, 0 to columns - 1.
  };
  std::uint32_t columns = 0;  ///< Routers of a ring, 2 or more.
  std::uint32_t rings = 1;    ///< Parallel links along a ring.
  std::vector<Plane> planes;  ///< In the order in which a packet considers them.
};

/// Bits of an address that are left for the planes if a ring has `columns` columns.
std::uint32_t max_plane_bits(std::uint32_t columns);

/// Builds the network; ports in the order of rtl/README.md, route_dce.
Graph dce_network(const Config& config, const DceShape& shape);

/// Number of classes that a packet can be in: one more than the times that it goes round, except in
/// its first step (rtl/README.md, route_dce). Exact: all start columns and all differences of
/// source and destination are tried. As many VCs suffice against deadlock; if cross links move
/// forward on 4 columns or more, one less may (`weft topo` finds the least).
unsigned dce_classes(const DceShape& shape);

}  // namespace weft
