// Route unit of a binary fat tree, model of rtl/router/route_tree.sv (rtl/README.md, route_tree;
// seed 001 table 1).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "sim/core/error.hpp"
#include "sim/router/route.hpp"

namespace weft {

/// Up as far as the lowest switch above the destination, then down. No state.
class RouteTree {
 public:
  /// Ports that lead to neighbours: two up, and two down but in the switches that nodes hang on.
  static unsigned links(const RouteConfig& config) { return 4 - config.num_local; }

  /// Throws ConfigError where there is not one dimension whose size is a power of two, 2 or more,
  /// or not 0 or 2 local ports.
  explicit RouteTree(const RouteConfig& config) : per_dest_(config.per_dest) {
    const std::uint32_t last = config.lasts.size() == 1 ? config.lasts[0] : 0;
    if (last == 0 || (last & (last + 1)) != 0 || last > low_mask(kWideAddrW)) {
      throw ConfigError("route_tree: accepted: one dimension whose size is a power of two, 2 to " +
                        std::to_string(1u << kWideAddrW));
    }
    if (config.num_local != 0 && config.num_local != 2) {
      throw ConfigError(
          fmt::format("route_tree: {} local ports, accepted: 0 or 2", config.num_local));
    }
    place_w_ = static_cast<unsigned>(std::bit_width(last)) - 1;
  }

  /// Where a packet goes on that came to switch `own`: its place in its level, and above that the
  /// level, 1 next to the nodes.
  RouteOut route(std::uint32_t /*port*/, std::uint32_t own, std::uint32_t /*src*/,
                 std::uint32_t dst, bool /*other_way*/ = false) const {
    const std::uint32_t below = (own >> place_w_) - 1, place = own & low(place_w_);
    const std::uint32_t child = dst >> below & 1;
    const VcSet set = per_dest_ ? VcSet::kSame : VcSet::kAny;
    if ((dst & low(place_w_ + 1)) >> 1 >> below != place >> below) return {child, set};
    return {2 + child, below == 0 ? VcSet::kAny : set};
  }

 private:
  static std::uint32_t low(unsigned width) { return static_cast<std::uint32_t>(low_mask(width)); }

  unsigned place_w_ = 0;  // Bits of a place within a level.
  bool per_dest_;
};

}  // namespace weft
