// Lockstep bench of the rounding unit.
#include "sim/reduce/fp_round.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fp_round", [](tb::Bench& bench) {
    const FpRound::Config points[] = {{48}, {33}, {26}};
    for (const auto& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"SigW", config.sig_w}}, std::size(points));
      auto ports = bench.ports<FpRound>(rtl, config);
      FpRound model(config);
      for (; bench.running(); bench.next()) {
        bench.equal(ports, model.out());
        FpRound::In in;
        in.sign = bench.random.chance(0.5);
        // The whole range, the edge of subnormals and of nothing, the edge of infinity.
        switch (bench.random.below(4)) {
          case 0:
            in.exp = static_cast<int>(bench.random.below(1023)) - 511;
            break;
          case 1:
            in.exp = static_cast<int>(bench.random.below(64)) - 28;
            break;
          case 2:
            in.exp = 255 - static_cast<int>(bench.random.below(3));
            break;
          default:
            in.exp = static_cast<int>(bench.random.below(256));
        }
        // Zeros above, and below often just those that make a tie, or one unit beside it.
        in.sig = bench.random() >> (64 - config.sig_w);
        in.sig &= ~std::uint64_t{0} << bench.random.below(config.sig_w);
        if (bench.random.below(4) == 0) in.sig |= in.sig >> 1;
        if (bench.random.below(4) == 0) in.sig |= 1;
        if (bench.random.below(4) == 0) in.sig -= bench.random.below(2) & (in.sig != 0 ? 1 : 0);
        if (bench.random.below(2) == 0) in.sig >>= bench.random.below(config.sig_w + 1);
        // Ties, and one bit below them; where `tie` is the first bit below the fraction: of normal
        // numbers, or of subnormals, whose exponent it gives.
        if (bench.random.below(2) == 0) {
          const auto tie = static_cast<unsigned>(bench.random.below(config.sig_w));
          const std::uint64_t above = bench.random() >> (40 + bench.random.below(24));
          in.sig = above << (tie + 1) | std::uint64_t{1} << tie;
          in.sig &= ~std::uint64_t{0} >> (64 - config.sig_w);
          if (bench.random.below(4) != 0) in.sig |= std::uint64_t{1} << bench.random.below(tie + 1);
          const int subnormal = 1 - static_cast<int>(tie) + static_cast<int>(config.sig_w) - 25;
          if (bench.random.below(4) != 0) in.exp = subnormal;
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
    }
  });
}
