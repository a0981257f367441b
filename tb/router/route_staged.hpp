// Shared by the benches of the route units of staged networks.
#pragma once

#include <vector>

#include "tb/router/route_lockstep.hpp"

namespace weft::tb {

/// Networks of 2 to 2^`most` nodes, switches with and without local ports.
inline std::vector<RouteConfig> staged_points(unsigned most) {
  std::vector<RouteConfig> points;
  const auto add = [&](unsigned levels, unsigned num_local, bool per_dest) {
    RouteConfig config;
    config.max_coords = {(1u << levels) - 1};
    config.num_local = num_local;
    config.per_dest = per_dest;
    points.push_back(config);
  };
  add(4, 0, false);
  add(4, 2, true);
  add(3, 0, true);
  add(1, 2, false);
  add(10, 0, false);
  add(most, 2, false);
  add(most, 0, true);
  return points;
}

/// Runs the bench of a route unit over these points.
template <class Route, class Headers>
int staged_bench(int argc, char** argv, const char* block, unsigned most) {
  return bench_main(argc, argv, block, [&](Bench& bench) {
    const auto points = staged_points(most);
    for (const RouteConfig& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"MaxCoords", digits_literal(config.max_coords)},
                                     {"AddrW", unit_addr_w(config)},
                                     {"NumLocal", config.num_local},
                                     {"PerDest", bit_literal(config.per_dest)}},
                                    static_cast<unsigned>(points.size()));
      compare_routes<Route, Headers>(bench, rtl, config);
    }
  });
}

}  // namespace weft::tb
