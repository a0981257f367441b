// Configurations of the blocks that no graph holds: the network interfaces.
#pragma once

#include "sim/config/config.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Throws ConfigError where an address of the network, or what tells a switch its place, takes more
/// than kAddrW bits: the RTL has no wider ones.
void check_rtl_addresses(const Config& config, const Graph& graph);

/// The network interfaces of a run.
Nic::Config nic_config(const Config& config, const Graph& graph);

}  // namespace weft
