// Ports that each node has.
#include "sim/emit/node_ports.hpp"

#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/fabric/combine_tree.hpp"

namespace weft {
namespace {

template <class BlockT>
void add_ports(const typename BlockT::Config& config, std::vector<NodePort>& ports) {
  using Of = Gathered<BlockT>;
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    if (!Of::gathers(port)) continue;
    ports.push_back({Of::kBlock, port.name, Of::kPrefix + port.name, port.width, port.input});
  }
}

}  // namespace

std::vector<NodePort> nic_ports(const Config& config, const Graph& graph) {
  std::vector<NodePort> ports;
  add_ports<Nic>(nic_config(config, graph), ports);
  return ports;
}

std::vector<NodePort> node_ports(const Config& config, const Graph& graph) {
  std::vector<NodePort> ports = nic_ports(config, graph);
  // The gathered ports of all units are equal.
  if (config.barrier_units) add_ports<BarrierUnit>(barrier_config(0, graph.nodes), ports);
  if (config.combine_units) {
    add_ports<CombineUnit>(combine_config(0, graph.nodes, graph.header), ports);
  }
  return ports;
}

}  // namespace weft
