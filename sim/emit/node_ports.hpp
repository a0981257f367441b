// Blocks that each node has one of. The top gathers their ports in vectors over the nodes, node 0
// lowest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/bus/axi_nic.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/config/config.hpp"
#include "sim/emit/instance.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The ports that are gathered: all but inputs from other blocks, and for interfaces none of links.
template <class BlockT>
struct Gathered;
template <>
struct Gathered<Nic> {
  static constexpr const char *kBlock = "nic", *kPrefix = "";
  static bool gathers(const PortShape& port) { return port.role == PortRole::kNode && port.used; }
};
template <>
struct Gathered<AxiNic> {
  static constexpr const char *kBlock = "axi_nic", *kPrefix = "";
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

/// A port that each node has.
struct NodePort {
  std::string block;     ///< Name of the block that has it: `nic`.
  std::string of_block;  ///< Name in the block.
  std::string name;      ///< Name as a port of the top.
  unsigned width;        ///< Bits of one node.
  bool input;
};

/// The gathered ports of all nodes, in the order of the top; `axi`: interfaces have AXI ports, and
/// enter barriers themselves (`barrier_nets`).
std::vector<NodePort> node_ports(const Config& config, const Graph& graph, bool axi);
/// The gathered ports of the interfaces.
std::vector<NodePort> nic_ports(const Config& config, const Graph& graph, bool axi);
/// The gathered ports of interfaces without AXI ports.
std::vector<NodePort> nic_ports(const Nic::Config& config);
/// Configuration of an interface with AXI ports. Throws ConfigError if there can be none.
AxiNic::Config axi_nic_config(const Config& config, const Graph& graph);
/// Text of the nets between the registers of interfaces with AXI ports and the barrier units.
std::string barrier_nets(const Config& config, const Graph& graph);

/// Instance u_`name` of a block with its own address, and the slices `node` of the gathered ports.
/// `to` connects the rest, and takes precedence.
template <class BlockT, class Config>
std::string block_text(const std::string& block, const std::string& name, const Config& config,
                       Connections to, std::uint32_t own, std::uint32_t node) {
  to.try_emplace("clk_i", "clk_i");
  to.try_emplace("rst_ni", "rst_ni");
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (port.role == PortRole::kOwn) {
      to.try_emplace(port.name, fmt::format("{}'d{}", port.width, own));
    }
    if constexpr (requires { Gathered<BlockT>::kPrefix; }) {
      if (Gathered<BlockT>::gathers(port)) {
        to.try_emplace(port.name, fmt::format("{}{}[{}*{} +: {}]", Gathered<BlockT>::kPrefix,
                                              port.name, node, port.width, port.width));
      }
    }
  }
  return instance<BlockT>(block, name, config, to);
}

/// Instance u_`name` of a network interface, as block_text.
std::string nic_text(const Config& config, const Graph& graph, bool axi, const std::string& name,
                     Connections to, std::uint32_t own, std::uint32_t node);

}  // namespace weft
