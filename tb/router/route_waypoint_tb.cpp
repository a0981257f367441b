// Lockstep bench of the unit that draws waypoints.
#include "sim/router/route/route_waypoint.hpp"
#include "tb/router/route_lockstep.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_waypoint", [](tb::Bench& bench) {
    // One to eight dimensions of sizes 1 to 2^16, powers of two and not, up to 20 address bits.
    const std::vector<std::uint32_t> points[] = {
        {4},           {7, 30},           {0},
        {65535},       {33000, 6},        {3, 3, 0, 10},
        {15, 65535},   {255, 254},        {1, 1, 65535},
        {7, 1, 65535}, {15, 0, 0, 65535}, {1, 2, 0, 3, 1, 1, 0, 1}};
    for (const auto& max_coords : bench.order(points)) {
      RouteConfig config;
      config.max_coords = max_coords;
      const unsigned addr_w = tb::unit_addr_w(config);
      RtlInstance rtl = bench.point({{"NumDims", max_coords.size()},
                                     {"MaxCoords", tb::digits_literal(max_coords)},
                                     {"AddrW", addr_w}},
                                    std::size(points));
      auto rtl_ports = bench.ports<RouteWaypoint>(rtl, RouteWaypoint::PortConfig{config, addr_w});
      const RouteWaypoint model(config);
      for (; bench.running(); bench.next()) {
        const RouteWaypoint::In in{static_cast<std::uint32_t>(bench.random.below(1u << kStampW)),
                                   static_cast<std::uint32_t>(bench.random.below(1u << addr_w))};
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.eval(in));
        bench.transferred();
      }
    }
  });
}
