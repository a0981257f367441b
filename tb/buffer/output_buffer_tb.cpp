// Lockstep bench of the output buffer.
#include "sim/buffer/output_buffer.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "output_buffer", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{64, 0}, {65, 0}, {64, 1},
                                                    {65, 2}, {64, 4}, {65, 7}};
    for (const auto& [flit_w, depth] : points) {
      RtlInstance rtl = bench.point({{"FlitW", flit_w}, {"Depth", depth}}, std::size(points));
      RtlPort valid_i = rtl.port("valid_i"), last_i = rtl.port("last_i");
      RtlPort data_i = rtl.port("data_i"), full_i = rtl.port("full_i");
      const RtlPort ready_o = rtl.port("ready_o"), valid_o = rtl.port("valid_o");
      const RtlPort last_o = rtl.port("last_o"), data_o = rtl.port("data_o");
      OutputBuffer model({depth});
      tb::Pressure offer, stop;
      for (; bench.running(); bench.next()) {
        // An offer may be withdrawn and its lines may show anything without it.
        const OutputBuffer::In in{
            {bench.random(), bench.random.chance(0.3), flit_w == 65 && bench.random.chance(0.5),
             offer.next(bench.random)},
            stop.next(bench.random)};
        valid_i.set(in.offer.valid);
        last_i.set(in.offer.last);
        data_i.set_bits(0, 64, in.offer.data);
        if (flit_w == 65) data_i.set_bits(64, 1, in.offer.parity);
        full_i.set(in.full);
        rtl.eval();
        bench.equal("ready_o", ready_o.get(), model.ready(in.full));
        bench.equal("valid_o", valid_o.get(), model.out().valid);
        bench.equal("last_o", last_o.get(), model.out().last);
        bench.equal("data_o", data_o.bits(0, 64), model.out().data);
        if (flit_w == 65) bench.equal("data_o[64]", data_o.bits(64, 1), model.out().parity);
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
