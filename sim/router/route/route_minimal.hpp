// Ports on shortest paths of a mesh or torus, model of rtl/router/weft_route_minimal.sv
// (rtl/router/README.md, route_minimal).
#pragma once

#include <cstdint>

#include "sim/router/route/ring.hpp"
#include "sim/router/route/route_digits.hpp"

namespace weft {

/// All ports by which a packet comes nearer to its destination. No state.
class RouteMinimal {
 public:
  static constexpr const char* kBlock = "route_minimal";  ///< Name as in rtl/.

  struct In {
    std::uint32_t own = 0, dst = 0;  ///< Addresses of the router and of the destination.
  };
  struct Out {
    std::uint32_t mask = 0;  ///< Ports to neighbours, one bit each.

    bool operator==(const Out&) const = default;
  };
  struct PortConfig {
    RouteConfig config = {};
    bool wrap = false;         ///< Torus; else mesh.
    unsigned addr_w = kAddrW;  ///< Width of an address in a packet, bits.

    unsigned links() const { return 2 * static_cast<unsigned>(config.max_coords.size()); }
  };
  static constexpr auto ports();  // sim/router/route/route_minimal_ports.hpp

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config, bool wrap) {
    return {{"MaxCoords", digits_literal(config.max_coords)},
            {"NumDims", std::to_string(config.max_coords.size())},
            {"Wrap", bit_literal(wrap)}};
  }

  /// Uses only `max_coords`; `wrap`: dimensions are rings. Throws ConfigError as RouteDigits.
  RouteMinimal(const RouteConfig& config, bool wrap)
      : digits_("route_minimal", config.max_coords), max_coords_(config.max_coords), wrap_(wrap) {}

  explicit RouteMinimal(const PortConfig& shape) : RouteMinimal(shape.config, shape.wrap) {}

  Out eval(const In& in) const {
    Out out;
    for (unsigned d = 0; d < digits_.num_dims(); ++d) {
      const std::uint32_t x = digits_.digit(in.own, d), t = digits_.digit(in.dst, d);
      if (x == t) continue;
      bool up = t > x, down = t < x;
      if (wrap_) {
        const std::uint32_t size = max_coords_[d] + 1, twice = 2 * steps_up(size, x, t);
        up = twice <= size;
        down = twice >= size;
      }
      out.mask |= ((up ? 1u : 0u) | (down ? 2u : 0u)) << 2 * d;
    }
    return out;
  }

 private:
  RouteDigits digits_;
  std::vector<std::uint32_t> max_coords_;
  bool wrap_;
};

}  // namespace weft
