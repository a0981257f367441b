// Lockstep bench of the pacer; the inter-packet gap is also compared with the product gap x flits.
#include "sim/nic/pacer.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "pacer", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<Pacer>(rtl, NoConfig{});
    Pacer model;
    tb::Pressure offer;
    std::uint64_t gap_until = 0;
    for (; bench.running(); bench.next()) {
      bench.equal(ports, model.out());
      bench.equal("ready_o against the product", model.out().ready, bench.cycle() >= gap_until);
      Pacer::In in;
      // The other inputs are arbitrary without `start`.
      const bool wide = bench.random.below(1024) == 0;
      in.flits = static_cast<std::uint32_t>(1 + bench.random.below(wide ? 256 : 8));
      in.gap = static_cast<std::uint32_t>(bench.random.below(wide ? 256 : 5));
      // The longest packets, and the most flits that the port can say, with gaps that do not take
      // all of the cycles.
      if (bench.random.below(64) == 0) {
        const unsigned most = bench.random.below(2) == 0 ? 256 : 511;
        in.flits = static_cast<std::uint32_t>(most - bench.random.below(4));
        in.gap = static_cast<std::uint32_t>(1 + bench.random.below(3));
      }
      in.start = offer.next(bench.random) && model.out().ready;
      ports.drive(in);
      if (bench.reset_now(rtl)) {
        model.reset();
        gap_until = 0;
        continue;
      }
      if (in.start) gap_until = bench.cycle() + 1 + std::uint64_t{in.gap} * in.flits;
      bench.transferred(in.start);
      model.step(in);
      rtl.tick();
    }
  });
}
