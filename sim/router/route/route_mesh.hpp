// Route unit of a mesh, model of rtl/router/weft_route_mesh.sv (rtl/router/README.md, route_mesh;
// seed 004 [2.1]).
#pragma once

#include <cstdint>

#include "sim/router/route/route_digits.hpp"

namespace weft {

/// Dimension order, the lowest dimension first. No state; `RouteConfig::dateline` has no effect.
class RouteMesh {
 public:
  static constexpr const char* kBlock = "route_mesh";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {
      .dimension_order = true, .by_dimension = true, .phases = 1};
  /// Number of ports to neighbours.
  static unsigned links(const RouteConfig& config) {
    return 2 * static_cast<unsigned>(config.max_coords.size());
  }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) { return digit_params(config); }

  /// Throws ConfigError as RouteDigits.
  explicit RouteMesh(const RouteConfig& config)
      : digits_("route_mesh", config, links(config)),
        set_(config.per_dest ? VcSet::kSame : VcSet::kAny) {}

  /// Route of a packet at router `own` that arrived on in-port `port`. `reverse`: the highest
  /// dimension first.
  RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t /*src*/, std::uint32_t dst,
                 bool /*other_way*/ = false, bool reverse = false) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {digits_.local_port(port), VcSet::kAny};
    const unsigned dim = reverse ? digits_.last(bits) : digits_.first(bits);
    const bool down = digits_.digit(dst, dim) < digits_.digit(own, dim);
    return {2 * dim + (down ? 1 : 0), set_};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const { return set_mask(set_); }

  /// Route as of `route`, with the number of following routers for which it is the same.
  RouteOn route_on(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                   bool other_way = false) const {
    const RouteOut out = route(port, own, src, dst, other_way);
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {out, 0};
    const unsigned dim = digits_.first(bits);
    const std::uint32_t x = digits_.digit(own, dim), t = digits_.digit(dst, dim);
    return {out, (t > x ? t - x : x - t) - 1};
  }

 private:
  RouteDigits digits_;
  VcSet set_;
};

}  // namespace weft
