// A report: one HTML page that holds data, styles and scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft {

/// The page with `results` (page_data.hpp), from the files in sim/report/page and the library d3 of
/// Debian's package libjs-d3. It loads nothing else. Throws ConfigError if one of these is missing.
std::string report_html(const std::string& title, const nlohmann::json& results);

}  // namespace weft
