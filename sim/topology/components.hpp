// Which routers of a network can send to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// By router: the number of its strongly connected component, which is the same for two routers if
/// links lead from each to the other. Numbers are arbitrary.
std::vector<std::uint32_t> components_of(const TableNetwork& network);

}  // namespace weft
