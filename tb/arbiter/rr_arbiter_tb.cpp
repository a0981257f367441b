// Lockstep bench of the round-robin arbiter.
#include "sim/arbiter/rr_arbiter.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "rr_arbiter", [](tb::Bench& bench) {
    const unsigned points[] = {1, 2, 3, 4, 5, 32, 64};
    for (const unsigned num_req : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumReq", num_req}}, std::size(points));
      auto ports = bench.ports<RrArbiter>(rtl, RrArbiter::Config{num_req});
      RrArbiter model({num_req});
      tb::Pressure raise, bubble, end;
      std::uint64_t lines = 0;
      for (; bench.running(); bench.next()) {
        const RrArbiter::Out& out = model.out();
        bench.equal(ports, out);
        // A line stays up until granted; then it may fall and rise between the packet's words.
        for (unsigned i = 0; i < num_req; ++i) {
          const std::uint64_t bit = std::uint64_t{1} << i;
          if ((out.gnt & bit) != 0) {
            lines = bubble.next(bench.random) ? lines & ~bit : lines | bit;
          } else if ((lines & bit) == 0 && raise.next(bench.random)) {
            lines |= bit;
          }
        }
        const std::uint64_t granted = out.gnt;
        const bool ends = granted != 0 && end.next(bench.random);
        const RrArbiter::In in{lines, ends};
        ports.drive(in);
        if (bench.reset_now(rtl)) {
          model.reset();
          lines = 0;
          continue;
        }
        model.step(in);
        // After the end of a packet its line requests for a new one.
        if (ends && bench.random.chance(0.5)) lines &= ~granted;
        bench.transferred(ends);
        rtl.tick();
      }
    }
  });
}
