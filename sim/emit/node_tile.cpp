// Modules of nodes: a router's tile with the interfaces at it.
#include "sim/emit/node_tile.hpp"

#include <algorithm>

#include "sim/emit/emit.hpp"
#include "sim/emit/node_ports.hpp"
#include "sim/emit/tile.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft {
namespace {

// The router that all links of an interface lead to and come from, without blocks in them; kOpen:
// none.
std::uint32_t router_of(const Graph& graph, std::uint32_t node) {
  const Block& nic = graph.blocks[node];
  const std::uint32_t router = graph.links[nic.first_in].src_block;
  if (router == kOpen || graph.blocks[router].kind != Block::Kind::kRouter) return kOpen;
  for (std::uint32_t i = 0; i < nic.num_in; ++i) {
    const Link& in = graph.links[nic.first_in + i];
    const std::uint32_t number = graph.out_link[nic.first_out + i];
    if (number == kOpen || in.src_block != router || graph.two_ends(in)) return kOpen;
    const Link& out = graph.links[number];
    if (out.dst_block != router || graph.two_ends(out)) return kOpen;
  }
  return router;
}

// The text of one module of nodes, and of its instance.
class NodeTileText {
 public:
  NodeTileText(const Config& config, const Graph& graph, bool axi,
               const std::vector<LinkSignal>& signals, const NodeTile& tile)
      : config_(config),
        graph_(graph),
        axi_(axi),
        signals_(signals),
        tile_(tile),
        outer_(graph.blocks[tile.outer()]),
        nic_(nic_config(config, graph)) {
    for (std::uint32_t i = 0; i < outer_.num_in; ++i) {
      if (!inside(outer_.first_in + i)) ins_.push_back(i);
    }
    for (std::uint32_t i = 0; i < outer_.num_out; ++i) {
      if (!inside(graph.out_link[outer_.first_out + i])) outs_.push_back(i);
    }
  }

  // From the list of ports on, without the name, so that nodes of one kind have the same text.
  std::string body() const {
    std::string text =
        " (\n  /// Clock.\n  input  logic clk_i,\n"
        "  /// Asynchronous reset, active low.\n  input  logic rst_ni";
    if (has_own_reset()) {
      text +=
          fmt::format(",\n  /// Asynchronous reset of the router, active low.\n  input  logic {}",
                      kNetworkReset);
    }
    if (tile_.has_router()) {
      const RouterPosition position = tile_position(router());
      text += fmt::format(",\n  /// {} of the router.\n  input  logic [{}-1:0] {}", position.words,
                          position.width, position.port);
    }
    text += fmt::format(",\n  /// Addresses of the interfaces.\n  input  logic [{}*{}-1:0] node_i",
                        tile_.nodes.size(), graph_.header.addr_w);
    for (const NodePort& port : nic_ports(config_, graph_, axi_)) {
      text +=
          fmt::format(",\n  /// {} of the interfaces.\n  {} logic [{}*{}-1:0] {}", port.name,
                      port.input ? "input " : "output", tile_.nodes.size(), port.width, port.name);
    }
    each_link_port([&](bool rx, const LinkSignal& signal, unsigned width, std::size_t count) {
      text += fmt::format(",\n  /// Links to other {}: {}.\n  {} logic [{}*{}-1:0] {}",
                          tile_.has_router() ? "routers" : "blocks", signal.name,
                          rx == signal.back ? "output" : "input ", count, width, signal.port(rx));
    });
    return text + "\n);\n" + inner_nets() + instances() + "\nendmodule\n";
  }

