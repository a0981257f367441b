// Blocks that each node has one of. The top gathers their ports in vectors over the nodes, node 0
// lowest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/bus/axi_nic.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/config/config.hpp"
#include "sim/emit/instance.hpp"
#include "sim/nic/nic.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Which ports of a block are gathered: all but inputs from other blocks, and for interfaces none
/// of links.
struct GatheredPorts {
  const char *block, *prefix;  ///< Names of the block, and of its ports in the top.
  bool interface;              ///< An interface, with AXI ports or without.

  bool has(const PortShape& port) const {
    return port.role == PortRole::kNode ? !interface || port.used : !interface && !port.input;
  }
};
/// Those of `BlockT`; null if it has none.
template <class BlockT>
inline constexpr const GatheredPorts* kGathered = nullptr;
inline constexpr GatheredPorts kNicPorts{"nic", "", true}, kAxiNicPorts{"axi_nic", "", true};
inline constexpr GatheredPorts kBarrierPorts{"barrier_unit", "barrier_", false};
inline constexpr GatheredPorts kCombinePorts{"combine_unit", "combine_", false};
template <>
inline constexpr const GatheredPorts* kGathered<Nic> = &kNicPorts;
template <>
inline constexpr const GatheredPorts* kGathered<AxiNic> = &kAxiNicPorts;
template <>
inline constexpr const GatheredPorts* kGathered<BarrierUnit> = &kBarrierPorts;
template <>
inline constexpr const GatheredPorts* kGathered<CombineUnit> = &kCombinePorts;

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

/// Connects a block's own address, and its gathered ports to the slices `node` of those of the top;
/// what `to` has takes precedence.
Connections with_node(Connections to, const std::vector<PortShape>& ports,
                      const GatheredPorts* gathered, std::uint32_t own, std::uint32_t node);
/// Instance u_`name` of a block, as `with_node` has it; `to` connects the rest.
template <class BlockT, class Config>
std::string block_text(const std::string& block, const std::string& name, const Config& config,
                       Connections to, std::uint32_t own, std::uint32_t node) {
  const std::vector<PortShape> ports = port_shapes<BlockT>(config);
  return instance(block, name, rtl_params(config), ports,
                  with_node(std::move(to), ports, kGathered<BlockT>, own, node));
}

/// Instance u_`name` of a network interface, as block_text.
std::string nic_text(const Config& config, const Graph& graph, bool axi, const std::string& name,
                     Connections to, std::uint32_t own, std::uint32_t node);

}  // namespace weft
