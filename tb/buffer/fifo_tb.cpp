// Lockstep bench of the FIFO.
#include "sim/buffer/fifo.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fifo", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{64, 4}, {1, 1}, {9, 2}, {33, 5}, {64, 16}};
    for (const auto& [width, depth] : points) {
      RtlInstance rtl = bench.point({{"DataW", width}, {"Depth", depth}}, std::size(points));
      RtlPort push = rtl.port("push_i"), data = rtl.port("data_i"), pop = rtl.port("pop_i");
      const RtlPort data_o = rtl.port("data_o"), count_o = rtl.port("count_o");
      Fifo<std::uint64_t> model(depth);
      tb::Pressure offer, take;
      for (; bench.running(); bench.next()) {
        bench.equal("count_o", count_o.get(), model.count());
        bench.equal("data_o", data_o.get(), model.empty() ? 0 : model.front());
        const bool pops = take.next(bench.random) && !model.empty();
        const bool pushes = offer.next(bench.random) && (!model.full() || pops);
        const std::uint64_t word = bench.random() >> (64 - width);
        push.set(pushes);
        data.set(word);
        pop.set(pops);
        if (bench.reset_now(rtl)) {
          model.reset();
          continue;
        }
        if (pops) model.pop();
        if (pushes) model.push(word);
        bench.transferred(pops);
        rtl.tick();
      }
    }
  });
}
