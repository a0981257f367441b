// The result of a run as the summary that `weft run` prints.
#pragma once

#include <string>

#include "sim/run/result.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The summary: lines of a label and its value; `graph`: the network of the run.
std::string result_text(const Result& result, const Graph& graph);

/// Why a run is not verified, in words; empty if it is.
std::string failure_of(const Result& result);

}  // namespace weft
