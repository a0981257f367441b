// Blocks of a fabric that are stepped together.
#pragma once

#include <cstdint>

namespace weft {

/// A range of blocks that one thread steps.
struct BlockRange {
  std::uint32_t first_node = 0, end_node = 0;
  std::uint32_t first_block = 0, end_block = 0;  ///< Switching blocks.
};

}  // namespace weft
