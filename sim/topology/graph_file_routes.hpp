// The routes of a network in a file.
#pragma once

#include "sim/topology/table_networks.hpp"

namespace weft {

/// Reads `routes` and `vcs` of the file `root` for its network, and follows the routes of all pairs
/// of nodes. Throws ConfigError for a route that does not reach its destination.
TableRouting read_file_routes(const JsonCursor& root, const TableNetwork& network);

/// A VC set as in a file: a word, or the number of a VC.
nlohmann::json set_in_file(VcSet set);

}  // namespace weft
