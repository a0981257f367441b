// Results for a report page: their known members, checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/config/json_cursor.hpp"

namespace weft {

/// A result of `weft run --json` from its document: its known members, under `name`, with the types
/// that a page expects. Throws ConfigError with the pointer in `source`.
nlohmann::json page_run(const nlohmann::json& document, const Source& source,
                        const std::string& name);

/// A line of results.jsonl, and where it stands.
struct SweepLine {
  nlohmann::json run;
  Source source;
};

/// A sweep from its runs: columns, as in the table of `weft sweep`, and a row for each run; a later
/// run of a point replaces an earlier one. `header`: first line of results.csv, which has the order
/// of the settings; may be empty. Throws ConfigError.
nlohmann::json page_sweep(const std::vector<SweepLine>& lines, const std::string& header,
                          const std::string& name);

/// Words of a page for figures, in their order: name and help of the causes of idle links; JSON
/// pointer, unit and help of all others.
nlohmann::json page_words();

}  // namespace weft
