// Static figures of a network as JSON and as the summary that `weft topo` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/analysis/analysis.hpp"
#include "sim/config/config.hpp"
#include "sim/report/fields.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The output of `weft topo`.
struct TopoReport {
  const Config& config;
  const Graph& graph;
  TopoFigures figures;
  PaperFigures paper;  ///< May be empty.
};

const Fields<TopoReport>& topo_fields();

/// One object: the figures, the topology as configured, and "paper" where the seed says something.
nlohmann::json to_json(const TopoReport& report);
/// Lines of a label and its value.
std::string topo_text(const TopoReport& report);

}  // namespace weft
