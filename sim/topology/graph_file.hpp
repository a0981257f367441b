// Networks as files: reading one, and writing any network of routers as one
// (sim/topology/README.md has the format).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// Links of a file, at most, both directions of a link counted as one.
inline constexpr std::size_t kMostFileLinks = 1u << 20;

/// The network of a file. Its own routing is that of the file, or else shortest ways. The
/// configuration's `topology.file` is `path`. Throws ConfigError naming the file and the JSON
/// pointer in it.
TableNetwork read_graph_file(const std::string& path, const Config& config);

/// A network as such a file.
struct GraphDocument {
  nlohmann::json document;
  std::string no_routes;  ///< Why it has no routes; empty: it has.
};

/// Throws ConfigError if the network is none of routers, or if a node has not one router to which
/// all of its links lead. `option` asked for it, for messages.
GraphDocument graph_document(const Graph& graph, const std::string& option);

}  // namespace weft
