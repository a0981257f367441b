// Writes the network as one structural SystemVerilog module.
#include "sim/emit/emit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "sim/base/error.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

struct PortGroup {
  const char* direction;
  const char* name;
  const char* width;  // SystemVerilog expression, bits for each node
  const char* comment;
};

// The ports of `nic` that belong to its processor and memory, as `weft_top` gathers them.
constexpr PortGroup kNodePorts[] = {
    {"input ", "desc_valid_i", "1", "Descriptor queue: push"},
    {"input ", "desc_dst_i", "AddrW", "Destination address"},
    {"input ", "desc_addr_i", "weft_pkg::MemAddrW", "First word in local memory, flits"},
    {"input ", "desc_len_i", "weft_pkg::MsgLenW", "Message length, flits"},
    {"input ", "desc_off_i", "OffW", "Place in the receive window, flits"},
    {"input ", "desc_tag_i", "weft_pkg::TagW", "Message tag"},
    {"input ", "desc_gap_i", "weft_pkg::GapW", "Silence after each packet, packet times"},
    {"input ", "desc_ctrl_i", "weft_pkg::CtrlW",
     "Send controller: 0 any, n number n - 1, or in turn"},
    {"output", "desc_free_o", "DescFreeW", "Free places of the descriptor queue"},
    {"output", "tx_count_o", "weft_pkg::CountW", "Messages sent"},
    {"output", "mem_ren_o", "NicLanes", "Memory read lanes: enable"},
    {"output", "mem_raddr_o", "NicLanes*weft_pkg::MemAddrW", "Memory read lanes: address, flits"},
    {"input ", "mem_rdata_i", "NicLanes*DataW", "Memory read lanes: word of the cycle before"},
    {"output", "mem_wen_o", "NicLinks", "Memory write lanes: enable"},
    {"output", "mem_waddr_o", "NicLinks*weft_pkg::MemAddrW", "Memory write lanes: address, flits"},
    {"output", "mem_wdata_o", "NicLinks*DataW", "Memory write lanes: word"},
    {"input ", "rx_base_i", "weft_pkg::MemAddrW", "Receive window: first word, flits"},
    {"input ", "rx_size_i", "weft_pkg::MemAddrW", "Receive window: size, flits"},
    {"output", "rx_count_o", "weft_pkg::NumRxCounts*weft_pkg::CountW", "Messages received, by tag"},
    {"output", "rx_arrived_o", "weft_pkg::NumRxCounts*weft_pkg::CountW",
     "Messages arrived, by tag"},
    {"output", "rx_parity_o", "weft_pkg::CountW", "Packets dropped: parity"},
    {"output", "rx_refused_o", "weft_pkg::CountW", "Packets dropped: window or length"},
};

// Those of interfaces that reduce into memory.
constexpr PortGroup kReducePorts[] = {
    {"input ", "reduce_op_i", "weft_pkg::ReduceOpW", "Reduction of received messages: operation"},
    {"input ", "reduce_type_i", "weft_pkg::ReduceTypeW", "Reduction: type of the elements"},
    {"input ", "reduce_count_i", "weft_pkg::MeanCountW", "Reduction: divisor of a mean"},
};

// The ports of the barrier units, where there are any.
constexpr PortGroup kBarrierPorts[] = {
    {"input ", "barrier_enter_i", "1", "The node enters its next barrier"},
    {"output", "barrier_full_o", "1", "The node may enter no more barriers"},
    {"output", "barrier_count_o", "weft_pkg::CountW", "Barriers released to the node"},
    {"output", "barrier_up_o", "1", "Observation: arrival at the unit's parent"},
    {"output", "barrier_down_o", "1", "Observation: release to the unit's children"},
};

// One signal of a link: its name and its width in bits, a SystemVerilog expression.
struct LinkSignal {
  const char* name;
  std::string width;
  bool back;  // against the flits
};

