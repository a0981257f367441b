// Writes the fabric as one structural SystemVerilog module.
#include "sim/emit/emit.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/emit/link_chain.hpp"
#include "sim/emit/link_ports.hpp"
#include "sim/emit/node_ports.hpp"
#include "sim/emit/node_tile.hpp"
#include "sim/emit/tile.hpp"
#include "sim/emit/tree_text.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/verilated/rtl_params.hpp"

namespace weft {
namespace {

// Name of the reset of what is between the interfaces.
std::string network_reset(const Config& config) {
  return config.nic.reliable ? kNetworkReset : "rst_ni";
}

std::string block_instance(const Config& config, const Graph& graph, bool axi,
                           const std::vector<LinkSignal>& signals, std::uint32_t number) {
  const Block& block = graph.blocks[number];
  const bool parity = config.link.parity;
  const LinkPorts links(graph, block, signals);
  Connections to;
  links.add_to(to);
  if (block.kind == Block::Kind::kNic) {
    return nic_text(config, graph, axi, block.name, to, block.own, number);
  }
  to["rst_ni"] = network_reset(config);
  if (block.kind == Block::Kind::kRouter) {
    if (const auto table = table_port(config, graph, number)) to["table_i"] = *table;
    return "\n" + links.open_nets() +
           tile_instance(graph.router_config(number), parity, block.shape, block.name, to);
  }
  const Crossbar::PortConfig crossbar{graph.crossbar_config(number), parity};
  return "\n" + links.open_nets() +
         block_text<Crossbar>("crossbar", block.name, crossbar, to, block.own, number);
}

// The text of the top.
class TopText {
 public:
  TopText(const Config& config, const Graph& graph, const EmitOptions& options)
      : config_(config),
        graph_(graph),
        observe_(options.observe),
        axi_(options.axi),
        signals_(link_signals(graph, nic_config(config, graph))),
        chains_(graph, config.link.parity, options.observe, network_reset(config)),
        wires_(graph) {}

  // Text of the top with `tiles` as separate modules.
  std::string text(const std::vector<NodeTile>& tiles) const {
    std::vector<const NodeTile*> tile_of(graph_.blocks.size());
    for (const NodeTile& tile : tiles) {
      for (const std::uint32_t node : tile.nodes) tile_of[node] = &tile;
      tile_of[tile.outer()] = &tile;
    }
    std::string text = head();
    if (axi_) text += barrier_nets(config_, graph_);
    for (std::uint32_t l = 0; l < graph_.links.size(); ++l) {
      const Link& link = graph_.links[l];
      const NodeTile* tile = tile_of[link.dst_block];
      if (!graph_.two_ends(link)) text += chains_.without_blocks(l);
      if (link.src_block != kOpen && tile != nullptr && tile->has(link)) continue;
      text += link_text(l);
    }
    for (const NodeTile& tile : tiles) {
      text += node_tile_instance(config_, graph_, axi_, signals_, tile);
    }
    for (std::uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      if (tile_of[b] == nullptr) text += block_instance(config_, graph_, axi_, signals_, b);
    }
    return text + tree_text(config_, graph_, axi_) + "\nendmodule\n";
  }

