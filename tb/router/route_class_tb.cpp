// Lockstep bench of the VC sets of classes.
#include "sim/router/route/route_class.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_class", [](tb::Bench& bench) {
    const RouteClass::Config points[] = {{2}, {4}, {6}, {8}, {4, 1}, {8, 2}, {8, 3}};
    for (const RouteClass::Config& config : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"NumVc", config.num_vc}, {"LowVc", config.low_vc}}, std::size(points));
      auto rtl_ports = bench.ports<RouteClass>(rtl, config);
      const RouteClass model(config);
      for (; bench.running(); bench.next()) {
        const RouteClass::In in{
            bench.random.chance(0.5), static_cast<VcSet>(bench.random.below(kVcSets)),
            static_cast<std::uint32_t>(bench.random.below(1u << RouteClass::kStampBits))};
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.eval(in));
        bench.transferred();
      }
    }
  });
}
