// Lockstep bench of the registers of a link.
#include <algorithm>
#include <vector>

#include "sim/link/link_stage.hpp"
#include "sim/packet/port_shape.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "link_stage", [](tb::Bench& bench) {
    const LinkStage::Config points[] = {
        {1, false, 1}, {1, true, 2},   {2, false, 4},       {3, true, 1, 64, 24, 30},
        {3, true, 1},  {10, false, 2}, {7, true, 100, 256}, {2, false, 5, 128, 11, 70},
        {255, true, 2}};
    for (const LinkStage::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"Stages", c.stages},
                                     {"FlitW", kFlitWidth(c)},
                                     {"VcW", index_width(c.num_vc)},
                                     {"BackW", c.lines()},
                                     {"CheckW", c.check_w}},
                                    std::size(points));
      auto ports = bench.ports<LinkStage>(rtl, c);
      LinkStage model(c);
      tb::Pressure flits, credits;
      std::vector<std::uint64_t> back(LinkStage::words(c));
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        LinkStage::In in;
        in.back = back.data();
        std::fill(back.begin(), back.end(), 0);
        for (unsigned v = 0; v < c.lines(); ++v) {
          if (credits.next(bench.random)) back[v / 64] |= std::uint64_t{1} << v % 64;
        }
        const bool flit = flits.next(bench.random);
        // What protects a word may be anything, with a flit and without.
        const bool other = c.checked() && bench.random.chance(0.5);
        if (flit || other) {
          if (c.checked())
            in.check = static_cast<std::uint32_t>(bench.random() >> (64 - c.check_w));
          in.rx.valid = flit;
          in.rx.data = bench.random();
          tb::random_upper(bench.random, c.data_w / 64, in.rx);
          in.rx.last = bench.random.chance(0.3);
          in.rx.parity = c.parity && bench.random.chance(0.5);
          in.rx.vc = static_cast<std::uint16_t>(bench.random.below(c.num_vc));
          in.rx.stamp = static_cast<std::uint16_t>(bench.random());
        }
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
