// Emulation of a mesh (seed 001, section 5 (4)): rounds of one packet to each of the neighbours.
#include <fmt/format.h>

#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

constexpr const char* kAccepted = "\"square\", or the two sizes of a mesh as [32, 32]";

// Columns of the mesh on which the ranks stand row by row.
std::uint32_t columns_of(const Config& config, std::uint32_t nodes) {
  const nlohmann::json& dims = config.workload.parameters.at("dims");
  if (!dims.is_array()) {
    std::uint32_t columns = 1;
    while (std::uint64_t{columns} * columns < nodes) ++columns;
    while (nodes % columns != 0) ++columns;
    return columns;
  }
  const auto columns = dims[0].get<std::uint64_t>(), rows = dims[1].get<std::uint64_t>();
  if (columns * rows != nodes) {
    config.source.refuse("/workload/dims", dims,
                         fmt::format("\"square\", or two sizes that make {} nodes", nodes));
  }
  return static_cast<std::uint32_t>(columns);
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

void check_dims(const JsonPlace& place) {
  if (place.value() == "square") return;
  for (const JsonPlace& size : place.elements(2, 2, kAccepted)) (void)size.number(1, 1u << 31);
}

}  // namespace

extern const TrafficPattern traffic_mesh_emulation = {
    .name = "mesh_emulation",
    .description =
        "a closed loop: the ranks as a mesh, as square as their number allows; each "
        "node sends a packet to each neighbour and waits for one from each",
    .keys = {.keys = {{"dims", "square", check_dims}}},
    .build = build,
};

}  // namespace weft
