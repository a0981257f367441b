// One N x N crossbar over all processors, prior art of seed 002 (fig. 8).
#include "sim/config/key_row.hpp"
#include "sim/topology/crossbar_networks.hpp"

namespace weft {
namespace {

struct Parameters {
  std::uint32_t pes = 0;
};
constexpr Key kKeys[] = {key<&Parameters::pes>({.name = "pes",
                                                .least = 2,
                                                .most = kMaxSize,
                                                .required = true,
                                                .unit = "nodes",
                                                .help = "inputs and outputs"})};

Graph build(const Config& config) {
  const std::uint32_t pes = config.topology.parameters.as<Parameters>().pes;
  Graph graph = nodes_of({pes});
  const auto xb = graph.add_crossbar("xxb_0", 0, plain_crossbar(config, pes, 0, graph.dim_bits[0]));
  for (std::uint32_t rank = 0; rank < pes; ++rank) {
    graph.connect(rank, 0, xb, rank);
    graph.connect(xb, rank, rank, 0);
  }
  return graph;
}

}  // namespace

extern const Topology topology_full_crossbar = {
    .kind = "full_crossbar",
    .description = "one N x N crossbar (seed 002 fig. 8)",
    .keys = table_of<Parameters>(kKeys),
    .parameters = R"({"pes": 64})",
    .build = build,
    .crosspoints = count_crosspoints,
};

}  // namespace weft
