// The starter testbench of an emitted network.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Messages that every node sends by default, to the ranks after its own: all other nodes where
/// there are few.
std::uint32_t starter_messages(const Graph& graph);
/// And their length, flits.
inline constexpr std::uint32_t kStarterFlits = 20;

/// These messages as `workload.transfers`, posted as the testbench posts them.
std::vector<Transfer> starter_transfers(const Graph& graph);

/// Texts of the testbench's files by name, its Makefile included; `axi`: of a network whose
/// interfaces have AXI ports. Throws ConfigError if their templates (sim/emit/starter) cannot be
/// read.
std::map<std::string, std::string> starter_files(const Config& config, const Graph& graph,
                                                 bool axi);

}  // namespace weft
