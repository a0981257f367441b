// The list of topologies, and the network of a configuration.
#include "sim/topology/topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/topology/failed_networks.hpp"
#include "sim/topology/fault_links.hpp"
#include "sim/topology/table_networks.hpp"

namespace weft {
namespace {

std::string kinds() {
  std::string text;
  for (const auto& t : topologies()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", t.kind, t.parameters);
  }
  return text;
}

// Checks ranks in the configuration, which is possible only when the network is known.
void check_ranks(const Config& config, std::uint32_t nodes) {
  const auto check = [&](std::uint32_t rank, const std::string& pointer) {
    if (rank < nodes) return;
    config.source.refuse(pointer, rank, fmt::format("a rank from 0 to {}", nodes - 1));
  };
  const auto& transfers = config.workload.transfers;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    check(transfers[i].from, fmt::format("/workload/transfers/{}/from", i));
    check(transfers[i].to, fmt::format("/workload/transfers/{}/to", i));
  }
}

// Marks links whose wires may have faults.
void mark_faults(const Config& config, Graph& graph) {
  for (std::size_t i = 0; i < config.faults.size(); ++i) {
    for (const std::uint32_t link : fault_links(config, graph, i))
      graph.links[link].injected = true;
  }
}

// Adds registers to the links between routers, by class.
void add_stages(const Config& config, Graph& graph) {
  const std::vector<std::uint32_t>& stages = config.link.stages;
  if (stages.empty()) return;  // The topology itself has set them.
  const std::size_t classes = graph.link_classes.size();
  const auto refuse = [&](const std::string& expected) {
    config.source.refuse("/link/stages",
                         config.link.stages_by_class ? ShownValue(stages) : ShownValue(stages[0]),
                         expected);
  };
  if (config.link.stages_by_class && stages.size() != classes) {
    refuse(fmt::format("one number, or a list of {}, one for each class of links: {}", classes,
                       fmt::join(graph.link_classes, ", ")));
  }
  std::vector<bool> used(stages.size());
  for (Link& link : graph.links) {
    if (!graph.between_switches(link)) continue;
    const std::size_t which = config.link.stages_by_class ? link.link_class : 0;
    used[which] = true;
    link.stages = static_cast<std::uint16_t>(stages[which]);
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == 0 || used[i] || graph.failures.any) continue;
    refuse(!config.link.stages_by_class
               ? "0: the network has no links between routers or crossbars"
               : fmt::format("0 for {}: the network has no such links", graph.link_classes[i]));
  }
}

// Sets the ids of packets, if they are acknowledged.
void set_ids(const Config& config, Graph& graph) {
  if (!config.nic.reliable) return;
  graph.header.id_w = IdForm{config.nic.controllers, config.nic.outstanding}.width();
  const unsigned left = graph.header.key_lsb();
  if (graph.header.id_w < left) return;
  config.source.refuse("/nic/reliable", true,
                       fmt::format("false here: of an offset of {} bits in a header keys leave {}, "
                                   "and the id of a packet takes {}",
                                   graph.header.off_w(), left, graph.header.id_w));
}

// The network without what has failed.
Graph failed_network(const Config& config, const Topology& topology) {
  return table_network(config, as_table_network(config, topology.build(without_failed(config))));
}

}  // namespace

const Topology& find_topology(const std::string& kind) {
  for (const auto& t : topologies()) {
    if (t.kind == kind) return t;
  }
  throw ConfigError(fmt::format("topology {}: expected: {}", shown(kind), kinds()));
}

unsigned failed_vcs(const Config& config) {
  const Topology& topology = find_topology(config.topology.kind);
  const Config whole = without_failed(config);
  // A failure changes no router: it has the VCs of the whole network, unless routes need more.
  const bool halves = config.router.vc_classes() == 2 && (topology.facts & kDatelines) == 0;
  const unsigned own = topology.vcs != nullptr ? topology.vcs(whole) : halves ? 1 : 2;
  const unsigned left = (topology.facts & kTables) != 0
                            ? topology.vcs(config)
                            : table_vcs(config, as_table_network(config, topology.build(whole)));
  return std::max(own, left);
}

Graph build_graph(const Config& config) {
  const Topology& topology = find_topology(config.topology.kind);
  const bool has_tables = (topology.facts & kTables) != 0;
  const bool reroutes = config.reroutes() && has_detours(topology.facts);
  Graph graph = (config.topology.failed.any() || reroutes) && !has_tables
                    ? failed_network(config, topology)
                    : topology.build(config);
  graph.set_width(config.link.width_bits);
  graph.header.key_w = config.derived.key_bits;
  set_ids(config, graph);
  graph.check();
  check_ranks(config, graph.nodes);
  add_stages(config, graph);
  graph.protection = config.link.protection;
  mark_faults(config, graph);
  return graph;
}

}  // namespace weft
