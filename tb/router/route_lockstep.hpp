// What the benches of the dimension-order route units share: networks, and the comparison of a
// route unit's outputs for random headers.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/router/route_torus.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// Networks of a bench: one to eight dimensions, sizes 1 and 2, odd and even, one to four local
/// ports.
inline std::vector<RouteConfig> route_points() {
  return {
      {{7}, 1, false, false},        {{4}, 2, true, false},
      {{0}, 1, false, false},        {{1}, 4, true, false},
      {{3, 3}, 1, false, false},     {{4, 2}, 2, false, false},
      {{3, 3}, 4, true, false},      {{4, 4}, 1, false, true},
      {{2, 3, 4}, 1, true, false},   {{7, 0, 5}, 2, false, false},
      {{1, 1, 1}, 3, false, true},   {{31, 31}, 1, true, false},
      {{255, 254}, 4, false, false}, {{3, 2, 1, 3, 2, 1, 3, 2}, 1, true, false},
  };
}

/// Parameters of `config` that mesh and torus have.
inline Params route_params(const RouteConfig& config) {
  std::string lasts;
  for (const std::uint32_t last : config.lasts) lasts = fmt::format("{:04x}", last) + lasts;
  return {{"NumDims", config.lasts.size()},
          {"Lasts", RtlValue(fmt::format("{}'h{}", 16 * config.lasts.size(), lasts))},
          {"NumLocal", config.num_local},
          {"PerDest", RtlValue(config.per_dest ? "1'b1" : "1'b0")}};
}

/// Compares both outputs for random packets at random routers until the point's cycles are over.
template <class Route>
void compare_routes(Bench& bench, RtlInstance& rtl, const RouteConfig& config) {
  RtlPort port = rtl.port("port_i"), own = rtl.port("own_i"), src = rtl.port("src_i"),
          dst = rtl.port("dst_i");
  const RtlPort out = rtl.port("port_o"), set = rtl.port("set_o");
  constexpr bool kRings = std::is_same_v<Route, RouteTorus>;
  RtlPort other_way_port;
  if constexpr (kRings) other_way_port = rtl.port("other_way_i");
  const Route model(config);
  const std::uint64_t ports = 2 * config.lasts.size() + config.num_local;
  unsigned bits = 0;
  for (const std::uint32_t last : config.lasts) bits += static_cast<unsigned>(std::bit_width(last));
  // An address of the network, under bits that belong to no digit.
  auto address = [&] {
    std::uint64_t value = bench.random.below(std::uint64_t{1} << (kAddrW - bits));
    for (std::size_t d = config.lasts.size(); d-- > 0;) {
      value = value << std::bit_width(config.lasts[d]) | bench.random.below(config.lasts[d] + 1);
    }
    return static_cast<std::uint32_t>(value);
  };
  for (; bench.running(); bench.next()) {
    // What stands on a link beside a header may be anything.
    const bool any = bench.random.below(16) == 0;
    auto value = [&] {
      return any ? static_cast<std::uint32_t>(bench.random.below(65536)) : address();
    };
    const auto in_port = static_cast<std::uint32_t>(bench.random.below(ports));
    const std::uint32_t here = address(), from = value();
    std::uint32_t to = value();
    // Near their destination packets differ in the higher dimensions only, or not at all.
    if (!any && bench.random.chance(0.5)) {
      const auto kept = static_cast<std::uint32_t>(low_mask(bench.random.below(kAddrW + 1)));
      to = (to & ~kept) | (here & kept);
    }
    port.set(in_port);
    own.set(here);
    src.set(from);
    dst.set(to);
    RouteOut route;
    if constexpr (kRings) {
      const bool other_way = bench.random.below(2) != 0;
      other_way_port.set(other_way);
      route = model.route(in_port, here, from, to, other_way);
    } else {
      route = model.route(in_port, here, from, to);
    }
    rtl.eval();
    bench.equal("port_o", out.get(), route.port);
    bench.equal("set_o", set.get(), static_cast<std::uint64_t>(route.set));
    bench.transferred();
  }
}

}  // namespace weft::tb
