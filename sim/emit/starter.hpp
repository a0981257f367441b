// The starter testbench of an emitted network.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Number of messages that every node sends by default, to the ranks after its own: in small
/// networks all other nodes.
std::uint32_t starter_messages(const Graph& graph);
/// Length of the default messages, flits.
inline constexpr std::uint32_t kStarterFlits = 20;

/// The default messages as `workload.transfers`, posted as the testbench posts them.
std::vector<Transfer> starter_transfers(const Graph& graph);

/// Texts of the testbench's files by name, including its Makefile; `axi`: the interfaces have AXI
/// ports. Throws ConfigError if the templates (sim/emit/starter) cannot be read.
std::map<std::string, std::string> starter_files(const Config& config, const Graph& graph,
                                                 bool axi);

}  // namespace weft
