// Which links a fault of the configuration is on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/topology/topology.hpp"

namespace weft {

/// The links of fault number `fault`, one where it has no rate. Throws ConfigError naming the fault
/// if the network has no such link.
std::vector<std::uint32_t> fault_links(const Config& config, const Graph& graph, std::size_t fault);

}  // namespace weft
