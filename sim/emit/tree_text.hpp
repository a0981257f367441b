// The barrier units and combine units of an emitted network, and the edges of their trees.
#pragma once

#include <string>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Text of the instances that the configuration has of either unit. A unit's outputs are slices of
/// the gathered ports of the top; edges of more than one cycle have registers (`link_stage`).
/// `axi`: interfaces with AXI ports enter barriers.
std::string tree_text(const Config& config, const Graph& graph, bool axi);

}  // namespace weft
