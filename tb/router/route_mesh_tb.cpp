// Lockstep bench of the mesh's route unit.
#include "sim/router/route/route_mesh.hpp"
#include "tb/router/route_lockstep.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_mesh", [](tb::Bench& bench) {
    const auto points = tb::route_points();
    for (const RouteConfig& config : bench.order(points)) {
      RtlInstance rtl = bench.point(tb::unit_params(config), static_cast<unsigned>(points.size()));
      tb::compare_routes<RouteMesh>(bench, rtl, config);
    }
  });
}
