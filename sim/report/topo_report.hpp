// Static figures of a network as JSON and as the summary that `weft topo` prints.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/analysis/analysis.hpp"
#include "sim/config/config.hpp"
#include "sim/report/fields.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// A tree of units beside the network.
struct TreeFigures {
  unsigned depth = 0;       ///< Cycles from the root to the deepest unit.
  std::uint64_t wires = 0;  ///< Number of wires of links: a wire counts once for each link beside
                            ///< which it lies.
};

/// Input of the reports of `weft topo`.
struct TopoReport {
  const Config& config;
  const Graph& graph;
  TopoFigures figures;
  PaperFigures paper;  ///< May be empty.
  /// The trees that the configuration has.
  std::optional<TreeFigures> barrier_tree = {}, combining_tree = {};

  /// Sets barrier_tree with `barrier` "hardware", combining_tree with `combining` "tree".
  void add_trees();
};

const Fields<TopoReport>& topo_fields();

/// The report as one object: the figures, the topology as configured, and "paper" if the seed gives
/// figures.
nlohmann::json to_json(const TopoReport& report);
/// The report as lines of a label and its value.
std::string topo_text(const TopoReport& report);

}  // namespace weft
