// Lockstep bench of the VC sets of classes.
#include "sim/router/route/route_class.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_class", [](tb::Bench& bench) {
    for (unsigned num_vc = 2; num_vc <= kNumberedVcs; num_vc += 2) {
      RtlInstance rtl = bench.point({{"NumVc", num_vc}}, kNumberedVcs / 2);
      const RouteClass::Config config{num_vc};
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
