// Ports that each node has.
#include "sim/emit/node_ports.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/base/error.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/fabric/blocks.hpp"

namespace weft {
namespace {

template <class BlockT>
void add_ports(const typename BlockT::Config& config, std::vector<NodePort>& ports) {
  const GatheredPorts& of = *kGathered<BlockT>;
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (!of.has(port)) continue;
    ports.push_back({of.block, port.name, of.prefix + port.name, port.width, port.input});
  }
}

// Whether a port of an interface with AXI ports leads to its barrier unit.
bool is_barrier(const NodePort& port) {
  return port.block == kAxiNicPorts.block && port.name.starts_with("barrier_");
}

}  // namespace

std::vector<NodePort> nic_ports(const Config& config, const Graph& graph, bool axi) {
  if (!axi) return nic_ports(nic_config(config, graph));
  std::vector<NodePort> ports;
  add_ports<AxiNic>(axi_nic_config(config, graph), ports);
  return ports;
}

std::vector<NodePort> nic_ports(const Nic::Config& config) {
  std::vector<NodePort> ports;
  add_ports<Nic>(config, ports);
  return ports;
}

AxiNic::Config axi_nic_config(const Config& config, const Graph& graph) {
  AxiNic::Config axi;
  axi.nic = nic_config(config, graph);
  if (axi.nic.reduce || config.derived.combine_units) {
    throw ConfigError("--axi", "", "true",
                      "a workload that neither reduces nor combines in hardware, whose reads and "
                      "writes of the memory are at a fixed distance in time");
  }
  axi.nic.mem_ready = true;
  axi.barrier = config.derived.barrier_units;
  return axi;
}

Connections with_node(Connections to, const std::vector<PortShape>& ports,
                      const GatheredPorts* gathered, std::uint32_t own, std::uint32_t node) {
  to.try_emplace("clk_i", "clk_i");
  to.try_emplace("rst_ni", "rst_ni");
  for (const PortShape& port : ports) {
    if (port.role == PortRole::kOwn) {
      to.try_emplace(port.name, fmt::format("{}'d{}", port.width, own));
    }
    if (gathered == nullptr || !gathered->has(port)) continue;
    to.try_emplace(port.name, fmt::format("{}{}[{}*{} +: {}]", gathered->prefix, port.name, node,
                                          port.width, port.width));
  }
  return to;
}

std::string nic_text(const Config& config, const Graph& graph, bool axi, const std::string& name,
                     Connections to, std::uint32_t own, std::uint32_t node) {
  return axi ? block_text<AxiNic>("axi_nic", name, axi_nic_config(config, graph), std::move(to),
                                  own, node)
             : block_text<Nic>("nic", name, nic_config(config, graph), std::move(to), own, node);
}

std::string barrier_nets(const Config& config, const Graph& graph) {
  if (!config.derived.barrier_units) return {};
  std::string text = "  // Between the registers of the interfaces and the barrier units.\n";
  for (const NodePort& port : nic_ports(config, graph, true)) {
    if (!is_barrier(port)) continue;
    text += fmt::format("  logic [NumNodes*{}-1:0] {};\n", port.width, port.name);
  }
  return text + "  assign barrier_count_i = barrier_count_o;\n\n";
}

std::vector<NodePort> node_ports(const Config& config, const Graph& graph, bool axi) {
  std::vector<NodePort> ports = nic_ports(config, graph, axi);
  if (axi) std::erase_if(ports, is_barrier);
  // The gathered ports of all units are equal.
  if (config.derived.barrier_units) {
    add_ports<BarrierUnit>(BarrierUnit::Config{}, ports);
    const auto enters = [axi](const NodePort& port) {
      return axi && port.name == "barrier_enter_i";
    };
    std::erase_if(ports, enters);
  }
  if (config.derived.combine_units) {
    add_ports<CombineUnit>({.data_w = graph.header.data_w}, ports);
  }
  return ports;
}

}  // namespace weft
