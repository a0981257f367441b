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
  std::uint64_t wires = 0;  ///< Of links beside which they lie: one counts once for each link.
};

/// The output of `weft topo`.
struct TopoReport {
  const Config& config;
  const Graph& graph;
  TopoFigures figures;
  PaperFigures paper;  ///< May be empty.
  /// Those that the configuration has.
  std::optional<TreeFigures> barrier_tree = {}, combining_tree = {};

  /// With `barrier` "hardware" the first one, with `combining` "tree" the second one.
  void add_trees();
};

const Fields<TopoReport>& topo_fields();

/// One object: the figures, the topology as configured, and "paper" where the seed says something.
nlohmann::json to_json(const TopoReport& report);
/// Lines of a label and its value.
std::string topo_text(const TopoReport& report);

}  // namespace weft
