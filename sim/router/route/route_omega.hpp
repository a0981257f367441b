// Route unit of an omega network, model of rtl/router/weft_route_omega.sv (rtl/router/README.md,
// route_omega; seed 001 table 1).
#pragma once

#include <cstdint>

#include "sim/router/route/route_stages.hpp"

namespace weft {

/// Each stage routes by one bit of the destination, the highest first. No state.
class RouteOmega {
 public:
  static constexpr const char* kBlock = "route_omega";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {.phases = 1};
  /// Number of ports to neighbours.
  static unsigned links(const RouteConfig&) { return 2; }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) { return common_params(config); }

  /// Throws ConfigError as stage_bits.
  explicit RouteOmega(const RouteConfig& config)
      : last_stage_(stage_bits("route_omega", config) - 1), per_dest_(config.per_dest) {}

  /// Route of a packet at a switch of stage `own`; the first stage is 0.
  RouteOut route(std::uint32_t /*port*/, std::uint32_t own, std::uint32_t /*src*/,
                 std::uint32_t dst, bool /*other_way*/ = false) const {
    if (own >= last_stage_) return {2 + (dst & 1), VcSet::kAny};
    return {dst >> (last_stage_ - own) & 1, per_dest_ ? VcSet::kSame : VcSet::kAny};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const { return set_mask(per_dest_ ? VcSet::kSame : VcSet::kAny); }

  /// As RouteUnit::inverted.
  Inverted inverted(std::uint32_t own, std::uint32_t bits) const {
    return {own, bits >> (own >= last_stage_ ? 0 : last_stage_ - own) & 1};
  }

 private:
  unsigned last_stage_;
  bool per_dest_;
};

}  // namespace weft
