// Boards of a collective on arrays.
#include "sim/workload/boards.hpp"

#include <bit>
#include <functional>
#include <numeric>

namespace weft {
namespace {

// Dimensions along which the routers of nodes are linked pairwise, found from the nodes on the
// lines of node 0: lines of a dimension are alike.
std::uint32_t linked_dims(const Graph& graph) {
  std::uint32_t linked = 0, step = 1;
  for (std::size_t d = 0; d < graph.dims.size(); ++d) {
    bool all = graph.has_routers() && graph.dims[d] > 1;
    for (std::uint32_t a = 0; a < graph.dims[d] && all; ++a) {
      for (std::uint32_t b = 0; b < graph.dims[d] && all; ++b) {
        if (!graph.connected(a * step, b * step)) return linked;
        std::uint32_t hops = 0;
        graph.walk(a * step, b * step,
                   [&](std::uint32_t link) { hops += graph.between_switches(graph.links[link]); });
        all = hops == (a == b ? 0 : 1);
      }
    }
    linked |= std::uint32_t{all} << d;
    step *= graph.dims[d];
  }
  return linked;
}

// Number of nodes at each router if it is the same for all routers, and their ranks are successive;
// else 1.
std::uint32_t nodes_per_router(const Graph& graph) {
  const auto router = [&](std::uint32_t rank) {
    return graph.links[graph.out_link[graph.blocks[rank].first_out]].dst_block;
  };
  if (!graph.has_routers()) return 1;
  std::uint32_t nodes = 1;
  while (nodes < graph.nodes && router(nodes) == router(0)) ++nodes;
  if (graph.nodes % nodes != 0) return 1;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const std::uint32_t first = rank / nodes * nodes;
    if (router(rank) != router(first) || (first != 0 && router(first) == router(first - 1))) {
      return 1;
    }
  }
  return nodes;
}

}  // namespace

Boards::Boards(const Graph& graph)
    : mains(graph.mains),
      aggregators(graph.aggregators),
      // In networks of boards the first dimension counts the units of a board.
      dims(graph.dims.begin() + (graph.aggregators != 0 ? 1 : 0), graph.dims.end()),
      grid(graph.is_grid()),
      linked(graph.aggregators != 0 ? 0 : linked_dims(graph)),
      per_router(graph.aggregators != 0 ? 1 : nodes_per_router(graph)) {
  for (const std::uint32_t size : dims) count *= size;
}

std::uint32_t Boards::step(std::size_t dim) const {
  return std::accumulate(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(dim), 1u,
                         std::multiplies<>());
}

std::uint32_t Boards::coordinate(std::uint32_t board, std::size_t dim) const {
  return board / step(dim) % dims[dim];
}

std::uint32_t Boards::steps() const {
  std::uint32_t bits = 0;
  for (const std::uint32_t size : dims) bits += std::bit_width(size - 1);
  return 2 * bits;
}

std::uint32_t Boards::links(std::size_t dim) const {
  const std::uint32_t each_way = aggregators == 0 ? 1 : dim == 0 ? aggregators : mains;
  return dims[dim] == 1 ? 0 : dims[dim] == 2 ? 2 * each_way : each_way;
}

weft_connections Boards::table(std::uint32_t rank) const {
  weft_connections table = {.mains = mains,
                            .aggregators = aggregators,
                            .unit = rank % units(),
                            .dim_count = static_cast<std::uint32_t>(dims.size()),
                            .dims = {},
                            .grid = grid,
                            .linked = linked,
                            .per_router = per_router};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    table.dims[d] = {.size = dims[d],
                     .coordinate = coordinate(rank / units(), d),
                     .rank_step = step(d) * units(),
                     .links = links(d)};
  }
  return table;
}

std::uint32_t transit_flits(const ArrayConfig& array, const Boards& boards) {
  if (array.transit != Transit::kStoreAndForward) return 0;
  // A main unit's share of half of each part, rounded up three times.
  const auto share = [](std::uint32_t flits, std::uint32_t of) { return (flits + of - 1) / of; };
  return boards.aggregators *
         share(share(share(array.flits(), boards.aggregators), 2), boards.mains);
}

weft_array_job array_job(const ArrayConfig& array, const Boards& boards, std::uint32_t rank) {
  return {.members = boards.members(),
          .segment_flits = ArrayConfig::kSegmentFlits,
          .op = static_cast<std::uint32_t>(array.op),
          .type = static_cast<std::uint32_t>(array.type),
          .order = array.order == BoardOrder::kBandwidth ? std::uint32_t{WEFT_ORDER_BANDWIDTH}
                                                         : std::uint32_t{WEFT_ORDER_ALPHABETICAL},
          .root = array.root,
          .chunks = array.chunks,
          .steps = array.steps,
          .transit_flits = transit_flits(array, boards),
          .in_order = 0,
          .at = boards.table(rank)};
}

}  // namespace weft
