// `weft run --saturation`: the saturation rate of a configuration's traffic.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/saturation.hpp"

namespace weft::cli {

/// The search with a line of progress on standard error, where `options` ask for it.
Saturation search_saturation(const Config& config, const RunOptions& options, double width);

/// As a JSON object: the rate and its interval, and what each rate gave.
nlohmann::json to_json(const Saturation& found, const Config& config, const RunOptions& options);
/// As text, the rates rising.
std::string saturation_text(const Saturation& found, const Config& config);

}  // namespace weft::cli
