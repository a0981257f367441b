// Kinds of networks by name, and the network of a configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Figures that seed 001 gives for a network: by its formulas, and in its table 1 if that has this
/// size. They may differ from the exact ones.
struct PaperFigures {
  std::optional<double> diameter, mean_distance;
  std::string diameter_formula, formula;  ///< Number in the seed, as "(6)", or words.
  std::optional<double> table1;           ///< Mean distance as printed.
  std::string note;                       ///< Where and why the figures are not exact; may be
                                          ///< empty.

  bool empty() const { return !diameter && !mean_distance && !table1; }
};

/// Most send controllers of an interface in a network of routers.
inline constexpr unsigned kMostControllers = 8;

/// Send controllers that keep a network busy, depending on what a collective calls for
/// (weft_controllers).
struct CalledControllers {
  unsigned by_links = 1;  ///< As many as make the links between routers the bound (seed 004, table
                          ///< 1).
  unsigned by_ways = 1;   ///< One for each direction of every dimension.
  unsigned by_units = 1;  ///< One for each link of a unit on its board; without boards the same as
                          ///< `by_ways`.
};

/// A topology. Each has a file <kind>.cpp in sim/topology that defines `extern const Topology
/// topology_<kind>`.
struct Topology {
  std::string kind;
  std::uint32_t facts = kCrossbars;  ///< As TopologyKind::facts.
  std::string description;           ///< One line, for `weft list`.
  KeyTable keys = {};                ///< Keys of `topology` besides `kind`.
  /// Parameters with an example, for error messages: `{"dims": [64, 4]}`.
  std::string parameters;
  std::function<Graph(const Config&)> build;
  /// Selector inputs times outputs, over the whole network (seed 002's amount of hardware); may be
  /// empty.
  std::function<std::uint64_t(const Graph&)> crosspoints = {};
  NeededVcs vcs = nullptr;  ///< As TopologyKind::vcs.
  /// Send controllers for the network of a configuration; empty: one each. Throws ConfigError as
  /// `build` does.
  std::function<CalledControllers(const Config&)> controllers = {};
  /// Figures of seed 001 for the network of a configuration; may be empty.
  std::function<PaperFigures(const Config&)> paper = {};
};

/// All topologies, sorted by name: a table that the build makes from the names of the files.
const std::vector<Topology>& topologies();
/// The topology with a name; throws ConfigError if there is none.
const Topology& find_topology(const std::string& kind);

/// VCs of a link of a network of which a part has failed, for `Registry::failed_vcs`: those of the
/// whole network, or as many as the routes need. Throws ConfigError.
unsigned failed_vcs(const Config& config);

/// Builds the network that `config.topology` describes; every port is connected, and every rank in
/// the configuration is one of its nodes. Throws ConfigError.
Graph build_graph(const Config& config);

}  // namespace weft
