// Writes the network as one structural SystemVerilog module.
#include "sim/network/emit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "sim/core/error.hpp"
#include "sim/network/verilate.hpp"

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
    {"input ", "desc_dst_i", "weft_pkg::AddrW", "Destination address"},
    {"input ", "desc_addr_i", "weft_pkg::MemAddrW", "First word in local memory, flits"},
    {"input ", "desc_len_i", "weft_pkg::MsgLenW", "Message length, flits"},
    {"input ", "desc_off_i", "weft_pkg::OffW", "Place in the receive window, flits"},
    {"input ", "desc_tag_i", "weft_pkg::TagW", "Message tag"},
    {"input ", "desc_gap_i", "weft_pkg::GapW", "Silence after each packet, packet times"},
    {"output", "desc_free_o", "DescFreeW", "Free places of the descriptor queue"},
    {"output", "tx_count_o", "weft_pkg::CountW", "Messages sent"},
    {"output", "mem_ren_o", "NumCtrl", "Memory read lanes: enable"},
    {"output", "mem_raddr_o", "NumCtrl*weft_pkg::MemAddrW", "Memory read lanes: address, flits"},
    {"input ", "mem_rdata_i", "NumCtrl*DataW", "Memory read lanes: word of the cycle before"},
    {"output", "mem_wen_o", "1", "Memory write: enable"},
    {"output", "mem_waddr_o", "weft_pkg::MemAddrW", "Memory write: address, flits"},
    {"output", "mem_wdata_o", "DataW", "Memory write: word"},
    {"input ", "rx_base_i", "weft_pkg::MemAddrW", "Receive window: first word, flits"},
    {"input ", "rx_size_i", "weft_pkg::MemAddrW", "Receive window: size, flits"},
    {"output", "rx_count_o", "weft_pkg::NumRxCounts*weft_pkg::CountW", "Messages received, by tag"},
    {"output", "rx_parity_o", "weft_pkg::CountW", "Packets dropped: parity"},
    {"output", "rx_refused_o", "weft_pkg::CountW", "Packets dropped: window or length"},
};

// "{a_3_s, a_2_s, ...}" over links, the first one lowest.
template <class LinkOf>
std::string concat(std::uint32_t count, LinkOf link_of, const char* signal) {
  std::string text = "{";
  for (std::uint32_t i = count; i-- > 0;) {
    text += fmt::format("link_{}_{}{}", link_of(i), signal, i > 0 ? ", " : "}");
  }
  return text;
}

std::string nic_instance(const Graph& graph, std::uint32_t rank) {
  const Block& block = graph.blocks[rank];
  const std::uint32_t tx = graph.out_link[block.first_out], rx = block.first_in;
  std::string text = fmt::format(
      "\n  nic #(\n    .DataW      (DataW),\n    .Parity     (Parity),\n"
      "    .PacketFlits(PacketFlits),\n    .NumCtrl    (NumCtrl),\n    .QueueDepth (QueueDepth)\n"
      "  ) u_{} (\n    .clk_i,\n    .rst_ni,\n    .node_i(weft_pkg::AddrW'({})),\n",
      block.name, block.own);
  for (const auto& p : kNodePorts) {
    text += fmt::format("    .{}({}[{}*({}) +: {}]),\n", p.name, p.name, rank, p.width, p.width);
  }
  return text + fmt::format(
                    "    .tx_valid_o(link_{0}_valid),\n    .tx_last_o(link_{0}_last),\n"
                    "    .tx_data_o(link_{0}_data),\n    .tx_full_i(link_{0}_full),\n"
                    "    .rx_valid_i(link_{1}_valid),\n    .rx_last_i(link_{1}_last),\n"
                    "    .rx_data_i(link_{1}_data),\n    .rx_full_o(link_{1}_full)\n  );\n",
                    tx, rx);
}

