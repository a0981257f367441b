// Lockstep bench of the output buffer.
#include "sim/buffer/output_buffer.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "output_buffer", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{64, 0}, {65, 0}, {64, 1},  {65, 2},
                                                    {64, 4}, {65, 7}, {128, 0}, {257, 3}};
    for (const auto& [flit_w, depth] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"FlitW", flit_w}, {"Depth", depth}}, std::size(points));
      auto ports = bench.ports<OutputBuffer>(
          rtl, OutputBuffer::PortConfig{{depth}, flit_w % 2 != 0, flit_w & ~1u});
      OutputBuffer model({depth});
      tb::Pressure offer, stop;
      for (; bench.running(); bench.next()) {
        // An offer may be withdrawn and its lines may show anything without it.
        OutputBuffer::In in{{bench.random(), bench.random.chance(0.3),
                             flit_w % 2 != 0 && bench.random.chance(0.5), offer.next(bench.random)},
                            stop.next(bench.random)};
        tb::random_upper(bench.random, flit_w / 64, in.offer);
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, OutputBuffer::Out{model.out(), model.ready(in.full)});
        if (bench.reset_now(rtl)) {
          model.reset();
          continue;
        }
        bench.transferred(in.offer.valid && model.ready(in.full));
        model.step(in);
        rtl.tick();
      }
    }
  });
}
