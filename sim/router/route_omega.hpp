// Route unit of an omega network, model of rtl/router/route_omega.sv (rtl/README.md, route_omega;
// seed 001 table 1).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "sim/core/error.hpp"
#include "sim/router/route.hpp"

namespace weft {

/// Each stage takes one bit of the destination, the highest first. No state.
class RouteOmega {
 public:
  /// Ports that lead to neighbours.
  static unsigned links(const RouteConfig&) { return 2; }

  /// Throws ConfigError as RouteTree.
  explicit RouteOmega(const RouteConfig& config) : per_dest_(config.per_dest) {
    const std::uint32_t last = config.lasts.size() == 1 ? config.lasts[0] : 0;
    if (last == 0 || (last & (last + 1)) != 0 || last > low_mask(kWideAddrW)) {
      throw ConfigError("route_omega: accepted: one dimension whose size is a power of two, 2 to " +
                        std::to_string(1u << kWideAddrW));
    }
    if (config.num_local != 0 && config.num_local != 2) {
      throw ConfigError(
          fmt::format("route_omega: {} local ports, accepted: 0 or 2", config.num_local));
    }
    last_stage_ = static_cast<unsigned>(std::bit_width(last)) - 1;
  }

  /// Where a packet goes on that came to a switch of stage `own`, the first being 0.
  RouteOut route(std::uint32_t /*port*/, std::uint32_t own, std::uint32_t /*src*/,
                 std::uint32_t dst, bool /*other_way*/ = false) const {
    if (own >= last_stage_) return {2 + (dst & 1), VcSet::kAny};
    return {dst >> (last_stage_ - own) & 1, per_dest_ ? VcSet::kSame : VcSet::kAny};
  }

 private:
  unsigned last_stage_ = 0;
  bool per_dest_;
};

}  // namespace weft
