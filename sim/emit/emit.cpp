// Writes the fabric as one structural SystemVerilog module.
#include "sim/emit/emit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/emit/instance.hpp"
#include "sim/emit/tile.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/staged_links.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// One signal of a link: its name and its width in bits.
struct LinkSignal {
  std::string name;
  unsigned width;
  bool back;  // against the flits
};

// Signals of every link of the fabric.
std::vector<LinkSignal> link_signals(const Graph& graph, const Nic::Config& nic) {
  std::vector<LinkSignal> signals;
  const auto add = [&](const auto&... field) {
    (signals.push_back({field.name, port_figure(field.width, nic), false}), ...);
  };
  if (graph.has_routers()) {
    std::apply(add, kFlitFields);
    signals.push_back({"credit", nic.num_vc, true});
  } else {
    std::apply(add, kWordFields);
    signals.push_back({"full", 1, true});
  }
  return signals;
}

// A net of a link: of its sender's end, or with registers in it of its receiver's.
std::string link_net(const Link& link, std::uint32_t number, bool receiver) {
  return fmt::format("link_{}{}", number, receiver && link.stages != 0 ? "_end" : "");
}

// The links of one block: vectors over its ports, port 0 lowest. An in-port without a
// link is 0, an out-port without a link drives a net of its own.
class LinkPorts {
 public:
  LinkPorts(const Graph& graph, const Block& block, const std::vector<LinkSignal>& signals)
      : graph_(graph), block_(block), signals_(signals) {}

  void add_to(Connections& connections) const {
    for (const LinkSignal& signal : signals_) {
      for (const bool rx : {true, false}) {
        const bool drives = rx == signal.back;
        std::string list;
        for (std::uint32_t i = rx ? block_.num_in : block_.num_out; i-- > 0;) {
          list += element(rx, signal, i) + (i > 0 ? ", " : "");
        }
        connections[fmt::format("{}_{}_{}", rx ? "rx" : "tx", signal.name, drives ? 'o' : 'i')] =
            "{" + list + "}";
      }
    }
  }

  // The nets of ports without a link that the block drives.
  std::string open_nets() const {
    std::string text;
    for (const LinkSignal& signal : signals_) {
      for (std::uint32_t i = 0; i < (signal.back ? block_.num_in : block_.num_out); ++i) {
        if (!open(signal.back, i)) continue;
        text += fmt::format("  logic [{}-1:0] {};\n", signal.width, open_net(signal, i));
      }
    }
    return text;
  }

 private:
  std::uint32_t link(bool rx, std::uint32_t i) const {
    return rx ? block_.first_in + i : graph_.out_link[block_.first_out + i];
  }
  bool open(bool rx, std::uint32_t i) const {
    return link(rx, i) == kOpen || graph_.links[link(rx, i)].src_block == kOpen;
  }
  std::string open_net(const LinkSignal& signal, std::uint32_t i) const {
    return fmt::format("{}_{}_open_{}_{}", block_.name, signal.name, signal.back ? "in" : "out", i);
  }

  std::string element(bool rx, const LinkSignal& signal, std::uint32_t i) const {
    const bool drives = rx == signal.back;
    if (open(rx, i)) {
      return drives ? open_net(signal, i) : fmt::format("{{({}){{1'b0}}}}", signal.width);
    }
    // An interface returns one credit line for each link.
    const bool lowest = block_.kind == Block::Kind::kNic && rx && signal.name == "credit";
    const std::uint32_t number = link(rx, i);
    return fmt::format("{}_{}{}", link_net(graph_.links[number], number, rx), signal.name,
                       lowest ? "[0]" : "");
  }

  const Graph& graph_;
  const Block& block_;
  const std::vector<LinkSignal>& signals_;
};

