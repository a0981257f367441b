// Lockstep bench of the sender's end of a link whose errors are contained, with back words of which
// some are wrong.
#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/link/credit_tx.hpp"
#include "sim/link/guard_tx.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "guard_tx", [](tb::Bench& bench) {
    bench.open_registers();
    const GuardForm points[] = {{2, 2, 2},  {1, 1, 1},        {3, 8, 5},
                                {1, 4, 20}, {70, 70, 4, 512}, {4, 4, 2047, 128}};
    for (const GuardForm& c : bench.order(points)) {
      RtlInstance rtl = bench.point(
          {{"NumVc", c.num_vc}, {"VcW", c.vc_w()}, {"Depth", c.depth}, {"FlitW", kFlitWidth(c)}},
          std::size(points));
      auto ports = bench.ports<GuardTx>(rtl, c);
      GuardTx model(c);
      CreditTx credits(c.back());
      tb::Pressure flits, returned, errors;
      std::vector<std::uint64_t> back(c.back().words()), lines(c.back().credit_words());
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        bench.wind_counters(rtl, model);
        GuardTx::In in;
        if (flits.next(bench.random)) {
          in.rx.valid = true;
          in.rx.data = bench.random();
          tb::random_upper(bench.random, c.data_w / 64, in.rx);
          in.rx.last = bench.random.chance(0.3);
          in.rx.parity = bench.random.chance(0.5);
          in.rx.vc = static_cast<std::uint16_t>(bench.random.below(c.num_vc));
          in.rx.stamp = static_cast<std::uint16_t>(bench.random());
        }
        // One bit of some words is wrong.
        std::copy_n(credits.out().back, back.size(), back.begin());
        if (errors.next(bench.random) && bench.random.chance(0.3)) {
          const std::uint64_t bit = bench.random.below(c.back_w());
          back[bit / 64] ^= std::uint64_t{1} << bit % 64;
        }
        in.back = back.data();
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          credits.reset();
          continue;
        }
        rtl.tick();
        model.step(in);
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          if (returned.next(bench.random)) lines[v / 64] |= std::uint64_t{1} << v % 64;
        }
        CreditTx::In said{.credit = lines.data()};
        if (bench.random.chance(0.05)) {
          said.add_vc = static_cast<std::uint32_t>(bench.random.below(c.num_vc));
          said.add = static_cast<std::uint32_t>(bench.random()) & c.count_mask();
        }
        credits.step(said);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
