// The fabric as one structural SystemVerilog module.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// How to write a network.
struct EmitOptions {
  /// Each router is in one module with its interfaces, so that the top only connects tiles.
  bool tiles = false;
  /// The top has outputs that show every link; not with `tiles`, which contain links.
  bool observe = false;
  /// The interfaces have AXI ports (rtl/bus/README.md, axi_nic) instead of descriptor and memory
  /// ports; not in networks that reduce or combine, whose memory accesses have a fixed time.
  bool axi = false;
};

/// Text of all modules of the network that are not in rtl/, by name. Links with `injected` have
/// points where the inputs `fault_*_i` of the top invert the values on their wires. `weft_top` has
/// every block and link of `graph`. Its port vectors have one slice for each network interface,
/// rank 0 lowest; if links are observed, the outputs `link_*_o` have one slice for each end of a
/// link, by its number in `Wires`. Each shape of routers has a tile (sim/emit/tile.hpp); with
/// `tiles` each kind of node has a module (sim/emit/node_tile.hpp).
std::map<std::string, std::string> emit_modules(const Config& config, const Graph& graph,
                                                const EmitOptions& options);

/// Reset of routers, crossbars and blocks in links, which a network has that is restarted during
/// the run (`nic.reliable`).
inline constexpr const char* kNetworkReset = "network_rst_ni";
/// Input of the top for the tables of a router, in a network that is restarted during the run, so
/// that routes can be computed anew; none if tables are constants, or there are none.
std::optional<std::string> table_port(const Config& config, const Graph& graph,
                                      std::uint32_t router);
struct TablePort {
  std::string name;
  std::uint32_t router = 0;  ///< Number of the block.
};
/// The table ports of a network, by router.
std::vector<TablePort> table_ports(const Config& config, const Graph& graph);

/// Writes `modules`, those of emit_modules for this network: `dir`/weft_top.sv, the others with the
/// RTL that they need in `dir`/rtl, lists of these files, and a testbench with its Makefile. `run`:
/// the configuration of the testbench's messages for `weft run`, or empty. `dir` is new, empty or
/// an earlier result of this function, which is replaced as a whole. Throws ConfigError.
void emit(const std::map<std::string, std::string>& modules, const Config& config,
          const Graph& graph, const EmitOptions& options, const std::string& run,
          const std::filesystem::path& dir);

}  // namespace weft
