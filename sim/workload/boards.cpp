// Boards of a collective on arrays.
#include "sim/workload/boards.hpp"

#include <bit>
#include <functional>
#include <numeric>

namespace weft {

Boards::Boards(const Graph& graph)
    : mains(graph.mains),
      aggregators(graph.aggregators),
      // In networks of boards the first dimension counts the units of a board.
      dims(graph.dims.begin() + (graph.aggregators != 0 ? 1 : 0), graph.dims.end()),
      grid(graph.is_grid()) {
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
                            .grid = grid};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    table.dims[d] = {.size = dims[d],
                     .coordinate = coordinate(rank / units(), d),
                     .rank_step = step(d) * units(),
                     .links = links(d)};
  }
  return table;
}

std::uint32_t transit_flits(const ArrayConfig& array, const Boards& boards) {
  if (array.transit != "store_and_forward") return 0;
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
          .order = array.order == "bandwidth" ? std::uint32_t{WEFT_ORDER_BANDWIDTH}
                                              : std::uint32_t{WEFT_ORDER_ALPHABETICAL},
          .root = array.root,
          .chunks = array.chunks,
          .steps = array.steps,
          .transit_flits = transit_flits(array, boards),
          .in_order = 0,
          .at = boards.table(rank)};
}

}  // namespace weft
