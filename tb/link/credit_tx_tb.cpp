// Lockstep bench of the sender of back words.
#include <algorithm>
#include <vector>

#include "sim/link/credit_tx.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "credit_tx", [](tb::Bench& bench) {
    const CreditTx::Config points[] = {{1, 1, 0, false},  {1, 4, 3, true},    {2, 20, 8, true},
                                       {3, 5, 1, false},  {8, 200, 10, true}, {25, 2, 0, true},
                                       {100, 7, 64, true}};
    for (const CreditTx::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point(
          {{"NumVc", c.num_vc}, {"Depth", c.depth}, {"MoreW", c.more_w}, {"Crc", c.crc}},
          std::size(points));
      auto ports = bench.ports<CreditTx>(rtl, c);
      CreditTx model(c);
      tb::Pressure credits, more;
      std::vector<std::uint64_t> lines(c.credit_words());
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          if (credits.next(bench.random)) lines[v / 64] |= std::uint64_t{1} << v % 64;
        }
        CreditTx::In in{.credit = lines.data()};
        if (more.next(bench.random)) {
          // Includes numbers that no VC has.
          in.add_vc = static_cast<std::uint32_t>(bench.random.below(1u << c.index_w()));
          in.add = static_cast<std::uint32_t>(bench.random() & c.count_mask());
        }
        in.more = bench.random() >> (64 - c.more_port_w());
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());
        if (bench.reset_now(rtl)) {
          model.reset();
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred();
      }
    }
  });
}
