// Route unit of system boards, model of rtl/router/weft_route_board.sv (rtl/router/README.md,
// route_board; seed 003: main units and aggregation units).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/router/route/ring.hpp"
#include "sim/router/route/route_digits.hpp"

namespace weft {

/// The rings X, Y, Z connect mains, the ring W connects aggregators, and on each board a link
/// connects each main to each aggregator. No state.
class RouteBoard {
 public:
  static constexpr const char* kBlock = "route_board";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {.by_dimension = true, .by_port = true};
  static constexpr unsigned kDims = 5;        ///< Unit, W, X, Y, Z.
  static constexpr unsigned kMainRings = 6;   ///< Ports of a main along X, Y, Z.
  static constexpr unsigned kBoardRings = 2;  ///< Ports of an aggregator along W.

  /// Number of ports to neighbours: to the units of the other kind, then along rings.
  static unsigned links(const RouteConfig& config) {
    if (!config.is_main) return config.mains + kBoardRings;
    return (config.max_coords.empty() ? 0 : config.max_coords[0] + 1 - config.mains) + kMainRings;
  }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) {
    auto params = common_params(config);
    params.emplace_back("Mains", std::to_string(config.mains));
    params.emplace_back("IsMain", bit_literal(config.is_main));
    return params;
  }

  /// Throws ConfigError as RouteDigits, for other than five dimensions, and for boards without
  /// mains or without aggregators.
  explicit RouteBoard(const RouteConfig& config)
      : digits_("route_board", config, links(config)),
        links_(links(config)),
        num_local_(config.num_local),
        mains_(config.mains),
        is_main_(config.is_main),
        per_dest_(config.per_dest) {
    if (digits_.num_dims() != kDims) {
      throw ConfigError(
          fmt::format("route_board: {} dimensions, expected: {}", digits_.num_dims(), kDims));
    }
    if (mains_ < 1 || mains_ > config.max_coords[0]) {
      throw ConfigError(fmt::format(
          "route_board: {} mains among {} units, expected: 1 or more, and an aggregator", mains_,
          config.max_coords[0] + 1));
    }
    aggregators_ = config.max_coords[0] + 1 - mains_;
    for (unsigned d = 0; d < kDims; ++d) size_[d] = config.max_coords[d] + 1;
    const unsigned rings = is_main_ ? aggregators_ : mains_;  // First port of the rings.
    for (unsigned port = 0, linked = 0; port < links_; ++port) {
      local_port_.push_back(links_ + linked % num_local_);
      if (port < rings || size_[(is_main_ ? kX : kW) + (port - rings) / 2] > 1) ++linked;
    }
  }

  /// Route of a packet at router `own` that arrived on in-port `port`. `other_way`: if both
  /// directions round a ring are equally long, the opposite of the default.
  RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                 bool other_way) const {
    RouteOut out = is_main_ ? at_main(port, own, src, dst, other_way)
                            : at_aggregator(port, own, src, dst, other_way);
    if (per_dest_ && out.port < links_) out.set = VcSet::kSame;
    return out;
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const {
    if (per_dest_) return set_mask(VcSet::kSame);
    return set_mask(VcSet::kLow, VcSet::kHigh);
  }

 private:
  static constexpr unsigned kUnit = 0, kW = 1, kX = 2;  // Dimensions; Y and Z follow.

  RouteOut at_main(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                   bool other_way) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {local_port(port), VcSet::kAny};
    const std::uint32_t grid = bits >> digits_.shift(kX) << digits_.shift(kX);
    if (grid != 0) {
      const unsigned dim = digits_.first(grid);
      return ring(dim, aggregators_ + 2 * (dim - kX), own, src, dst, other_way);
    }
    const std::uint32_t unit = digits_.digit(dst, kUnit);
    const std::uint32_t up = unit < mains_ ? (digits_.digit(src, kUnit) + unit) % aggregators_
                                           : std::min(unit - mains_, aggregators_ - 1);
    return {up, port >= links_ ? VcSet::kLow : VcSet::kHigh};
  }

  RouteOut at_aggregator(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                         std::uint32_t dst, bool other_way) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    const std::uint32_t unit = digits_.digit(dst, kUnit);
    const bool other_unit = unit != digits_.digit(own, kUnit);
    if (port >= links_) {
      const bool other_aggregator = other_unit && unit >= mains_;
      if (bits >> digits_.shift(kX) != 0 || other_aggregator) {
        const std::uint32_t index = digits_.digit(own, kUnit) - mains_;
        const std::uint32_t spread = (index * num_local_ + port - links_) % mains_;
        return {unit < mains_ ? unit : spread, VcSet::kLow};
      }
    }
    if (digits_.digit(own, kW) != digits_.digit(dst, kW)) {
      return ring(kW, mains_, own, src, dst, other_way);
    }
    if (!other_unit) return {local_port(port), VcSet::kAny};
    return {unit < mains_ ? unit : 0, VcSet::kHigh};
  }

  // Out-port of a packet at its destination.
  std::uint32_t local_port(std::uint32_t port) const {
    return port < links_ ? local_port_[port] : port;
  }

  // Route along a ring whose upward port is `first`.
  RouteOut ring(unsigned dim, std::uint32_t first, std::uint32_t own, std::uint32_t src,
                std::uint32_t dst, bool other_way) const {
    const std::uint32_t s = digits_.digit(src, dim), t = digits_.digit(dst, dim);
    const std::uint32_t twice = 2 * steps_up(size_[dim], s, t);
    const bool up_at_tie = (s % 2 == 0) != other_way;
    const bool up = twice < size_[dim] || (twice == size_[dim] && up_at_tie);
    return {first + (up ? 0 : 1), dateline_set(dateline(up, s, t, digits_.digit(own, dim)))};
  }

  RouteDigits digits_;
  unsigned links_, num_local_, mains_, aggregators_ = 0;
  std::array<std::uint32_t, kDims> size_ = {};
  std::vector<std::uint32_t> local_port_;  // By in-port from a neighbour: the local port.
  bool is_main_, per_dest_;
};

}  // namespace weft
