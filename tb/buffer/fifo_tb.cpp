// Lockstep bench of the FIFO.
#include "sim/buffer/fifo.hpp"
#include "tb/buffer/random_bits.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "fifo", [](tb::Bench& bench) {
    struct Point {
      unsigned width, depth;
      bool registered = false;  // The model is the same.
      bool overflows = false;   // Words come also while it is full.
    };
    const Point points[] = {{64, 4},
                            {33, 5, true},
                            {1, 1},
                            {9, 2},
                            {1, 1, true},
                            {33, 5},
                            {9, 2, true},
                            {64, 16},
                            {9, 17, true},
                            {200, 3},
                            {130, 16},
                            {9, 3, false, true},
                            {9, 4, true, true},
                            {9, 1, true, true},
                            {9, 17, false, true}};
    for (const auto& [width, depth, registered, overflows] : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"DataW", width}, {"Depth", depth}, {"Registered", registered}},
                      std::size(points), !overflows);
      using Model = Fifo<FlitData>;
      auto ports = bench.ports<Model>(rtl, Model::PortConfig{width, depth});
      Model model(depth);
      tb::Pressure offer, take;
      for (; bench.running(); bench.next()) {
        bench.equal(ports, Model::Out{model.empty() ? FlitData{} : model.front(), model.count()});
        const bool pops = take.next(bench.random) && !model.empty();
        const bool pushes = offer.next(bench.random) && (overflows || !model.full() || pops);
        const FlitData word = tb::random_bits(bench.random, width);
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
