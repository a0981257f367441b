// Shared by the benches of the route units: networks, random headers, and the comparison of a route
// unit's outputs for them.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>
#include <vector>

#include "sim/router/route/route_unit.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// Networks of a bench of a mesh or torus: one to eight dimensions, sizes 1 and 2, odd and even,
/// one to four local ports.
inline std::vector<RouteConfig> route_points() {
  struct Point {
    std::vector<std::uint32_t> max_coords;
    unsigned num_local;
    DatelineRule dateline;
    bool per_dest;
  };
  using enum DatelineRule;
  const Point points[] = {
      {{7}, 1, kFixed, false},
      {{4}, 2, kBalanced, false},
      {{0}, 1, kFixed, false},
      {{1}, 4, kBalanced, false},
      {{3, 3}, 1, kFixed, false},
      {{4, 2}, 2, kFixed, false},
      {{3, 3}, 4, kBalanced, false},
      {{4, 4}, 1, kFixed, true},
      {{2, 3, 4}, 1, kBalanced, false},
      {{7, 0, 5}, 2, kFixed, false},
      {{1, 1, 1}, 3, kFixed, true},
      {{31, 31}, 1, kBalanced, false},
      {{255, 254}, 4, kFixed, false},
      {{3, 2, 1, 3, 2, 1, 3, 2}, 1, kBalanced, false},
      {{1023, 1022}, 2, kBalanced, false},
      {{5}, 1, kCrossing, false},
      {{6, 3}, 2, kCrossing, false},
      {{1, 2, 1022}, 1, kCrossing, false},
  };
  std::vector<RouteConfig> configs;
  for (const Point& point : points) {
    RouteConfig& config = configs.emplace_back();
    config.max_coords = point.max_coords;
    config.num_local = point.num_local;
    config.dateline = point.dateline;
    config.per_dest = point.per_dest;
  }
  return configs;
}

/// A value for each dimension as one literal, kDigitParamW bits each, dimension 0 lowest.
inline RtlValue digits_literal(const std::vector<std::uint32_t>& figures) {
  std::string digits;
  for (const std::uint32_t figure : figures)
    digits = fmt::format("{:0{}x}", figure, kDigitParamW / 4) + digits;
  return RtlValue(fmt::format("{}'h{}", kDigitParamW * figures.size(), digits));
}

/// A parameter of one bit.
inline RtlValue bit_literal(bool value) {
  return RtlValue(value ? "1'b1" : "1'b0");
}

/// Parameters of `config` that the units by digits have.
inline Params route_params(const RouteConfig& config) {
  return {{"NumDims", config.max_coords.size()},
          {"MaxCoords", digits_literal(config.max_coords)},
          {"NumLocal", config.num_local},
          {"PerDest", bit_literal(config.per_dest)}};
}

/// Width of addresses at the ports of a route unit here: more than any network needs.
inline constexpr unsigned kUnitAddrW = 24;

/// Bits of all digits of an address.
inline unsigned digit_bits(const RouteConfig& config) {
  unsigned bits = 0;
  for (const std::uint32_t last : config.max_coords)
    bits += static_cast<unsigned>(std::bit_width(last));
  return bits;
}

/// Width of addresses at the ports of a route unit: kUnitAddrW; if digits take all bits of the
/// widest address, those bits and none above.
inline unsigned unit_addr_w(const RouteConfig& config) {
  return digit_bits(config) == kMaxAddrW ? kMaxAddrW : kUnitAddrW;
}

/// Parameters of a unit by itself.
inline Params unit_params(const RouteConfig& config) {
  Params params = route_params(config);
  params.emplace_back("AddrW", unit_addr_w(config));
  return params;
}

/// Headers and the routers at which they arrive; a router's address is that of its node.
class NodeHeaders {
 public:
  NodeHeaders(RandomStream& random, const RouteConfig& config)
      : random_(&random),
        max_coords_(config.max_coords),
        addr_w_(unit_addr_w(config)),
        bits_(digit_bits(config)) {}

  /// An address of the network, under bits that belong to no digit.
  std::uint32_t address() const {
    std::uint64_t value = random_->below(std::uint64_t{1} << (addr_w_ - bits_));
    for (std::size_t d = max_coords_.size(); d-- > 0;) {
      value = value << std::bit_width(max_coords_[d]) | random_->below(max_coords_[d] + 1);
    }
    return static_cast<std::uint32_t>(value);
  }
  /// A router.
  std::uint32_t router() const { return address(); }
  /// Destinations near the router `here`: those differ in the higher dimensions only, or not at
  /// all.
  std::uint32_t near(std::uint32_t here, std::uint32_t dst) const {
    const auto kept = static_cast<std::uint32_t>(low_mask(random_->below(addr_w_ + 1)));
    return (dst & ~kept) | (here & kept);
  }

 private:
  RandomStream* random_;
  std::vector<std::uint32_t> max_coords_;
  unsigned addr_w_, bits_;
};

/// Compares both outputs for random packets at random routers until the point's cycles are over.
template <class Route, class Headers = NodeHeaders>
void compare_routes(Bench& bench, RtlInstance& rtl, const RouteConfig& config) {
  constexpr RouteKind kKind = RouteUnit::kind_of<Route>();
  const unsigned addr_w = unit_addr_w(config);
  const RouteUnit::PortConfig shape{kKind, config, addr_w};
  auto rtl_ports = bench.ports<RouteUnit>(rtl, shape);
  const Route model(config);
  const Headers headers(bench.random, config);
  const std::uint64_t ports = Route::links(config) + config.num_local;
  for (; bench.running(); bench.next()) {
    // The other lines of a link are arbitrary beside a header.
    const bool any = bench.random.below(16) == 0;
    auto value = [&] {
      return any ? static_cast<std::uint32_t>(bench.random.below(1u << addr_w)) : headers.address();
    };
    const auto port = bench.random.below(any ? std::uint64_t{1} << shape.port_w() : ports);
    RouteUnit::In in{static_cast<std::uint32_t>(port), headers.router(), value(), value(),
                     bench.random.below(2) != 0};
    if (!any && bench.random.chance(0.5)) in.dst = headers.near(in.own, in.dst);
    in.reverse = bench.random.chance(0.5);
    const RouteOut route = [&] {
      if constexpr (requires { model.route(0, 0, 0, 0, false, in.reverse); }) {
        return model.route(in.port, in.own, in.src, in.dst, in.other_way, in.reverse);
      } else {
        return model.route(in.port, in.own, in.src, in.dst, in.other_way);
      }
    }();
    rtl_ports.drive(in);
    rtl.eval();
    bench.equal(rtl_ports, route);
    bench.transferred();
  }
}

}  // namespace weft::tb
