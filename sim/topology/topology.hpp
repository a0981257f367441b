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

/// Figures that seed 001 gives for a network: by its formulas, and in its table 1 where that has
/// this size. They may differ from the exact ones.
struct PaperFigures {
  std::optional<double> diameter, mean_distance;
  std::string diameter_formula, formula;  ///< "(6)": number in the seed, or in words.
  std::optional<double> table1;           ///< Mean distance as printed.
  std::string note;                       ///< Where and why these are not exact; may be empty.

  bool empty() const { return !diameter && !mean_distance && !table1; }
};

/// Send controllers of an interface in a network of routers, at most.
inline constexpr unsigned kMostControllers = 8;

/// Send controllers that keep a network busy, by what a collective calls for (weft_controllers).
struct CalledControllers {
  unsigned by_links = 1;  ///< Until the links between routers are the bound (seed 004, table 1).
  unsigned by_ways = 1;   ///< One for each direction of every dimension.
  unsigned by_units = 1;  ///< One for each link of a unit on its board; elsewhere as by_ways.
};

/// A topology: one file each in sim/topology, <kind>.cpp, which defines it as
/// `extern const Topology topology_<kind>`.
struct Topology {
  std::string kind;
  std::uint32_t facts = kCrossbars;  ///< See TopologyKind.
  std::string description;           ///< One line, for `weft list`.
  KeyTable keys = {};                ///< Of `topology`, beside `kind`.
  /// Parameters with an example, for error messages: `{"dims": [64, 4]}`.
  std::string parameters;
  std::function<Graph(const Config&)> build;
  /// Selector inputs times outputs over the whole network (seed 002's amount of hardware), or 0.
  std::function<std::uint64_t(const Graph&)> crosspoints = {};
  NeededVcs vcs = nullptr;  ///< See TopologyKind.
  /// Of the network of a configuration; none: one each. Throws ConfigError as `build` does.
  std::function<CalledControllers(const Config&)> controllers = {};
  /// What seed 001 says of the network of a configuration.
  std::function<PaperFigures(const Config&)> paper = {};
};

/// All topologies, by name: a table that the build makes from the names of the files.
const std::vector<Topology>& topologies();
/// The topology of that name; throws ConfigError where there is none.
const Topology& find_topology(const std::string& kind);

/// The VCs of a link of a network of which a part has failed, for `Registry::failed_vcs`: those of
/// the whole network, or as many as its ways need. Throws ConfigError.
unsigned failed_vcs(const Config& config);

/// The network that `config.topology` describes, every port connected, and every rank in the
/// configuration one of its nodes. Throws ConfigError.
Graph build_graph(const Config& config);

}  // namespace weft
