// What a report page shows of results: their known members, checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/config/json_cursor.hpp"

namespace weft {

/// A result of `weft run --json` from its document: its known members, under `name`. What a page
/// reads of them has the right type afterwards. Throws ConfigError with the pointer in `source`.
nlohmann::json page_run(const nlohmann::json& document, const Source& source,
                        const std::string& name);

/// A line of results.jsonl, and where it stands.
struct SweepLine {
  nlohmann::json run;
  Source source;
};

/// A sweep from its runs: columns, as the table of `weft sweep` has them, and a row for each run;
/// a later run counts for an earlier one of the same point. `header` is the first line of
/// results.csv, which has the order of the settings; it may be empty. Throws ConfigError.
nlohmann::json page_sweep(const std::vector<SweepLine>& lines, const std::string& header,
                          const std::string& name);

/// What a page says of figures, in their order: name and help of the causes of idle links; JSON
/// pointer, unit and help of all others.
nlohmann::json page_words();

}  // namespace weft
