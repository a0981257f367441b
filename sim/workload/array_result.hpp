// What is told of a collective on arrays, beside what every run tells.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

namespace weft {

/// Flits over the links between the routers of boards, by what the links join.
struct BoardFlits {
  std::uint64_t on_board = 0;               ///< Units of a board.
  std::array<std::uint64_t, 4> along = {};  ///< Boards along W, X, Y and Z.
};

/// The array of an aggregation unit as it stands in its memory, elements as the type has them.
struct UnitArray {
  std::uint32_t rank = 0;
  std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>> elements;
};

}  // namespace weft
