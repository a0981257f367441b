// The result of a run as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/result.hpp"

namespace weft {

/// A result as JSON with the field names of the design; `digest` is a string of 16 hexadecimal
/// digits.
nlohmann::json to_json(const Result& result);

/// A failed run on `engine` as JSON, with the reason in `failure`: only what is known.
nlohmann::json to_json(const FailedRun& failed, const Config& config, const std::string& engine,
                       const std::string& failure);

/// Every member that the JSON of a result may have, as a list of `name`, `type`, `unit` and `help`:
/// "latency/mean", and "regions[]/nodes" for each element of a list.
nlohmann::json list_results();

}  // namespace weft
