// Two-dimensional crossbar with a three-port switch at each processor, prior art of seed 002 (fig.
// 9): a packet first goes along Y, changes to X in the switch of the corner, and then goes along X.
#include <fmt/format.h>

#include "sim/topology/crossbar_networks.hpp"

namespace weft {
namespace {

// Ports of the switch, as route unit RouteSwitch numbers them.
constexpr std::uint32_t kProcessor = 0, kX = 1, kY = 2;

constexpr Key kKeys[] = {dims_key(2, 2, 2)};

Graph build(const Config& config) {
  const std::vector<std::uint32_t>& dims = checked_dims(config);
  Graph graph = nodes_of(dims);
  const std::uint32_t size_x = dims[0], size_y = dims[1];
  const std::uint32_t bits_x = graph.dim_bits[0], bits_y = graph.dim_bits[1];

  auto three_ports = plain_crossbar(config, 3, bits_x, bits_y);
  three_ports.route = Route::kSwitch;
  const auto first_switch = graph.nodes;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    graph.add_crossbar(fmt::format("sw_{}", rank), graph.address[rank], three_ports);
  }
  const auto first_x = static_cast<std::uint32_t>(graph.blocks.size());
  for (std::uint32_t y = 0; y < size_y; ++y) {
    graph.add_crossbar(fmt::format("xxb_{}", y), y << bits_x,
                       plain_crossbar(config, size_x, 0, bits_x));
  }
  const auto first_y = static_cast<std::uint32_t>(graph.blocks.size());
  for (std::uint32_t x = 0; x < size_x; ++x) {
    graph.add_crossbar(fmt::format("yxb_{}", x), 0, plain_crossbar(config, size_y, bits_x, bits_y));
  }

  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const std::uint32_t x = rank % size_x, y = rank / size_x;
    const auto connect = [&](std::uint32_t port, std::uint32_t block, std::uint32_t block_port) {
      graph.connect(first_switch + rank, port, block, block_port);
      graph.connect(block, block_port, first_switch + rank, port);
    };
    connect(kProcessor, rank, 0);
    connect(kX, first_x + y, x);
    connect(kY, first_y + x, y);
  }

  // All values of a digit are alike: so are processors, switches, row crossbars and column
  // crossbars.
  graph.translations.words = "symmetry of each digit's values: node 0";
  for (std::uint32_t block = 0; block < graph.blocks.size(); ++block) {
    graph.translations.block_class.push_back((block >= first_switch) + (block >= first_x) +
                                             (block >= first_y));
  }
  return graph;
}

}  // namespace

extern const Topology topology_crossbar_2d = {
    .kind = "crossbar_2d",
    .description =
        "row and column crossbars with a three-port switch at each PE, Y first "
        "(seed 002 fig. 9)",
    .keys = table_of<Sizes>(kKeys),
    .parameters = R"({"dims": [64, 4]})",
    .build = build,
    .crosspoints = count_crosspoints,
};

}  // namespace weft
