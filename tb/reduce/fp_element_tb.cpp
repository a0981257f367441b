// Lockstep bench of the floating-point element.
#include "sim/reduce/fp_element.hpp"
#include "tb/lib/bench.hpp"
#include "tb/reduce/operands.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fp_element", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    RtlPort prod = rtl.port("prod_i"), a = rtl.port("a_i"), b = rtl.port("b_i");
    const RtlPort result_o = rtl.port("result_o");
    FpElement model;
    tb::SpecialPairs special[2];
    for (; bench.running(); bench.next()) {
      bench.equal("result_o", result_o.get(), model.out());
      FpElement::In in;
      in.prod = bench.random.chance(0.5);
      const bool listed = bench.random.below(4) == 0;
      const auto [x, y] = listed ? special[in.prod].next() : tb::float_pair(bench.random);
      in.a = x;
      in.b = y;
      prod.set(in.prod);
      a.set(in.a);
      b.set(in.b);
      rtl.eval();
      bench.equal("result_o", result_o.get(), model.out());
      if (bench.reset_now(rtl)) {
        model.reset();
        continue;
      }
      rtl.tick();
      bench.transferred(model.step(in) != 0);
    }
  });
}
