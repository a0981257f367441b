// The part of a configuration that is synthetic traffic.
#pragma once

#include "sim/config/config.hpp"

namespace weft {

/// The kind of workload of a pattern, as `Fact`.
std::uint32_t traffic_facts(const TrafficKind& pattern);

/// Reads a workload with the key "traffic", its regions included. Throws ConfigError.
void read_traffic(const JsonCursor& workload, const Situation& situation, const Registry& registry,
                  WorkloadConfig& target);

}  // namespace weft