std::string crossbar_instance(const Graph& graph, const Block& block) {
  std::string text = "\n  crossbar #(\n    .FlitW   (FlitW)";
  for (const auto& [name, value] : crossbar_params(graph.shapes[block.shape])) {
    text += fmt::format(",\n    .{:<8}({})", name, value);
  }
  text +=
      fmt::format("\n  ) u_{} (\n    .clk_i,\n    .rst_ni,\n    .own_i(weft_pkg::AddrW'({})),\n",
                  block.name, block.own);
  const auto in = [&](std::uint32_t i) { return block.first_in + i; };
  const auto out = [&](std::uint32_t i) { return graph.out_link[block.first_out + i]; };
  for (const char* signal : {"valid", "last", "data"}) {
    text += fmt::format("    .rx_{}_i({}),\n", signal, concat(block.num_in, in, signal));
    text += fmt::format("    .tx_{}_o({}),\n", signal, concat(block.num_out, out, signal));
  }
  text += fmt::format("    .rx_full_o({}),\n", concat(block.num_in, in, "full"));
  return text + fmt::format("    .tx_full_i({})\n  );\n", concat(block.num_out, out, "full"));
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

NicParams nic_params(const Config& config) {
  return {config.link.width_bits, config.link.parity ? 1u : 0u, config.nic.packet_flits,
          config.nic.controllers, config.nic.queue_depth};
}

std::vector<std::pair<std::string, std::int64_t>> crossbar_params(const Crossbar::Config& shape) {
  return {{"NumOut", shape.num_out},
          {"Detour", shape.detour ? 1 : 0},
          {"NumIn", shape.num_in},
          {"FirstIn", shape.first_in},
          {"InDepth", shape.in_depth},
          {"OutDepth", shape.out_depth},
          {"Route", static_cast<std::int64_t>(shape.route)},
          {"DigitLsb", shape.digit_lsb},
          {"DigitW", shape.digit_w}};
}

std::string emit_top(const Config& config, const Graph& graph) {
  const NicParams nic = nic_params(config);
  const auto links = graph.links.size();
  std::string text = fmt::format(
      "// Network of {} nodes, {} blocks and {} links: {}.\n// Written by `weft emit`.\n\n"
      "module weft_top #(\n"
      "  localparam int unsigned NumNodes    = {},\n  localparam int unsigned NumLinks    = {},\n"
      "  localparam int unsigned DataW       = {},\n  localparam bit          Parity      = {},\n"
      "  localparam int unsigned FlitW       = {},\n  localparam int unsigned PacketFlits = {},\n"
      "  localparam int unsigned NumCtrl     = {},\n  localparam int unsigned QueueDepth  = {},\n"
      "  localparam int unsigned DescFreeW   = $clog2(QueueDepth + 1)\n) (\n"
      "  /// Clock.\n  input  logic clk_i,\n  /// Asynchronous reset, active low.\n"
      "  input  logic rst_ni",
      graph.nodes, graph.blocks.size(), links, config.topology.dump(), graph.nodes, links,
      nic.data_w, nic.parity, nic.flit_w(), nic.packet_flits, nic.num_ctrl, nic.queue_depth);
  for (const auto& p : kNodePorts) {
    text += fmt::format(",\n  /// {}.\n  {} logic [NumNodes*({})-1:0] {}", p.comment, p.direction,
                        p.width, p.name);
  }
  text +=
      ",\n  /// Observation of every link: Data-Valid.\n  output logic [NumLinks-1:0] "
      "link_valid_o,\n"
      "  /// Observation: Data-End.\n  output logic [NumLinks-1:0] link_last_o,\n"
      "  /// Observation: words.\n  output logic [NumLinks*FlitW-1:0] link_data_o,\n"
      "  /// Observation: Buffer-Full.\n  output logic [NumLinks-1:0] link_full_o\n);\n\n";
  for (std::size_t l = 0; l < links; ++l) {
    const Link& link = graph.links[l];
    text += fmt::format(
        "  // {} {} -> {} {}\n  logic link_{}_valid, link_{}_last, link_{}_full;\n"
        "  logic [FlitW-1:0] link_{}_data;\n",
        graph.blocks[link.src_block].name, link.src_port, graph.blocks[link.dst_block].name,
        link.dst_port, l, l, l, l);
    for (const char* signal : {"valid", "last", "full"}) {
      text += fmt::format("  assign link_{}_o[{}] = link_{}_{};\n", signal, l, l, signal);
    }
    text += fmt::format("  assign link_data_o[{}*FlitW +: FlitW] = link_{}_data;\n", l, l);
  }
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    text += b < graph.nodes ? nic_instance(graph, b) : crossbar_instance(graph, graph.blocks[b]);
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
  const fs::path fresh = target.string() + fmt::format(".weft-{}", getpid());
  fs::create_directories(fresh / "rtl" / "include", error);
  if (error) {
    throw ConfigError(fmt::format("cannot write {}: {}", dir.string(), error.message()));
  }
  write(fresh / "weft_top.sv", emit_top(config, graph));
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
