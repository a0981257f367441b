// Lockstep bench of the selection between the way by the waypoint and the direct way.
#include "sim/router/route/route_phase.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "route_phase", [](tb::Bench& bench) {
    const RoutePhase::Config points[] = {
        {.num_vc = 4, .num_links = 4, .num_local = 1, .load_w = 5, .ugal = true},
        {.num_vc = 2, .num_links = 3, .num_local = 2, .load_w = 3, .ugal = false},
        {.num_vc = 2, .num_links = 1, .num_local = 1, .load_w = 1, .ugal = true},
        {.num_vc = 8, .num_links = 13, .num_local = 4, .load_w = 9, .ugal = true},
        {.num_vc = 6, .num_links = 30, .num_local = 8, .load_w = 20, .ugal = true}};
    for (const RoutePhase::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumVc", config.num_vc},
                                     {"NumLinks", config.num_links},
                                     {"NumLocal", config.num_local},
                                     {"LoadW", config.load_w},
                                     {"Ugal", RtlValue(bit_literal(config.ugal))}},
                                    std::size(points));
      auto rtl_ports = bench.ports<RoutePhase>(rtl, config);
      const RoutePhase model(config);
      RandomStream& random = bench.random;
      std::vector<std::uint32_t> load(config.num_ports());
      const auto way = [&] {
        return RouteOut{static_cast<std::uint32_t>(random.below(config.num_ports())),
                        static_cast<VcSet>(random.below(kVcSets))};
      };
      for (; bench.running(); bench.next()) {
        // Loads of all sizes, and often one that is as long as or twice as long as another.
        for (std::uint32_t& value : load) {
          const std::uint64_t some =
              random.below(std::uint64_t{1} << random.below(config.load_w + 1));
          const std::uint64_t other = load[random.below(load.size())];
          const std::uint64_t twice = random.chance(0.3) ? 2 * other + random.below(2) : some;
          value = static_cast<std::uint32_t>(twice & low_mask(config.load_w));
        }
        const RoutePhase::In in{
            random.chance(0.5),
            random.chance(0.5),
            way(),
            way(),
            static_cast<std::uint32_t>(random.below(1u << RouteClass::kStampBits)),
            load.data()};
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.eval(in));
        bench.transferred();
      }
    }
  });
}
