// Fills in the templates of the starter testbench.
#include "sim/emit/starter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/emit/node_ports.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft {
namespace {

std::string read_template(const std::string& name) {
  const std::filesystem::path file = source_dir() / "sim" / "emit" / "starter" / name;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ConfigError(fmt::format("cannot read {}", file.string()));
  return {std::istreambuf_iterator<char>(in), {}};
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

// Why the testbench leaves an input idle; empty: it drives it.
std::string idle_reason(const NodePort& port) {
  static const std::map<std::string, std::string> reasons = {
      {"desc_tag_i", "Receive counter 0, and the default ways"},
      {"desc_gap_i", "no gap between packets"},
      {"desc_ctrl_i", "any send controller"},
      {"desc_timed_i", "no start"},
      {"desc_start_i", "no start"},
      {"reduce_op_i", "nothing is reduced"},
      {"reduce_type_i", "nothing is reduced"},
      {"reduce_count_i", "nothing is reduced"},
  };
  if (!port.input) return {};
  if (port.block == "barrier_unit") return "no barrier is entered";
  if (port.block == "combine_unit") return "the combining tree has no orders";
  const auto found = reasons.find(port.name);
  return found == reasons.end() ? std::string() : found->second;
}

std::string bench(const Config& config, const Graph& graph) {
  const Nic::Config nic = nic_config(config, graph);
  std::string addresses, signals, connections, idle = "  // Idle.\n";
  for (std::uint32_t rank = graph.nodes; rank-- > 0;) {
    addresses += fmt::format("    {}'d{}{}", graph.header.addr_w, graph.address[rank],
                             rank > 0 ? ",\n" : "");
  }
  for (const NodePort& port : node_ports(config, graph)) {
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
               {"LANES", std::to_string(nic.lanes())},
               {"LINKS", std::to_string(nic.links())},
               {"OFF_W", std::to_string(graph.header.off_w())},
               {"FREE_W", std::to_string(free_w)},
               {"COUNTS", nic.by_packet() ? "packets, which may overtake each other" : "messages"},
               {"EACH", nic.by_packet() ? fmt::format("((Flits + {}) / {})", nic.packet_flits - 1,
                                                      nic.packet_flits)
                                        : "1"},
               {"ADDRESSES", addresses},
               {"SIGNALS", signals},
               {"CONNECTIONS", connections},
               {"IDLE", idle}});
}

}  // namespace

std::uint32_t starter_messages(const Graph& graph) {
  // Some dozens in all: simulators of RTL are slow.
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

std::map<std::string, std::string> starter_files(const Config& config, const Graph& graph) {
  return {{"Makefile", read_template("Makefile")},
          {"weft_tb.sv", bench(config, graph)},
          {"weft_tb_node.sv", read_template("weft_tb_node.sv")}};
}

}  // namespace weft
