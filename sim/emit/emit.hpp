// The fabric as one structural SystemVerilog module.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Text of all modules of the network that are not in rtl/, by name. `weft_top` has every block and
/// link of `graph`: for each network interface one slice of the port vectors, rank 0 lowest; for
/// each end of a link one slice of the observation outputs `link_*_o`, by its number in `Wires`.
/// Each shape of routers has a tile (sim/emit/tile.hpp).
std::map<std::string, std::string> emit_modules(const Config& config, const Graph& graph);

/// Writes `dir`/weft_top.sv, the tiles and the RTL it needs in
/// `dir`/rtl and the file list `dir`/weft_top.f (for
/// `verilator -F`). `dir` is new, empty or an earlier result of this function, which is replaced as
/// a whole. Throws ConfigError.
void emit(const Config& config, const Graph& graph, const std::filesystem::path& dir);

}  // namespace weft
