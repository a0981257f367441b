// The registry: all topologies, traffic patterns and collectives that a configuration may name.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/config/config.hpp"

namespace weft {

/// All entries of this program, sorted by name.
Registry full_registry();

/// `parse_config` and `load_config` with the full registry.
Config parse_config(const nlohmann::json& document, const Source& source);
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace weft
