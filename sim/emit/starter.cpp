// Fills in the templates of the starter testbench.
#include "sim/emit/starter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/installation.hpp"
#include "sim/emit/emit.hpp"
#include "sim/emit/link_chain.hpp"
#include "sim/emit/node_ports.hpp"
#include "sim/emit/tile.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft {
namespace {

std::string read_template(const std::string& name) {
  return read_file(source_dir() / "sim" / "emit" / "starter" / name);
}

// Replaces each "@NAME@" of a template.
std::string fill(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const std::string place = "@" + name + "@";
    const std::size_t at = text.find(place);
    if (at == std::string::npos) throw ConfigError("template of the testbench: no " + place);
    text.replace(at, place.size(), value);
  }
  return text;
}

// The signal of the testbench at a port of the top: `desc_valid` for `desc_valid_i`.
std::string signal_of(const NodePort& port) {
  return port.name.substr(0, port.name.size() - 2);
}

// Whether a template names a port or a signal.
bool names(const std::string& text, const std::string& word) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (!in_word(at - 1) && !in_word(at + word.size())) return true;
  }
  return false;
}

bool is_interrupt(const NodePort& port) {
  return port.name == "event_o";
}

// Why the nodes of the testbench leave an input idle; empty: they drive it.
std::string idle_reason(const NodePort& port) {
  static const std::map<std::string, std::string> reasons = {
      {"desc_tag_i", "Receive counter 0, and the default ways"},
      {"desc_gap_i", "no gap between packets"},
      {"desc_ctrl_i", "any send controller"},
      {"desc_timed_i", "no start"},
      {"desc_start_i", "no start"},
      {"rx_key_i", "window 0 takes key 0"},
      {"reduce_op_i", "nothing is reduced"},
      {"reduce_type_i", "nothing is reduced"},
      {"reduce_count_i", "nothing is reduced"},
  };
  if (!port.input) return {};
  if (port.block == "barrier_unit") return "no barrier is entered";
  if (port.block == "combine_unit") return "the combining tree has no orders";
  const auto found = reasons.find(port.name);
  if (found != reasons.end()) return found->second;
  const std::string signal = signal_of(port);
  const bool driven = names(read_template("weft_tb.sv.in"), signal) ||
                      names(read_template("weft_tb_restart.in"), signal) ||
                      names(read_template("weft_tb_axi.sv"), signal + "_o");
  return driven ? "" : "not used";
}

// Signals of `weft_tb_axi` for `weft_tb_node` in place of an interface's ports, which have a lane
// each.
std::string inner_signals(const Graph& graph) {
  const std::string nodes = read_template("weft_tb.sv.in");
  Nic::Config plain;
  plain.header = graph.header;
  plain.header.id_w = 0;  // Nodes have nothing to do with restarts.
  std::string signals = "  // Between the nodes and the ports of their interfaces.\n";
  for (const NodePort& port : nic_ports(plain)) {
    if (!names(nodes, signal_of(port))) continue;
    signals += fmt::format("  logic [NumNodes*{}-1:0] {};\n", port.width, signal_of(port));
  }
  return signals;
}

// Connects `weft_tb_axi` to the ports that the interfaces have for it.
std::string axi_text(const Config& config, const Graph& graph) {
  std::map<std::string, unsigned> width;
  std::string ports;
  const std::string driver = read_template("weft_tb_axi.sv");
  for (const NodePort& port : node_ports(config, graph, true)) {
    const std::string signal = signal_of(port), its_port = signal + (port.input ? "_o" : "_i");
    if (port.block != "axi_nic" || !names(driver, its_port)) continue;
    width[port.name] = port.width;
    ports += fmt::format(",\n      .{}({}[n*{} +: {}])", its_port, signal, port.width, port.width);
  }
  return fill(read_template("weft_tb_axi.in"),
              {{"AXI_ADDR_W", std::to_string(width.at("base_i"))},
               {"READ_ID_W", std::to_string(width.at("m_ar_id_o"))},
               {"WRITE_ID_W", std::to_string(width.at("m_aw_id_o"))},
               {"PORTS", ports}});
}

// Bursts of reads must end before a restart.
std::string restart_text(bool axi) {
  return fill(read_template("weft_tb_restart.in"), {{"HOLD", axi ? "300" : "0"}});
}

