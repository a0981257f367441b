// One N x N crossbar over all processors, prior art of seed 002 (fig. 8).
#include "sim/topology/crossbar_networks.hpp"

namespace weft {
namespace {

Graph build(const Config& config) {
  const JsonPlace place(config.topology, config.source, "/topology");
  place.only_keys({"kind", "pes"});
  const auto pes =
      static_cast<std::uint32_t>(place.at("pes", "the number of PEs").number(2, kMaxSize));
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
    .parameters = R"({"pes": 64})",
    .build = build,
    .crosspoints = count_crosspoints,
};

}  // namespace weft
