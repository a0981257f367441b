// Configurations of the blocks that the network graph does not describe: the network interfaces.
#pragma once

#include "sim/config/config.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Configuration of the network interfaces of a run.
Nic::Config nic_config(const Config& config, const Graph& graph);

}  // namespace weft
