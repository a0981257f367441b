// Lockstep bench of the FIFO.
#include "sim/buffer/fifo.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fifo", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{64, 4}, {1, 1}, {9, 2}, {33, 5}, {64, 16}};
    for (const auto& [width, depth] : points) {
      RtlInstance rtl = bench.point({{"DataW", width}, {"Depth", depth}}, std::size(points));
      using Model = Fifo<std::uint64_t>;
      auto ports = bench.ports<Model>(rtl, Model::PortConfig{width, depth});
      Model model(depth);
      tb::Pressure offer, take;
      for (; bench.running(); bench.next()) {
        bench.equal(ports, Model::Out{model.empty() ? 0 : model.front(), model.count()});
        const bool pops = take.next(bench.random) && !model.empty();
        const bool pushes = offer.next(bench.random) && (!model.full() || pops);
        const std::uint64_t word = bench.random() >> (64 - width);
        ports.drive(Model::In{pushes, pops, word});
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
