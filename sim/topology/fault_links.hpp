// Links that a fault of the configuration affects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/topology/topology.hpp"

namespace weft {

/// Links of fault number `fault`; a single one unless it has a rate. Throws ConfigError naming the
/// fault if the network has no such link.
std::vector<std::uint32_t> fault_links(const Config& config, const Graph& graph, std::size_t fault);

}  // namespace weft
