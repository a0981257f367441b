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
        {.num_vc = 8, .low_vc = 2, .num_links = 13, .num_local = 4, .load_w = 9, .ugal = true},
        {.num_vc = 6, .num_links = 30, .num_local = 8, .load_w = 20, .ugal = true}};
    for (const RoutePhase::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumVc", config.num_vc},
                                     {"LowVc", config.low_vc},
                                     {"NumLinks", config.num_links},
                                     {"NumLocal", config.num_local},
                                     {"LoadW", config.load_w},
                                     {"Ugal", RtlValue(bit_literal(config.ugal))}},
                                    std::size(points));
      auto rtl_ports = bench.ports<RoutePhase>(rtl, config);
      const RoutePhase model(config);
      RandomStream& random = bench.random;
      std::vector<std::uint32_t> low(config.num_links), high(config.num_links);
      const auto way = [&] {
        return RouteOut{static_cast<std::uint32_t>(random.below(config.num_ports())),
                        static_cast<VcSet>(random.below(kVcSets))};
      };
      for (; bench.running(); bench.next()) {
        // Queues of all lengths, and often one that is as long as another or one flit longer.
        for (unsigned l = 0; l < config.num_links; ++l) {
          const auto some = [&] {
            return random.below(std::uint64_t{1} << random.below(config.load_w + 1));
          };
          low[l] = static_cast<std::uint32_t>(some());
          const std::uint64_t near = low[random.below(l + 1)] + random.below(2);
          high[l] = static_cast<std::uint32_t>((random.chance(0.5) ? near : some()) &
                                               low_mask(config.load_w));
        }
        const RoutePhase::In in{
            random.chance(0.5),
            random.chance(0.5),
            way(),
            way(),
            static_cast<std::uint32_t>(random.below(1u << RouteClass::kStampBits)),
            {low.data(), high.data(), random() & low_mask(config.num_links)}};
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, model.eval(in));
        bench.transferred();
      }
    }
  });
}
