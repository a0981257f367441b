// Lockstep bench of the gate from Buffer-Full to credits, with a receiver that returns credits at
// random.
#include "sim/link/credit_gate.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "credit_gate", [](tb::Bench& bench) {
    struct Point : CreditGate::Config {
      bool errors = false;  // Credits also come for flits that were not sent.
    };
    const Point points[] = {{{2, false}},  {{3, true}},        {{20, true}},      {{4, false, 512}},
                            {{200, true}}, {{3, false}, true}, {{4, false}, true}};
    for (const Point& c : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"FlitW", kFlitWidth(c)}, {"Depth", c.depth}}, std::size(points), !c.errors);
      auto ports = bench.ports<CreditGate>(rtl, c);
      CreditGate model(c);
      tb::Pressure flits, credits;
      unsigned held = 0;  // Flits with the receiver.
      bool stop = false;  // Buffer-Full of the cycle before.
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        CreditGate::In in;
        std::uint64_t credit = 0;
        if ((held != 0 || c.errors) && credits.next(bench.random)) credit = 1;
        in.credit = &credit;
        if (flits.next(bench.random) && !stop) {
          in.rx = {.data = bench.random(),
                   .last = bench.random.chance(0.3),
                   .parity = c.parity && bench.random.chance(0.5),
                   .valid = true};
          tb::random_upper(bench.random, c.data_w / 64, in.rx);
        }
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          held = 0;
          stop = false;
          continue;
        }
        stop = model.out().full;
        held += static_cast<unsigned>(model.out().tx.valid);
        if (held != 0) held -= static_cast<unsigned>(credit);
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
