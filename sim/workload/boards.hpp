// Boards of a collective on arrays, and the connection tables and jobs of their units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sw/include/weft_hal.h"

namespace weft {

/// Boards of a network (seed 003), in a grid of `dims`; in any other network every node is a board
/// with one member. Members are the main units, board by board.
struct Boards {
  std::uint32_t mains = 1, aggregators = 0;
  std::vector<std::uint32_t> dims;  ///< Number of boards along each dimension: W, X, Y, Z.
  std::uint32_t count = 1;          ///< Number of boards.
  bool grid = false;                ///< As in weft_connections.
  std::uint32_t linked = 0;         ///< `linked` and `per_router`: as in weft_connections.
  std::uint32_t per_router = 1;

  explicit Boards(const Graph& graph);
  std::uint32_t units() const { return mains + aggregators; }
  std::uint32_t members() const { return mains * count; }
  bool is_main(std::uint32_t rank) const { return rank % units() < mains; }
  /// Member number of main unit `rank`.
  std::uint32_t member(std::uint32_t rank) const { return rank / units() * mains + rank % units(); }
  /// Rank of member `member`.
  std::uint32_t rank(std::uint32_t member) const {
    return member / mains * units() + member % mains;
  }
  std::uint32_t coordinate(std::uint32_t board, std::size_t dim) const;
  /// Difference in board number between neighbours along a dimension.
  std::uint32_t step(std::size_t dim) const;
  /// Number of links from a board to a neighbour along a dimension (weft_dimension).
  std::uint32_t links(std::size_t dim) const;
  /// Number of steps between boards for halving and doubling together, over all dimensions.
  std::uint32_t steps() const;
  /// Connection table of a rank.
  weft_connections table(std::uint32_t rank) const;
};

/// Most flits of a main unit's share of the data that the aggregation units of its board send or
/// receive in a step between boards; 0 if the data do not pass through its memory.
std::uint32_t transit_flits(const ArrayConfig& array, const Boards& boards);

/// The parameters of a rank for a collective on arrays, besides its job.
weft_array_job array_job(const ArrayConfig& array, const Boards& boards, std::uint32_t rank);

}  // namespace weft
