// Networks as files: reading one, and writing any network of routers to one (sim/topology/README.md
// has the format).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// Most links of a file; both directions of a link count as one.
inline constexpr std::size_t kMostFileLinks = 1u << 20;

/// The network of a file. Its own routing is that of the file, or else shortest routes. `path` is
/// the configuration's `topology.file`. Throws ConfigError naming the file and the JSON pointer in
/// it.
TableNetwork read_graph_file(const std::string& path, const Config& config);

/// A network as a file.
struct GraphDocument {
  nlohmann::json document;
  std::string no_routes;  ///< Why it has no routes; empty: it has.
};

/// Throws ConfigError if the network does not consist of routers, or if a node's links do not all
/// lead to one router. `option`, for messages: the option that asked for it.
GraphDocument graph_document(const Graph& graph, const std::string& option);

}  // namespace weft
