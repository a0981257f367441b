// Any graph, read from a file.
#include <memory>

#include "sim/config/key_row.hpp"
#include "sim/topology/graph_file.hpp"
#include "sim/topology/topology.hpp"

namespace weft {
namespace {

struct GraphParameters {
  std::string file;
  // The network of the file, once it is read.
  mutable std::shared_ptr<const TableNetwork> network = {};
};
constexpr Key kKeys[] = {key<&GraphParameters::file>(
    {.name = "file",
     .expected = "the path of a file that describes a network (sim/topology/README.md)",
     .required = true,
     .help = "path, from where weft runs"})};

const TableNetwork& network_of(const Config& config) {
  const auto& [file, network] = config.topology.parameters.as<GraphParameters>();
  if (network == nullptr) {
    network = std::make_shared<const TableNetwork>(read_graph_file(file, config));
  }
  return *network;
}

}  // namespace

extern const Topology topology_graph = {
    .kind = "graph",
    .facts = kRouters | kTables | kOwnStages,
    .description = "any graph of routers and nodes, with routes if it has any, from a file",
    .keys = table_of<GraphParameters>(kKeys),
    .parameters = R"({"file": "net.json"})",
    .build = [](const Config& config) { return table_network(config, network_of(config)); },
    .vcs = [](const Config& config) { return table_vcs(config, network_of(config)); },
    .controllers = [](const Config& config) { return table_controllers(network_of(config)); },
};

}  // namespace weft
