// Emulation of a mesh (seed 001, section 5 (4)): rounds of one packet to each of the neighbours.
#include <fmt/format.h>

#include "sim/config/key_row.hpp"
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

struct Parameters {
  std::vector<std::uint32_t> dims;  // Sizes of the mesh; empty: as square as the nodes allow.
};
constexpr Word kSquare[] = {{"square", 0}};
constexpr Key kKeys[] = {key<&Parameters::dims>({.name = "dims",
                                                 .least = 1,
                                                 .most = low_mask(kMaxAddrW),
                                                 .min_items = 2,
                                                 .max_items = 2,
                                                 .words = kSquare,
                                                 .unit = "nodes",
                                                 .help = "the two sizes of the mesh"})};

// Columns of the mesh, on which ranks are arranged row by row.
std::uint32_t columns_of(const Config& config, std::uint32_t nodes) {
  const auto [dims] = config.workload.parameters.as<Parameters>();
  if (dims.empty()) {
    std::uint32_t columns = 1;
    while (std::uint64_t{columns} * columns < nodes) ++columns;
    while (nodes % columns != 0) ++columns;
    return columns;
  }
  if (std::uint64_t{dims[0]} * dims[1] != nodes) {
    config.source.refuse("/workload/dims", dims,
                         fmt::format("\"square\", or two sizes that make {} nodes", nodes));
  }
  return dims[0];
}

TrafficRounds build(const Config& config, const Graph& graph) {
  const std::uint32_t columns = columns_of(config, graph.nodes);
  TrafficRounds rounds;
  auto& [items, end] = rounds.partners;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    if (n % columns + 1 < columns) items.push_back(n + 1);
    if (n % columns > 0) items.push_back(n - 1);
    if (n + columns < graph.nodes) items.push_back(n + columns);
    if (n >= columns) items.push_back(n - columns);
    end.push_back(items.size());
  }
  return rounds;
}

}  // namespace

extern const TrafficPattern traffic_mesh_emulation = {
    .name = "mesh_emulation",
    .description =
        "a closed loop: the ranks as a mesh, as square as their number allows; each "
        "node sends a packet to each neighbour and waits for one from each",
    .keys = table_of<Parameters>(kKeys),
    .build = build,
};

}  // namespace weft