// Blocks of which each node has one, and whose ports the top gathers in vectors over the nodes,
// node 0 lowest: all but the inputs from other blocks, and of the interfaces none of the links.
template <class BlockT>
struct Gathered;
template <>
struct Gathered<Nic> {
  static constexpr const char *kBlock = "nic", *kPrefix = "";
  static bool gathers(const PortShape& port) { return port.role == PortRole::kNode && port.used; }
};
template <>
struct Gathered<BarrierUnit> {
  static constexpr const char *kBlock = "barrier_unit", *kPrefix = "barrier_";
  static bool gathers(const PortShape& port) { return port.role == PortRole::kNode || !port.input; }
};

template <>
struct Gathered<CombineUnit> {
  static constexpr const char *kBlock = "combine_unit", *kPrefix = "combine_";
  static bool gathers(const PortShape& port) { return port.role == PortRole::kNode || !port.input; }
};

// The ports of the top for such a block.
template <class BlockT>
std::string gathered_ports(const typename BlockT::Config& config) {
  using Of = Gathered<BlockT>;
  std::string text;
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (!Of::gathers(port)) continue;
    text += fmt::format(
        ",\n  /// Of all nodes, node 0 lowest: {} of {}.\n  {} logic [NumNodes*{}-1:0] {}{}",
        port.name, Of::kBlock, port.input ? "input " : "output", port.width, Of::kPrefix,
        port.name);
  }
  return text;
}

// Instance of a block with the ports of `node` that the top gathers, and its own address.
template <class BlockT, class Config>
std::string block_text(const std::string& block, const std::string& name, const Config& config,
                       Connections to, std::uint32_t own, std::uint32_t node) {
  to["clk_i"] = "clk_i";
  to["rst_ni"] = "rst_ni";
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (port.role == PortRole::kOwn) to[port.name] = fmt::format("{}'d{}", port.width, own);
    if constexpr (requires { Gathered<BlockT>::kPrefix; }) {
      if (Gathered<BlockT>::gathers(port)) {
        to.try_emplace(port.name, fmt::format("{}{}[{}*{} +: {}]", Gathered<BlockT>::kPrefix,
                                              port.name, node, port.width, port.width));
      }
    }
  }
  return instance<BlockT>(block, name, config, to);
}

std::string block_instance(const Config& config, const Graph& graph,
                           const std::vector<LinkSignal>& signals, std::uint32_t number) {
  const Block& block = graph.blocks[number];
  const bool parity = config.link.parity;
  const LinkPorts links(graph, block, signals);
  Connections to;
  links.add_to(to);
  if (block.kind == Block::Kind::kNic) {
    return block_text<Nic>("nic", block.name, nic_config(config, graph), to, block.own, number);
  }
  if (block.kind == Block::Kind::kRouter) {
    return "\n" + links.open_nets() +
           tile_instance(graph.router_config(number), parity, block.shape, block.name, to);
  }
  const Crossbar::PortConfig crossbar{graph.crossbar_config(number), parity};
  return "\n" + links.open_nets() +
         block_text<Crossbar>("crossbar", block.name, crossbar, to, block.own, number);
}

// A unit's links are named by the unit that drives them.
std::string barrier_instance(const Graph& graph, std::uint32_t rank) {
  const BarrierUnit::Config unit = barrier_config(rank, graph.nodes);
  std::string up = "1'b0";
  for (unsigned c = 0; c < unit.num_child; ++c) {
    const std::string child = fmt::format("barrier_up_o[{}]", 2 * rank + 1 + c);
    up = c == 0 ? child : fmt::format("{}, {}", child, up);
  }
  const std::string down =
      unit.is_root ? "1'b0" : fmt::format("barrier_down_o[{}]", (rank - 1) / 2);
  return block_text<BarrierUnit>("barrier_unit", fmt::format("barrier_{}", rank), unit,
                                 {{"up_i", "{" + up + "}"}, {"down_i", down}}, rank, rank);
}

