// Lockstep bench of the unit of further ways.
#include "sim/router/route/route_minimal.hpp"
#include "tb/router/route_lockstep.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_minimal", [](tb::Bench& bench) {
    const auto points = tb::route_points();
    bool wrap = false;
    for (const RouteConfig& config : bench.order(points)) {
      wrap = !wrap;  // Every other network is a torus.
      RtlInstance rtl = bench.point({{"NumDims", config.max_coords.size()},
                                     {"MaxCoords", tb::digits_literal(config.max_coords)},
                                     {"Wrap", tb::bit_literal(wrap)},
                                     {"AddrW", tb::unit_addr_w(config)}},
                                    static_cast<unsigned>(points.size()));
      auto rtl_ports = bench.ports<RouteMinimal>(
          rtl, RouteMinimal::PortConfig{config, wrap, tb::unit_addr_w(config)});
      const RouteMinimal model(config, wrap);
      const tb::NodeHeaders headers(bench.random, config);
      for (; bench.running(); bench.next()) {
        RouteMinimal::In in{headers.router(), headers.address()};
        if (bench.random.chance(0.5)) in.dst = headers.near(in.own, in.dst);
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.eval(in));
        bench.transferred();
      }
    }
  });
}
