// Lockstep bench of the receiver of back words: those of a sender, some of them wrong, others lost
// or made up with a check code that is right.
#include <algorithm>
#include <vector>

#include "sim/link/credit_rx.hpp"
#include "sim/link/credit_tx.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "credit_rx", [](tb::Bench& bench) {
    bench.open_registers();
    const CreditRx::Config points[] = {{1, 1, 0, false},  {1, 4, 3, true},    {2, 20, 8, true},
                                       {3, 5, 1, false},  {8, 200, 10, true}, {25, 2, 0, true},
                                       {100, 7, 64, true}};
    for (const CreditRx::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point(
          {{"NumVc", c.num_vc}, {"Depth", c.depth}, {"MoreW", c.more_w}, {"Crc", c.crc}},
          std::size(points));
      auto ports = bench.ports<CreditRx>(rtl, c);
      CreditRx model(c);
      CreditTx sender(c);
      tb::Pressure credits, wrong;
      std::vector<std::uint64_t> lines(c.credit_words()), word(c.words()), made(c.words());
      unsigned given_credits = 0;
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        bench.wind_counters(rtl, model);
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          if (credits.next(bench.random)) lines[v / 64] |= std::uint64_t{1} << v % 64;
        }
        sender.step({.credit = lines.data(), .more = bench.random() >> (64 - c.more_port_w())});
        std::copy_n(sender.out().back, c.words(), word.begin());
        if (wrong.next(bench.random)) {
          const auto kind = bench.random.below(4);
          if (kind == 0) {
            std::fill(word.begin(), word.end(), 0);
          } else if (kind == 1) {  // any content, the code right
            for (std::uint64_t& part : word) part = bench.random();
            c.check_of(word.data(), made.data());
            word = made;
            c.seal(word.data());
          } else {  // one bit, or several
            for (unsigned n = kind == 2 ? 1 : 9; n != 0; --n) {
              const auto bit = bench.random.below(c.back_w());
              word[bit / 64] ^= std::uint64_t{1} << bit % 64;
            }
          }
        }
        const CreditRx::In in{word.data()};
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out(in));
        for (unsigned w = 0; w < c.credit_words(); ++w) given_credits += model.credit()[w] != 0;
        if (bench.reset_now(rtl)) {
          model.reset();
          sender.reset();
          continue;
        }
        rtl.tick();
        model.step(in);
      }
      bench.transferred(given_credits);
    }
  });
}
