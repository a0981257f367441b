// The result of a run as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/result.hpp"

namespace weft {

/// JSON with the field names of the design; `digest` is a string of 16 hexadecimal digits.
nlohmann::json to_json(const Result& result);

/// The same of a run on `engine` that has failed, for the reason in `failure`: only what is known.
nlohmann::json to_json(const FailedRun& failed, const Config& config, const std::string& engine,
                       const std::string& failure);

/// Every member that such an object may have, as a list of `name`, `type`, `unit` and `help`:
/// "latency/mean", and "regions[]/nodes" of each element of a list.
nlohmann::json list_results();

}  // namespace weft
