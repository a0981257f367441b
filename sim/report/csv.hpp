// Results as CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/run/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A field as in RFC 4180, but on one line: only the first line of a longer text. Lists and objects
/// as JSON; null is empty.
std::string csv_field(const nlohmann::json& value);
/// Fields, quoted if needed, as one line.
std::string csv_row(const std::vector<std::string>& fields);

/// `Result::states`: a line for each element of each aggregation unit's array.
std::string states_csv(const std::vector<UnitArray>& states);

/// A line for each connected link: its ends, class and registers, flits, and flits per cycle.
std::string links_csv(const Result& result, const Graph& graph);

/// A line for each latency that packets of the measuring phase had, in cycles, with their number.
std::string latencies_csv(const TrafficResult& traffic);

}  // namespace weft
