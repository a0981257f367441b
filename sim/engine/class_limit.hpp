// A limit of the router model, which engines without it do not have.
#pragma once

#include <fmt/format.h>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Throws ConfigError if VCs are classes and there are more of them than the model supports.
inline void check_model_classes(const Config& config, const Graph& graph) {
  for (const VcRouter::Config& shape : graph.router_shapes) {
    if (!VcRouter::too_many_classes(shape)) continue;
    config.source.refuse("/router/vcs", shape.num_vc,
                         fmt::format("up to {} on routers of {} ports with engine model or cosim, "
                                     "or \"per_destination\"",
                                     VcRouter::kMostClassed / shape.num_ports, shape.num_ports));
  }
}

}  // namespace weft