// Signals of every link of the network.
std::vector<LinkSignal> link_signals(const Graph& graph) {
  std::vector<LinkSignal> signals = {
      {"valid", "1", false}, {"last", "1", false}, {"data", "FlitW", false}};
  if (graph.has_routers()) {
    signals.push_back({"vc", "VcW", false});
    signals.push_back({"stamp", "weft_pkg::StampW", false});
    signals.push_back({"credit", "NumVc", true});
  } else {
    signals.push_back({"full", "1", true});
  }
  return signals;
}

// The connections of the links of one block: vectors over its ports, port 0 lowest. An in-port that
// no link enters shows 0, an out-port that leads nowhere is left open.
class LinkPorts {
 public:
  LinkPorts(const Graph& graph, const Block& block) : graph_(graph), block_(block) {}

  std::string text() const {
    std::string text;
    for (const LinkSignal& signal : link_signals(graph_)) {
      text += port("rx", signal, block_.num_in) + port("tx", signal, block_.num_out);
    }
    text.replace(text.rfind(','), 1, "");
    return text;
  }

 private:
  // `.rx_valid_i({link_3_valid, link_2_valid}),`; an output that is open somewhere goes to a vector
  // of its own first.
  std::string port(const std::string& side, const LinkSignal& signal, std::uint32_t count) const {
    const bool rx = side == "rx", drives = rx == signal.back;
    // Interfaces take from the network neither VC nor stamp, and give one credit for each link.
    const bool nic = block_.kind == Block::Kind::kNic;
    if (nic && rx && (signal.width == "VcW" || signal.width == "weft_pkg::StampW")) return "";
    std::string list;
    for (std::uint32_t i = count; i-- > 0;)
      list += element(rx, signal, i, nic) + (i > 0 ? ", " : "");
    return fmt::format("    .{}_{}_{}({{{}}}),\n", side, signal.name, drives ? 'o' : 'i', list);
  }

  std::string element(bool rx, const LinkSignal& signal, std::uint32_t i, bool nic) const {
    const std::uint32_t link = rx ? block_.first_in + i : graph_.out_link[block_.first_out + i];
    const bool open = link == kOpen || graph_.links[link].src_block == kOpen;
    const bool drives = rx == signal.back;
    if (open) {
      return drives
                 ? fmt::format("{}_{}_open_{}_{}", block_.name, signal.name, rx ? "in" : "out", i)
                 : fmt::format("{{({}){{1'b0}}}}", signal.width);
    }
    const char* const lowest = nic && rx && signal.width == "NumVc" ? "[0]" : "";
    return fmt::format("link_{}_{}{}", link, signal.name, lowest);
  }

  const Graph& graph_;
  const Block& block_;
};

// Nets that take what a block drives into nowhere.
std::string open_nets(const Graph& graph, const Block& block) {
  std::string text;
  for (const LinkSignal& signal : link_signals(graph)) {
    const std::uint32_t count = signal.back ? block.num_in : block.num_out;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t link =
          signal.back ? block.first_in + i : graph.out_link[block.first_out + i];
      if (link != kOpen && graph.links[link].src_block != kOpen) continue;
      text += fmt::format("  logic [{}-1:0] {}_{}_open_{}_{};\n", signal.width, block.name,
                          signal.name, signal.back ? "in" : "out", i);
    }
  }
  return text;
}

std::string nic_instance(const Config& config, const Graph& graph, std::uint32_t rank) {
  const Block& block = graph.blocks[rank];
  std::string text =
      fmt::format("\n  nic {} u_{} (\n    .clk_i,\n    .rst_ni,\n    .node_i({}),\n",
                  parameter_list(rtl_params(nic_config(config, graph))), block.name, block.own);
  const auto connect = [&](const PortGroup& p) {
    text += fmt::format("    .{}({}[{}*({}) +: {}]),\n", p.name, p.name, rank, p.width, p.width);
  };
  for (const auto& p : kNodePorts) connect(p);
  for (const auto& p : kReducePorts) {
    if (config.nic.reduce) {
      connect(p);
    } else {
      text += fmt::format("    .{}('0),\n", p.name);
    }
  }
  // The ports of the other flow control.
  text += graph.has_routers() ? "    .tx_full_i('0),\n    .rx_full_o(),\n"
                              : "    .tx_vc_o(),\n    .tx_stamp_o(),\n    .tx_credit_i('0),\n"
                                "    .rx_credit_o(),\n";
  return text + LinkPorts(graph, block).text() + "  );\n";
}

