// Lockstep bench of the floating-point element.
#include "sim/reduce/fp_element.hpp"
#include "tb/lib/bench.hpp"
#include "tb/reduce/operands.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fp_element", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<FpElement>(rtl, NoConfig{});
    FpElement model;
    tb::SpecialPairs special[2];
    for (; bench.running(); bench.next()) {
      bench.equal(ports, model.out());
      FpElement::In in;
      in.prod = bench.random.chance(0.5);
      const bool listed = bench.random.below(4) == 0;
      const auto [x, y] = listed ? special[in.prod].next() : tb::float_pair(bench.random);
      in.a = x;
      in.b = y;
      ports.drive(in);
      rtl.eval();
      bench.equal(ports, model.out());
      if (bench.reset_now(rtl)) {
        model.reset();
        continue;
      }
      rtl.tick();
      bench.transferred(model.step(in) != 0);
    }
  });
}