 private:
  // Parameters and ports.
  std::string head() const {
    std::string text = fmt::format(
        "// Network of {} nodes, {} blocks and {} links: {}.\n// Written by `weft emit`.\n\n"
        "module weft_top #(\n  localparam bit [31:0] NumNodes = {}",
        graph_.nodes, graph_.blocks.size(), graph_.connected_links(),
        to_json(config_.topology).dump(), graph_.nodes);
    // Every link is shown; if it has blocks, at both ends.
    if (observe_) {
      text += fmt::format(",\n  localparam bit [31:0] NumEnds = {}",
                          graph_.links.size() + graph_.links_with_two_ends());
    }
    text +=
        "\n) (\n  /// Clock.\n  input  logic clk_i,\n  /// Asynchronous reset, active low.\n"
        "  input  logic rst_ni";
    if (config_.nic.reliable) {
      text += fmt::format(
          ",\n  /// Asynchronous reset of what is between the interfaces, active low: with rst_ni, "
          "and in the cycle\n  /// after restart_i.\n  input  logic {}",
          kNetworkReset);
    }
    for (const TablePort& port : table_ports(config_, graph_)) {
      text += fmt::format(
          ",\n  /// Routing tables of the in-ports of {}, in-port 0 lowest.\n  "
          "input  logic [{}-1:0] {}",
          graph_.blocks[port.router].name, tile_position(graph_.router_config(port.router)).width,
          port.name);
    }
    for (const NodePort& port : node_ports(config_, graph_, axi_)) {
      text += fmt::format(
          ",\n  /// Of all nodes, node 0 lowest: {} of {}.\n  {} logic [NumNodes*{}-1:0] {}",
          port.of_block, port.block, port.input ? "input " : "output", port.width, port.name);
    }
    for (const LinkSignal& signal : signals_) {
      if (!observe_) break;
      text += fmt::format(
          ",\n  /// Observation of every link: {}.\n  output logic [NumEnds*{}-1:0] link_{}_o",
          signal.name, signal.width, signal.name);
    }
    return text + chains_.ports() + "\n);\n\n";
  }

  // The nets of a link, and the blocks in it. A link with blocks is observed at both ends, numbered
  // as in Wires.
  std::string link_text(std::uint32_t l) const {
    const Link& link = graph_.links[l];
    const bool open = link.src_block == kOpen;
    // A link into an interface has credits only for VC 0, and blocks of a protected link pass on no
    // others.
    const bool into_nic = graph_.has_routers() && link.dst_block < graph_.nodes;
    const bool one_credit = into_nic && !open && graph_.protection != Protection::kNone;
    std::string text;
    if (!open) text += fmt::format("  // {}\n", graph_.link_name(l));
    for (const bool receiver : {true, false}) {
      if (!receiver && !graph_.two_ends(link)) continue;
      const std::uint32_t place = receiver ? l : wires_.flit_place[l];
      for (const LinkSignal& signal : signals_) {
        const std::string net = link_net(graph_, l, receiver) + "_" + signal.name;
        const unsigned width = one_credit && receiver && signal.back ? 1 : signal.width;
        if (!open) text += fmt::format("  logic [{}-1:0] {};\n", width, net);
        if (!observe_) continue;
        text += fmt::format("  assign link_{0}_o[{1}*{2} +: {2}] = {2}'({3});\n", signal.name,
                            place, signal.width, open ? "0" : net);
      }
    }
    if (graph_.two_ends(link)) text += chains_.text(l);
    if (into_nic && graph_.num_vc > 1) {
      text += fmt::format("  assign {}_credit[{}:1] = '0;\n", link_net(graph_, l, !one_credit),
                          graph_.num_vc - 1);
    }
    return text;
  }

  const Config& config_;
  const Graph& graph_;
  const bool observe_, axi_;
  const std::vector<LinkSignal> signals_;
  const LinkChainText chains_;
  const Wires wires_;
};

}  // namespace

std::optional<std::string> table_port(const Config& config, const Graph& graph,
                                      std::uint32_t router) {
  if (!graph.has_tables() || !config.reroutes()) return {};
  return graph.blocks[router].name + "_table_i";
}
std::vector<TablePort> table_ports(const Config& config, const Graph& graph) {
  std::vector<TablePort> ports;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    if (const auto name = table_port(config, graph, b)) ports.push_back({*name, b});
  }
  return ports;
}

std::map<std::string, std::string> emit_modules(const Config& config, const Graph& graph,
                                                const EmitOptions& options) {
  if (options.tiles && options.observe) {
    throw ConfigError("--observe", "", "true", "no --tiles, which have links inside");
  }
  std::map<std::string, std::string> modules;
  for (std::uint32_t shape = 0; shape < graph.router_shapes.size(); ++shape) {
    modules[tile_name(shape)] = tile_module(graph.router_shapes[shape], config.link.parity, shape);
  }
  std::vector<NodeTile> tiles;
  if (options.tiles) tiles = node_tiles(config, graph, options.axi, modules);
  modules["weft_top"] = TopText(config, graph, options).text(tiles);
  return modules;
}

}  // namespace weft
