// Lockstep bench of the pipelined multiplier.
#include "sim/reduce/multiplier.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "multiplier", [](tb::Bench& bench) {
    const Multiplier::Config points[] = {{8, 16}, {12, 17}, {4, 8}, {24, 48}, {32, 64}, {32, 32}};
    for (const auto& config : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"FactorW", config.factor_w}, {"ProdW", config.prod_w}}, std::size(points));
      auto ports = bench.ports<Multiplier>(rtl, config);
      Multiplier model(config);
      // Any factor, or one of few or of many ones.
      const auto factor = [&] {
        const std::uint64_t any = bench.random() >> (64 - config.factor_w);
        const std::uint64_t few = any >> bench.random.below(config.factor_w);
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - config.factor_w);
        const std::uint64_t kinds[] = {any, few, all - few};
        return static_cast<std::uint32_t>(kinds[bench.random.below(3)]);
      };
      for (; bench.running(); bench.next()) {
        bench.equal(ports, model.out());
        const Multiplier::In in = {factor(), factor()};
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
    }
  });
}
