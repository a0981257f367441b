// What mesh and torus share: one router at each node, neighbours along every dimension.
#pragma once

#include <cstdint>

#include "sim/topology/addresses.hpp"

namespace weft {

/// Reads `topology.dims` and builds the network: router r_<rank> at interface nic_<rank>, joined by
/// as many links each way as an interface has send controllers; ports in the order of
/// rtl/README.md, route_mesh. Dimensions of size 1 have no ports. Where `wraps`, the last router of
/// a dimension is the neighbour of the first (at size 2 both links lead to the one neighbour).
/// Throws ConfigError.
Graph router_network(const Config& config, RouteKind kind, bool wraps);

}  // namespace weft
