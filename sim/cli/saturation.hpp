// `weft run --saturation`: the saturation rate of a configuration's traffic.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/saturation.hpp"

namespace weft::cli {

/// Searches the saturation rate, with a line of progress on standard error if `options` ask for it.
Saturation search_saturation(const Config& config, const RunOptions& options, double width);

/// The result as a JSON object: the rate and its interval, and the findings at each rate.
nlohmann::json to_json(const Saturation& found, const Config& config, const RunOptions& options);
/// The result as text, with ascending rates.
std::string saturation_text(const Saturation& found, const Config& config);

}  // namespace weft::cli
