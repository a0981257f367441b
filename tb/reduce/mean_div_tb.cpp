// Lockstep bench of the division of means.
#include "sim/reduce/mean_div.hpp"
#include "tb/lib/bench.hpp"
#include "tb/reduce/operands.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "mean_div", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<MeanDiv>(rtl, NoConfig{});
    MeanDiv model;
    tb::Pressure divides;
    for (; bench.running(); bench.next()) {
      bench.equal(ports, model.out());
      MeanDiv::In in;
      in.divide = divides.next(bench.random);
      in.type = static_cast<ReduceType>(bench.random.below(kReduceTypes));
      in.count = tb::divisor(bench.random);
      if (in.type == ReduceType::kFp32) {
        // Subnormals, also as quotients, are drawn as parts of products are.
        const auto [low, unused_low] = tb::float_pair(bench.random);
        const auto [unused_high, high] = tb::float_pair(bench.random);
        in.word = std::uint64_t{high} << 32 | low;
        if (bench.random.below(4) == 0) in.word &= 0x87ffffff87ffffffu;
      } else {
        in.word = tb::integer_word(bench.random);
      }
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