  std::string instance() const {
    std::string text = fmt::format("\n{}  {} u_node_{} (\n    .clk_i,\n    .rst_ni",
                                   LinkPorts(graph_, outer_, signals_).open_nets(),
                                   node_tile_name(tile_.kind), tile_.nodes.front());
    if (has_own_reset()) text += fmt::format(",\n    .{}", kNetworkReset);
    if (tile_.has_router()) {
      const RouterPosition position = tile_position(router());
      const auto table = table_port(config_, graph_, tile_.router);
      text += fmt::format(",\n    .{}({})", position.port, table ? *table : position.literal);
    }
    const auto connect = [&](const std::string& port, const auto& element) {
      std::string list;
      for (std::size_t i = tile_.nodes.size(); i-- > 0;) {
        list += element(tile_.nodes[i]) + (i > 0 ? ", " : "");
      }
      text += fmt::format(",\n    .{}({{{}}})", port, list);
    };
    connect("node_i", [&](std::uint32_t node) {
      return fmt::format("{}'d{}", graph_.header.addr_w, graph_.blocks[node].own);
    });
    for (const NodePort& port : nic_ports(config_, graph_, axi_)) {
      connect(port.name, [&](std::uint32_t node) {
        return fmt::format("{}[{}*{} +: {}]", port.name, node, port.width, port.width);
      });
    }
    const LinkPorts links(graph_, outer_, signals_);
    each_link_port([&](bool rx, const LinkSignal& signal, unsigned, std::size_t) {
      const auto& ports = rx ? ins_ : outs_;
      std::string list;
      for (std::size_t i = ports.size(); i-- > 0;) {
        list += links.element(rx, signal, ports[i]) + (i > 0 ? ", " : "");
      }
      text += fmt::format(",\n    .{}({{{}}})", signal.port(rx), list);
    });
    return text + "\n  );\n";
  }

 private:
  bool inside(std::uint32_t link) const {
    return link != kOpen && graph_.links[link].src_block != kOpen && tile_.has(graph_.links[link]);
  }
  // Whether the router has a different reset from the interfaces.
  bool has_own_reset() const { return tile_.has_router() && config_.nic.reliable; }
  RouterTileConfig router() const { return graph_.router_config(tile_.router); }

  // Calls `visit` with each link port of the tile: whether it is one of the in-ports, its signal,
  // the width of one link, and the number of links.
  template <class Visit>
  void each_link_port(Visit visit) const {
    for (const bool rx : {true, false}) {
      const auto& ports = rx ? ins_ : outs_;
      for (const LinkSignal& signal : signals_) {
        if (ports.empty()) continue;
        if (tile_.has_router()) {
          visit(rx, signal, signal.width, ports.size());
          continue;
        }
        // An interface does not have all signals.
        for (const PortShape& port : port_shapes<Nic>(nic_)) {
          if (port.name != signal.port(rx) || !port.used) continue;
          visit(rx, signal, port.width / static_cast<unsigned>(ports.size()), ports.size());
        }
      }
    }
  }

  // Net between interface `nic` of the tile and the router; `in`: into the interface.
  static std::string net(std::size_t nic, bool in, std::uint32_t port, const LinkSignal& signal) {
    return fmt::format("{}_{}_{}_{}", in ? "into" : "from", nic, port, signal.name);
  }

  std::string inner_nets() const {
    std::string text;
    for (std::size_t n = 0; n < tile_.nodes.size() && tile_.has_router(); ++n) {
      for (std::uint32_t i = 0; i < graph_.nic_links; ++i) {
        for (const bool in : {true, false}) {
          for (const LinkSignal& signal : signals_) {
            text += fmt::format("  logic [{}-1:0] {};\n", signal.width, net(n, in, i, signal));
          }
        }
        // A link into an interface has credits only for VC 0.
        if (graph_.num_vc > 1) {
          text += fmt::format("  assign {}[{}:1] = '0;\n", net(n, true, i, signals_.back()),
                              graph_.num_vc - 1);
        }
      }
    }
    return text.empty() ? text : "\n" + text;
  }

  // What a port of the router is connected to: a port of the tile, or a net to an interface.
  std::string at_router(bool rx, const LinkSignal& signal, std::uint32_t i) const {
    const auto& ports = rx ? ins_ : outs_;
    if (const auto found = std::find(ports.begin(), ports.end(), i); found != ports.end()) {
      return fmt::format("{}[{}*{} +: {}]", signal.port(rx), found - ports.begin(), signal.width,
                         signal.width);
    }
    const Link& link =
        graph_.links[rx ? outer_.first_in + i : graph_.out_link[outer_.first_out + i]];
    const std::uint32_t node = rx ? link.src_block : link.dst_block;
    const auto nic = std::find(tile_.nodes.begin(), tile_.nodes.end(), node) - tile_.nodes.begin();
    return net(static_cast<std::size_t>(nic), !rx, rx ? link.src_port : link.dst_port, signal);
  }

