// Shared by the route units of multistage networks of 2 x 2 switches.
#pragma once

#include <fmt/format.h>

#include <bit>

#include "sim/base/error.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// Bits of a node's number. Throws ConfigError unless there is one dimension, its size is a power
/// of two and at least 2, and there are 0 or 2 local ports.
inline unsigned stage_bits(const char* block, const RouteConfig& config) {
  const std::uint32_t max_coord = config.max_coords.size() == 1 ? config.max_coords[0] : 0;
  if (max_coord == 0 || (max_coord & (max_coord + 1)) != 0 || max_coord > low_mask(kMaxAddrW)) {
    throw ConfigError(
        fmt::format("{}: expected: one dimension whose size is a power of two, 2 to {}", block,
                    1u << kMaxAddrW));
  }
  if (config.num_local != 0 && config.num_local != 2) {
    throw ConfigError(fmt::format("{}: {} local ports, expected: 0 or 2", block, config.num_local));
  }
  return static_cast<unsigned>(std::bit_width(max_coord));
}

}  // namespace weft