std::string switch_instance(const Config& config, const Graph& graph, std::uint32_t number) {
  const Block& block = graph.blocks[number];
  const bool router = block.kind == Block::Kind::kRouter;
  const RtlParams params = router ? rtl_params(graph.router_config(number), config.link.parity)
                                  : rtl_params(graph.crossbar_config(number), config.link.parity);
  return fmt::format("\n{}  {} {} u_{} (\n    .clk_i,\n    .rst_ni,\n    .own_i({}),\n",
                     open_nets(graph, block), router ? "vc_router" : "crossbar",
                     parameter_list(params), block.name, block.own) +
         LinkPorts(graph, block).text() + "  );\n";
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
  return fmt::format(
      "\n  barrier_unit {} u_barrier_{} (\n    .clk_i,\n    .rst_ni,\n"
      "    .enter_i(barrier_enter_i[{}]),\n    .full_o (barrier_full_o[{}]),\n"
      "    .up_i   ({{{}}}),\n    .up_o   (barrier_up_o[{}]),\n    .down_i ({}),\n"
      "    .down_o (barrier_down_o[{}]),\n"
      "    .count_o(barrier_count_o[{}*weft_pkg::CountW +: weft_pkg::CountW])\n  );\n",
      parameter_list(rtl_params(unit)), rank, rank, rank, up, rank, down, rank, rank);
}

// An existing target is replaced only if it is empty or everything in it was written by `emit`.
void check_replaceable(const fs::path& target) {
  if (!fs::exists(target)) return;
  if (!fs::is_directory(target)) {
    throw ConfigError(fmt::format("{}: accepted: a folder", target.string()));
  }
  const bool ours = fs::exists(target / "weft_top.f");
  for (const auto& entry : fs::recursive_directory_iterator(target)) {
    const fs::path name = fs::relative(entry.path(), target);
    const bool known =
        name == "rtl" || name == "weft_top.f" || name == "weft_top.sv" || *name.begin() == "rtl";
    if (!ours || !known) {
      throw ConfigError(
          fmt::format("{}: not written by `weft emit`, which replaces its folder as a "
                      "whole: accepted: a new or empty folder",
                      entry.path().string()));
    }
  }
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw ConfigError(fmt::format("cannot write {}", path.string()));
}

}  // namespace

