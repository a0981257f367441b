// The part of a configuration that is synthetic traffic.
#pragma once

#include "sim/config/config.hpp"

namespace weft {

/// The pattern that the key "traffic" of a workload names, or that of a list (kMixed), which has no
/// keys of its own. Throws ConfigError.
const TrafficKind& traffic_kind(const JsonCursor& workload, const Registry& registry);

/// The kind of workload of a pattern, as a `Fact`.
std::uint32_t traffic_facts(const TrafficKind& pattern);

/// Reads a workload with the key "traffic", including its regions. Throws ConfigError.
void read_traffic(const JsonCursor& workload, const Situation& situation, const Registry& registry,
                  WorkloadConfig& target);

/// The list from which read_traffic reads these patterns.
nlohmann::json to_json(const std::vector<PatternShare>& patterns);

}  // namespace weft
