// Results of a collective on arrays, in addition to those of every run.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

namespace weft {

/// Flits over the links between the routers of boards, by what the links connect.
struct BoardFlits {
  std::uint64_t on_board = 0;               ///< Over links between units of a board.
  std::array<std::uint64_t, 4> along = {};  ///< Over links between boards along W, X, Y and Z.
};

/// The array in an aggregation unit's memory, as elements of the configured type.
struct UnitArray {
  std::uint32_t rank = 0;
  std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>> elements;
};

}  // namespace weft
