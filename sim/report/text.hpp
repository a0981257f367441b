// Texts that several summaries share.
#pragma once

#include <string>

#include "sim/topology/graph.hpp"

namespace weft {

/// One line of a summary: the label, padded, then the value.
std::string summary_line(const std::string& label, const std::string& value);

/// The links of a network by what they connect, one direction each.
std::string links_in_words(const Graph& graph);

}  // namespace weft
