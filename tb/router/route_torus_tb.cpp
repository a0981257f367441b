// Lockstep bench of the torus' route unit.
#include "sim/router/route/route_torus.hpp"
#include "tb/router/route_lockstep.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_torus", [](tb::Bench& bench) {
    const auto points = tb::route_points();
    for (const RouteConfig& config : bench.order(points)) {
      tb::Params params = tb::unit_params(config);
      params.emplace_back("Dateline", static_cast<unsigned>(config.dateline));
      RtlInstance rtl = bench.point(params, static_cast<unsigned>(points.size()));
      tb::compare_routes<RouteTorus>(bench, rtl, config);
    }
  });
}