// Likewise.
std::string combine_instance(const Graph& graph, std::uint32_t rank) {
  const CombineUnit::Config unit = combine_config(rank, graph.nodes, graph.header);
  Connections to;
  const auto connect = [&](const std::string& port, const std::string& source, std::uint32_t index,
                           unsigned width) {
    to[port] = fmt::format("combine_{}_o[{}*{} +: {}]", source, index, width, width);
  };
  const std::pair<const char*, unsigned> up[] = {
      {"up_valid", 1}, {"up_some", 1}, {"up_word", unit.data_w}};
  for (const auto& [signal, width] : up) {
    std::string list;
    for (unsigned c = 0; c < CombineUnit::kMostChild; ++c) {
      connect("child", signal, 2 * rank + 1 + c, width);
      const std::string child = c < unit.num_child ? to["child"] : fmt::format("{}'d0", width);
      list = c == 0 ? child : fmt::format("{}, {}", child, list);
    }
    to[fmt::format("{}_i", signal)] = "{" + list + "}";
  }
  to.erase("child");
  if (!unit.is_root) {
    const std::uint32_t parent = (rank - 1) / 2;
    connect("up_credit_i", "up_credit", rank - 1, 1);  // The parent's credits, child 0's lowest.
    connect("down_valid_i", "down_valid", parent, 1);
    connect("down_word_i", "down_word", parent, unit.data_w);
  }
  return block_text<CombineUnit>("combine_unit", fmt::format("combine_{}", rank), unit, to, rank,
                                 rank);
}

// The registers of a link.
std::string stage_instance(const Config& config, const Graph& graph, std::uint32_t number) {
  const Link& link = graph.links[number];
  const std::string from = link_net(link, number, false), to = link_net(link, number, true);
  Connections nets;
  const auto connect = [&](const auto&... field) {
    ((nets[fmt::format("rx_{}_i", field.name)] = fmt::format("{}_{}", from, field.name),
      nets[fmt::format("tx_{}_o", field.name)] = fmt::format("{}_{}", to, field.name)),
     ...);
  };
  std::apply(connect, kFlitFields);
  nets["rx_back_o"] = from + "_credit";
  nets["tx_back_i"] = to + "_credit";
  return block_text<LinkStage>("link_stage", fmt::format("link_{}", number),
                               link_config(graph, number, config.link.parity), nets, 0, 0);
}

// An existing target is replaced only if it is empty or everything in it was written by `emit`.
void check_replaceable(const fs::path& target) {
  if (!fs::exists(target)) return;
  if (!fs::is_directory(target)) {
    throw ConfigError(fmt::format("{}: expected: a folder", target.string()));
  }
  const bool ours = fs::exists(target / "weft_top.f");
  for (const auto& entry : fs::recursive_directory_iterator(target)) {
    const fs::path name = fs::relative(entry.path(), target);
    const bool known =
        name == "rtl" || name == "weft_top.f" || name == "weft_top.sv" || *name.begin() == "rtl";
    if (!ours || !known) {
      throw ConfigError(
          fmt::format("{}: not written by `weft emit`, which replaces its folder as a "
                      "whole: expected: a new or empty folder",
                      entry.path().string()));
    }
  }
}

// Copies a file of rtl/ to the folder of the emitted fabric.
void copy_source(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (!fs::copy_file(from, to, error)) cannot_write(to, error.value());
}

