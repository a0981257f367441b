// Lockstep bench of the FIFO from credits to Buffer-Full, with a sender that counts credits and a
// receiver that raises Buffer-Full at random.
#include "sim/link/credit_fifo.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "credit_fifo", [](tb::Bench& bench) {
    struct Point : CreditFifo::Config {
      bool errors = false;  // Flits also come without a credit.
    };
    const Point points[] = {{{2, false}},      {{1, true}},        {{5, true}},      {{20, true}},
                            {{4, false, 512}}, {{3, false}, true}, {{1, true}, true}};
    for (const Point& c : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"FlitW", kFlitWidth(c)}, {"Depth", c.depth}}, std::size(points), !c.errors);
      auto ports = bench.ports<CreditFifo>(rtl, c);
      CreditFifo model(c);
      tb::Pressure flits, stops;
      unsigned credits = c.depth;
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        CreditFifo::In in;
        in.full = stops.next(bench.random);
        const auto returned = static_cast<unsigned>(model.out().credit);
        if (flits.next(bench.random) && (credits != 0 || c.errors)) {
          in.rx = {.data = bench.random(),
                   .last = bench.random.chance(0.3),
                   .parity = c.parity && bench.random.chance(0.5),
                   .valid = true,
                   .vc = static_cast<std::uint16_t>(bench.random.below(2)),
                   .stamp = static_cast<std::uint16_t>(bench.random())};
          tb::random_upper(bench.random, c.data_w / 64, in.rx);
        }
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          credits = c.depth;
          continue;
        }
        credits += returned - static_cast<unsigned>(in.rx.valid);
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
