// The multi-dimensional crossbar of seed 002: crossbars with 2n inputs and n outputs in every
// dimension but the top one (figs 1 and 7; more dimensions by [0089] and [0091]).
#include <fmt/format.h>

#include "sim/topology/crossbar_networks.hpp"

namespace weft {
namespace {

std::string block_name(std::size_t level, std::uint32_t number) {
  constexpr const char* axes[] = {"x", "y", "z"};  // Letters of the seed's row, column and third
                                                   // crossbars.
  return level < 3 ? fmt::format("{}xb_{}", axes[level], number)
                   : fmt::format("l{}xb_{}", level, number);
}

// A dimension with more than one node.
struct Level {
  std::uint32_t size;  // n
  std::uint32_t lsb, width;
  std::uint32_t below;  // Nodes over all lower dimensions: crossbars of this level in one group.
  std::uint32_t first;  // Block number of the level's first crossbar.
};

constexpr Key kKeys[] = {dims_key(1, 8, 1)};

// At each level every node has one in-port from below and one out-port down, at the level's
// crossbar that has the node's other digits. Crossbars of a level are numbered group by group, and
// within a group in the order in which the detours of the level below leave them ([0085]: second
// crossbar 200 to ZXB0 ... 3, 201 to ZXB4 ... 7).
Graph build(const Config& config) {
  const std::vector<std::uint32_t>& dims = checked_dims(config);
  Graph graph = nodes_of(dims);

  std::vector<Level> levels;
  const auto offsets = digit_offsets(dims);
  std::uint32_t below = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    levels.push_back({dims[i], offsets[i], graph.dim_bits[i], below, 0});
    below *= dims[i];
  }
  // All values of a digit are alike, so crossbars of a level are, too.
  graph.translations.words = "symmetry of each digit's values: node 0";
  auto& classes = graph.translations.block_class;
  classes.assign(graph.nodes, 0);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    Level& level = levels[k];
    level.first = static_cast<std::uint32_t>(graph.blocks.size());
    const auto shape = (k + 1 < levels.size() ? detour_crossbar : plain_crossbar)(
        config, level.size, level.lsb, level.width);
    const std::uint32_t group = level.below * level.size;  // Nodes under one group of the level.
    for (std::uint32_t i = 0; i < graph.nodes / level.size; ++i) {
      const std::uint32_t own = graph.address[i / level.below * group];
      graph.add_crossbar(block_name(k, i), own, shape);
      classes.push_back(static_cast<std::uint32_t>(k + 1));
    }
  }

  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    std::uint32_t from = rank, from_port = 0;  // Out-port that leads up, at first that of the
                                               // processor.
    std::uint32_t to = rank, to_port = 0;      // In-port by which packets come down to it.
    std::uint32_t in_group = 0, rest = rank;
    for (const Level& level : levels) {
      const std::uint32_t digit = rest % level.size;
      rest /= level.size;
      const std::uint32_t xb = level.first + rest * level.below + in_group;
      graph.connect(from, from_port, xb, digit);
      graph.connect(xb, digit, to, to_port);
      from = to = xb;
      from_port = to_port = level.size + digit;
      in_group = in_group * level.size + digit;
    }
  }
  return graph;
}

}  // namespace

extern const Topology topology_hier_crossbar = {
    .kind = "hier_crossbar",
    .description =
        "crossbars of 2n inputs and n outputs with a detour to the next dimension "
        "(seed 002 figs 1 and 7)",
    .keys = table_of<Sizes>(kKeys),
    .parameters = R"({"dims": [64, 4]})",
    .build = build,
    .crosspoints = count_crosspoints,
};

}  // namespace weft