std::string emit_top(const Config& config, const Graph& graph) {
  const Nic::Config nic = nic_config(config, graph);
  const auto links = graph.links.size();
  const auto constant = [](const char* name, auto value) {
    return fmt::format("  localparam int unsigned {:<10} = {},\n", name, value);
  };
  std::string text = fmt::format(
      "// Network of {} nodes, {} blocks and {} links: {}.\n// Written by `weft emit`.\n\n"
      "module weft_top #(\n",
      graph.nodes, graph.blocks.size(), graph.joined_links(), config.topology.dump());
  text += constant("NumNodes", graph.nodes) + constant("NumLinks", links) +
          constant("AddrW", graph.header.addr_w) + constant("OffW", graph.header.off_w()) +
          constant("DataW", kFlitBytes * 8) + constant("FlitW", flit_width(nic.parity)) +
          constant("NicLanes", nic.lanes()) + constant("NicLinks", nic.links());
  if (graph.has_routers()) {
    text += constant("NumVc", nic.num_vc) + constant("VcW", index_width(nic.num_vc));
  }
  text += fmt::format(
      "  localparam int unsigned DescFreeW  = $clog2({} + 1)\n) (\n"
      "  /// Clock.\n  input  logic clk_i,\n  /// Asynchronous reset, active low.\n"
      "  input  logic rst_ni",
      nic.queue_depth);
  const auto declare = [&](const PortGroup& p) {
    text += fmt::format(",\n  /// {}.\n  {} logic [NumNodes*({})-1:0] {}", p.comment, p.direction,
                        p.width, p.name);
  };
  for (const PortGroup& p : kNodePorts) declare(p);
  if (nic.reduce) {
    for (const PortGroup& p : kReducePorts) declare(p);
  }
  const auto signals = link_signals(graph);
  for (const LinkSignal& signal : signals) {
    text += fmt::format(
        ",\n  /// Observation of every link: {}.\n  output logic [NumLinks*({})-1:0] link_{}_o",
        signal.name, signal.width, signal.name);
  }
  if (config.barrier_units) {
    for (const PortGroup& p : kBarrierPorts) declare(p);
  }
  text += "\n);\n\n";
  for (std::size_t l = 0; l < links; ++l) {
    const Link& link = graph.links[l];
    const bool open = link.src_block == kOpen;
    if (!open) text += fmt::format("  // {}\n", graph.link_name(static_cast<std::uint32_t>(l)));
    for (const LinkSignal& signal : signals) {
      if (!open)
        text += fmt::format("  logic [{}-1:0] link_{}_{};\n", signal.width, l, signal.name);
      const std::string value = open ? "'0" : fmt::format("link_{}_{}", l, signal.name);
      text += fmt::format("  assign link_{0}_o[{1}*({2}) +: {2}] = {3};\n", signal.name, l,
                          signal.width, value);
    }
    // Of a link into an interface the upper credits do not exist.
    if (graph.has_routers() && link.dst_block < graph.nodes && graph.num_vc > 1) {
      text += fmt::format("  assign link_{}_credit[NumVc-1:1] = '0;\n", l);
    }
  }
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    text += b < graph.nodes ? nic_instance(config, graph, b) : switch_instance(config, graph, b);
  }
  for (std::uint32_t rank = 0; rank < graph.nodes && config.barrier_units; ++rank) {
    text += barrier_instance(graph, rank);
  }
  return text + "\nendmodule\n";
}

void emit(const Config& config, const Graph& graph, const fs::path& dir) {
  // Everything goes into a folder beside it, which takes the name when it is whole.
  std::error_code error;
  const fs::path base = fs::weakly_canonical(fs::absolute(dir), error);
  const fs::path target = base.has_filename() ? base : base.parent_path();
  if (dir.empty() || target.empty()) throw ConfigError("-o: accepted: a folder");
  check_replaceable(target);
  const std::string top = emit_top(config, graph);
  const fs::path fresh = target.string() + fmt::format(".weft-{}", getpid());
  fs::create_directories(fresh / "rtl" / "include", error);
  if (error) {
    throw ConfigError(fmt::format("cannot write {}: {}", dir.string(), error.message()));
  }
  write(fresh / "weft_top.sv", top);
  fs::copy_file(rtl_dir() / "lint" / "waivers.vlt", fresh / "rtl" / "waivers.vlt");
  std::string list = "+incdir+rtl/include\nrtl/waivers.vlt\n";
  for (const auto& file : rtl_sources({fresh / "weft_top.sv"})) {
    if (file.filename() == "weft_top.sv") continue;
    fs::copy_file(file, fresh / "rtl" / file.filename());
    list += "rtl/" + file.filename().string() + "\n";
  }
  fs::copy_file(rtl_dir() / "include" / "weft_assert.svh",
                fresh / "rtl" / "include" / "weft_assert.svh");
  write(fresh / "weft_top.f", list + "weft_top.sv\n");
  fs::remove_all(target, error);
  fs::rename(fresh, target, error);
  if (error) {
    throw ConfigError(fmt::format("cannot write {}: {}", dir.string(), error.message()));
  }
}

}  // namespace weft