// The top.
std::string top_module(const Config& config, const Graph& graph) {
  const Nic::Config nic = nic_config(config, graph);
  // One of each link is shown, both where it has registers.
  const std::size_t ends = graph.links.size() + graph.staged_links();
  std::string text = fmt::format(
      "// Network of {} nodes, {} blocks and {} links: {}.\n// Written by `weft emit`.\n\n"
      "module weft_top #(\n  localparam int unsigned NumNodes = {},\n"
      "  localparam int unsigned NumEnds = {}\n) (\n"
      "  /// Clock.\n  input  logic clk_i,\n  /// Asynchronous reset, active low.\n"
      "  input  logic rst_ni",
      graph.nodes, graph.blocks.size(), graph.connected_links(), config.topology.dump(),
      graph.nodes, ends);
  text += gathered_ports<Nic>(nic);
  const auto signals = link_signals(graph, nic);
  for (const LinkSignal& signal : signals) {
    text += fmt::format(
        ",\n  /// Observation of every link: {}.\n  output logic [NumEnds*{}-1:0] link_{}_o",
        signal.name, signal.width, signal.name);
  }
  // The gathered ports of all units are equal.
  if (config.barrier_units) text += gathered_ports<BarrierUnit>(barrier_config(0, graph.nodes));
  if (config.combine_units)
    text += gathered_ports<CombineUnit>(combine_config(0, graph.nodes, graph.header));
  text += "\n);\n\n";
  // Observed at both ends, as Wires numbers them.
  const Wires wires(graph);
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    const bool open = link.src_block == kOpen;
    if (!open) text += fmt::format("  // {}\n", graph.link_name(l));
    for (const bool receiver : {true, false}) {
      if (!receiver && link.stages == 0) continue;
      const std::uint32_t place = receiver ? l : wires.flit_place[l];
      for (const LinkSignal& signal : signals) {
        const std::string net = link_net(link, l, receiver) + "_" + signal.name;
        if (!open) text += fmt::format("  logic [{}-1:0] {};\n", signal.width, net);
        text += fmt::format("  assign link_{0}_o[{1}*{2} +: {2}] = {3};\n", signal.name, place,
                            signal.width, open ? "'0" : net);
      }
    }
    if (link.stages != 0) text += stage_instance(config, graph, l);
    // A link into an interface has credits for VC 0 only.
    if (graph.has_routers() && link.dst_block < graph.nodes && graph.num_vc > 1) {
      text += fmt::format("  assign link_{}_credit[{}:1] = '0;\n", l, graph.num_vc - 1);
    }
  }
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    text += block_instance(config, graph, signals, b);
  }
  for (std::uint32_t rank = 0; rank < graph.nodes && config.barrier_units; ++rank) {
    text += barrier_instance(graph, rank);
  }
  for (std::uint32_t rank = 0; rank < graph.nodes && config.combine_units; ++rank) {
    text += combine_instance(graph, rank);
  }
  return text + "\nendmodule\n";
}

}  // namespace

std::map<std::string, std::string> emit_modules(const Config& config, const Graph& graph) {
  std::map<std::string, std::string> modules = {{"weft_top", top_module(config, graph)}};
  for (std::uint32_t shape = 0; shape < graph.router_shapes.size(); ++shape) {
    modules[tile_name(shape)] = tile_module(graph.router_shapes[shape], config.link.parity, shape);
  }
  return modules;
}

void emit(const Config& config, const Graph& graph, const fs::path& dir) {
  const fs::path target = dir.empty() ? dir : resolved(dir);
  if (!target.has_filename()) throw ConfigError("-o: expected: a folder");
  check_replaceable(target);
  const auto modules = emit_modules(config, graph);
  Draft draft(target);
  const fs::path& fresh = draft.path();
  std::error_code error;
  fs::create_directories(fresh / "rtl" / "include", error);
  if (error) cannot_write(dir, error.value());
  std::vector<fs::path> written;
  for (const auto& [name, text] : modules) {
    const bool top = name == "weft_top";
    written.push_back(fresh / (top ? "" : "rtl") / (name + ".sv"));
    write_file(written.back(), text);
  }
  copy_source(rtl_dir() / "lint" / "waivers.vlt", fresh / "rtl" / "waivers.vlt");
  std::string list = "+incdir+rtl/include\nrtl/waivers.vlt\n";
  for (const auto& file : rtl_sources(written)) {
    if (file.filename() == "weft_top.sv") continue;
    const bool ours = std::find(written.begin(), written.end(), file) != written.end();
    if (!ours) copy_source(file, fresh / "rtl" / file.filename());
    list += "rtl/" + file.filename().string() + "\n";
  }
  copy_source(rtl_dir() / "include" / "weft_assert.svh",
              fresh / "rtl" / "include" / "weft_assert.svh");
  write_file(fresh / "weft_top.f", list + "weft_top.sv\n");
  draft.publish();
}

}  // namespace weft
