// A node drawn for a packet, model of rtl/router/weft_route_waypoint.sv (rtl/router/README.md,
// route_waypoint; Valiant 1982).
#pragma once

#include <cstdint>

#include "sim/router/route/route_digits.hpp"

namespace weft {

/// The node that a packet goes to first, drawn by its stamp and its source. No state.
class RouteWaypoint {
 public:
  static constexpr const char* kBlock = "route_waypoint";  ///< Name as in rtl/.

  struct In {
    std::uint32_t stamp = 0;  ///< Stamp of the packet, `kStampW` bits.
    std::uint32_t src = 0;    ///< Address of its source.
  };
  struct Out {
    std::uint32_t waypoint = 0;  ///< Address of a node.

    bool operator==(const Out&) const = default;
  };
  struct PortConfig {
    RouteConfig config = {};
    unsigned addr_w = kAddrW;  ///< Width of an address in a packet, bits.
  };
  static constexpr auto ports();  // sim/router/route/route_waypoint_ports.hpp

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) {
    return {{"MaxCoords", digits_literal(config.max_coords)},
            {"NumDims", std::to_string(config.max_coords.size())}};
  }

  /// Most values of a digit: the products take 32 bits.
  static constexpr std::uint32_t kMostSize = 1u << 16;

  /// Uses only `max_coords`. Throws ConfigError as RouteDigits, and for a digit of more values.
  explicit RouteWaypoint(const RouteConfig& config)
      : digits_("route_waypoint", config.max_coords), max_coords_(config.max_coords) {
    for (const std::uint32_t most : max_coords_) {
      if (most < kMostSize) continue;
      throw ConfigError(fmt::format("route_waypoint: a dimension of {}, expected: {} or less",
                                    most + std::uint64_t{1}, kMostSize));
    }
  }

  explicit RouteWaypoint(const PortConfig& shape) : RouteWaypoint(shape.config) {}

  Out eval(const In& in) const {
    constexpr auto kLow = static_cast<std::uint32_t>(low_mask(16));
    std::uint32_t x = (in.stamp << 16 | (in.src & kLow)) ^ in.src >> 16;
    Out out;
    for (unsigned d = 0; d < digits_.num_dims(); ++d) {
      x = mix(x);
      out.waypoint |= ((x >> 16) * (max_coords_[d] + 1) >> 16) << digits_.shift(d);
    }
    return out;
  }

 private:
  static std::uint32_t mix(std::uint32_t x) {
    x += x << 10;
    x ^= x >> 6;
    x += x << 3;
    x ^= x >> 11;
    x += x << 15;
    return x;
  }

  RouteDigits digits_;
  std::vector<std::uint32_t> max_coords_;
};

}  // namespace weft
