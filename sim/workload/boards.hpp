// Boards as a collective on arrays sees them, and what it tells the units of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sw/include/weft_hal.h"

namespace weft {

/// Boards of a network (seed 003), in a grid of `dims`; any other network is one of boards with
/// one member and nothing else. Members are the main units, board by board.
struct Boards {
  std::uint32_t mains = 1, aggregators = 0;
  std::vector<std::uint32_t> dims;  ///< Boards along each dimension: W, X, Y, Z.
  std::uint32_t count = 1;          ///< Of boards.

  explicit Boards(const Graph& graph);
  std::uint32_t units() const { return mains + aggregators; }
  std::uint32_t members() const { return mains * count; }
  bool is_main(std::uint32_t rank) const { return rank % units() < mains; }
  /// Of a main unit.
  std::uint32_t member(std::uint32_t rank) const { return rank / units() * mains + rank % units(); }
  std::uint32_t coordinate(std::uint32_t board, std::size_t dim) const;
  /// From one board to the next along a dimension, in boards.
  std::uint32_t step(std::size_t dim) const;
  /// Links that lead along a dimension from a board to a neighbour: struct weft_dimension.
  std::uint32_t links(std::size_t dim) const;
  /// Steps between boards of halving and doubling over all dimensions, both together.
  std::uint32_t steps() const;
  /// Connection table of a rank.
  weft_connections table(std::uint32_t rank) const;
};

/// Flits that a main unit's share of what the aggregation units of its board send, or take, in a
/// step between boards has at most; 0 if the steps do not go through its memory.
std::uint32_t transit_flits(const ArrayConfig& array, const Boards& boards);

/// What a rank is told of a collective on arrays beside its job.
weft_array_job array_job(const ArrayConfig& array, const Boards& boards, std::uint32_t rank);

}  // namespace weft