  std::string instances() const {
    std::string text;
    if (tile_.has_router()) {
      Connections to;
      for (const LinkSignal& signal : signals_) {
        for (const bool rx : {true, false}) {
          std::string list;
          for (std::uint32_t i = rx ? outer_.num_in : outer_.num_out; i-- > 0;) {
            list += at_router(rx, signal, i) + (i > 0 ? ", " : "");
          }
          to[signal.port(rx)] = "{" + list + "}";
        }
      }
      const RouterPosition position = tile_position(router());
      to[position.port] = position.port;
      if (has_own_reset()) to["rst_ni"] = kNetworkReset;
      text += tile_instance(router(), config_.link.parity, outer_.shape, "router", to);
    }
    for (std::size_t n = 0; n < tile_.nodes.size(); ++n) {
      Connections to = {{"node_i", fmt::format("node_i[{}*{} +: {}]", n, graph_.header.addr_w,
                                               graph_.header.addr_w)}};
      for (const LinkSignal& signal : signals_) {
        for (const bool rx : {true, false}) {
          if (!tile_.has_router()) {
            to[signal.port(rx)] = signal.port(rx);
            continue;
          }
          std::string list;
          for (std::uint32_t i = graph_.nic_links; i-- > 0;) {
            // An interface returns one credit line for each link.
            list += net(n, rx, i, signal) + (rx && signal.back ? "[0]" : "") + (i > 0 ? ", " : "");
          }
          to[signal.port(rx)] = "{" + list + "}";
        }
      }
      if (!tile_.has_router()) {
        for (const PortShape& port : port_shapes<Nic>(nic_)) {
          if (port.role == PortRole::kLink && !port.used) to.erase(port.name);
        }
      }
      text += nic_text(config_, graph_, axi_, fmt::format("nic_{}", n), to, 0,
                       static_cast<std::uint32_t>(n));
    }
    return text;
  }

  const Config& config_;
  const Graph& graph_;
  const bool axi_;
  const std::vector<LinkSignal>& signals_;
  const NodeTile& tile_;
  const Block& outer_;
  const Nic::Config nic_;
  std::vector<std::uint32_t> ins_, outs_;  // In-ports and out-ports of `outer_` to other blocks.
};

}  // namespace

bool NodeTile::has(const Link& link) const {
  if (!has_router() || (link.src_block != router && link.dst_block != router)) return false;
  const std::uint32_t other = link.src_block == router ? link.dst_block : link.src_block;
  return std::find(nodes.begin(), nodes.end(), other) != nodes.end();
}

std::string node_tile_name(std::uint32_t kind) {
  return fmt::format("weft_node_{}", kind);
}

std::vector<NodeTile> node_tiles(const Config& config, const Graph& graph, bool axi,
                                 std::map<std::string, std::string>& modules) {
  std::vector<NodeTile> tiles;
  std::map<std::uint32_t, std::size_t> of_router;
  for (std::uint32_t node = 0; node < graph.nodes; ++node) {
    const std::uint32_t router = router_of(graph, node);
    if (router != kOpen) {
      const auto [at, is_new] = of_router.try_emplace(router, tiles.size());
      if (!is_new) {
        tiles[at->second].nodes.push_back(node);
        continue;
      }
    }
    tiles.push_back({.router = router, .nodes = {node}});
  }
  const std::vector<LinkSignal> signals = link_signals(graph, nic_config(config, graph));
  std::map<std::string, std::uint32_t> kinds;  // By text: number of the module.
  for (NodeTile& tile : tiles) {
    const std::string body = NodeTileText(config, graph, axi, signals, tile).body();
    const auto [at, is_new] = kinds.try_emplace(body, static_cast<std::uint32_t>(kinds.size()));
    tile.kind = at->second;
    if (!is_new) continue;
    modules[node_tile_name(tile.kind)] =
        fmt::format("// {}. Written by `weft emit`.\n\nmodule {}{}",
                    tile.has_router() ? "A router, its route units and the interfaces at it"
                                      : "A network interface",
                    node_tile_name(tile.kind), body);
  }
  return tiles;
}

std::string node_tile_instance(const Config& config, const Graph& graph, bool axi,
                               const std::vector<LinkSignal>& signals, const NodeTile& tile) {
  return NodeTileText(config, graph, axi, signals, tile).instance();
}

}  // namespace weft