std::string bench(const Config& config, const Graph& graph, bool axi) {
  Nic::Config nic = nic_config(config, graph);
  std::string addresses, signals, connections, idle = "  // Idle.\n";
  for (std::uint32_t rank = graph.nodes; rank-- > 0;) {
    addresses += fmt::format("    {}'d{}{}", graph.header.addr_w, graph.address[rank],
                             rank > 0 ? ",\n" : "");
  }
  // No faults; a user's testbench can drive these. Icarus needs the width.
  const std::size_t points = injected_links(graph).size();
  for (const LinkSignal& signal : fault_signals(graph, config.link.parity)) {
    if (points == 0) break;
    connections += fmt::format(",\n    .fault_{}_i({}'d0)", signal.name, points * signal.width);
  }
  for (const LinkCounter& counter : link_counters(graph)) {
    connections += fmt::format(",\n    .{}()", counter.port());
  }
  if (config.nic.reliable) connections += fmt::format(",\n    .{}(network_rst_n)", kNetworkReset);
  for (const TablePort& port : table_ports(config, graph)) {
    connections += fmt::format(",\n    .{}({})", port.name,
                               tile_position(graph.router_config(port.router)).literal);
  }
  for (const NodePort& port : node_ports(config, graph, axi)) {
    if (is_interrupt(port)) {  // The testbench's driver polls instead.
      connections += fmt::format(",\n    .{}()", port.name);
      continue;
    }
    const std::string signal = signal_of(port);
    signals += fmt::format("  logic [NumNodes*{}-1:0] {};\n", port.width, signal);
    connections += fmt::format(",\n    .{}({})", port.name, signal);
    if (const std::string reason = idle_reason(port); !reason.empty()) {
      idle += fmt::format("  assign {} = '0;  // {}\n", signal, reason);
    }
  }
  const unsigned free_w = static_cast<unsigned>(std::bit_width(nic.queue_depth));
  unsigned stages = 0;
  for (const Link& link : graph.links) stages = std::max<unsigned>(stages, link.stages);
  return fill(read_template("weft_tb.sv.in"),
              {{"MESSAGES", std::to_string(starter_messages(graph))},
               {"FLITS", std::to_string(kStarterFlits)},
               {"WATCHDOG", std::to_string(2000 + 100 * stages)},
               {"NODES", std::to_string(graph.nodes)},
               {"ADDR_W", std::to_string(graph.header.addr_w)},
               {"DATA_W", std::to_string(graph.header.data_w)},
               {"LANES", std::to_string(axi ? 1 : nic.lanes())},
               {"LINKS", std::to_string(axi ? 1 : nic.links())},
               {"OFF_W", std::to_string(graph.header.off_w())},
               {"KEY_W", std::to_string(graph.header.key_w)},
               {"ID_W", std::to_string(graph.header.id_w)},
               {"WINDOWS", std::to_string(axi ? 1 : nic.windows)},
               {"FREE_W", std::to_string(free_w)},
               {"COUNTS", nic.by_packet() ? "packets, which may overtake each other" : "messages"},
               {"EACH", nic.by_packet() ? fmt::format("((Flits + {}) / {})", nic.packet_flits - 1,
                                                      nic.packet_flits)
                                        : "1"},
               {"ADDRESSES", addresses},
               {"SIGNALS", axi ? signals + inner_signals(graph) : signals},
               {"AXI", axi ? axi_text(config, graph) : ""},
               {"CONNECTIONS", connections},
               {"NETWORK_RESET", config.nic.reliable ? ", network_rst_n" : ""},
               {"RESTART", config.nic.reliable ? restart_text(axi) : ""},
               {"IDLE", idle}});
}

}  // namespace

std::uint32_t starter_messages(const Graph& graph) {
  // Some dozens altogether: simulators of RTL are slow.
  constexpr std::uint32_t kAll = 56;
  return std::max(1u, std::min(graph.nodes - 1, kAll / graph.nodes));
}

std::vector<Transfer> starter_transfers(const Graph& graph) {
  std::vector<Transfer> transfers;
  for (std::uint32_t from = 0; from < graph.nodes; ++from) {
    for (std::uint32_t m = 0; m < starter_messages(graph); ++m) {
      transfers.push_back(
          {.from = from, .to = (from + 1 + m) % graph.nodes, .flits = kStarterFlits});
    }
  }
  return transfers;
}

std::map<std::string, std::string> starter_files(const Config& config, const Graph& graph,
                                                 bool axi) {
  std::map<std::string, std::string> files = {
      {"Makefile", read_template("Makefile")},
      {"weft_tb.sv", bench(config, graph, axi)},
      {"weft_tb_node.sv", read_template("weft_tb_node.sv")}};
  if (axi) files["weft_tb_axi.sv"] = read_template("weft_tb_axi.sv");
  return files;
}

}  // namespace weft
