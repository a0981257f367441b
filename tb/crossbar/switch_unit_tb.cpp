// Lockstep bench of the N:1 switch.
#include <vector>

#include "sim/crossbar/switch_unit.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "switch_unit", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{1, 64}, {2, 65},  {3, 64},  {4, 65},
                                                    {8, 64}, {32, 64}, {3, 128}, {2, 257}};
    for (const auto& [num_in, flit_w] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumIn", num_in}, {"FlitW", flit_w}}, std::size(points));
      auto ports = bench.ports<SwitchUnit>(
          rtl, SwitchUnit::PortConfig{{num_in}, flit_w % 2 != 0, flit_w & ~1u});
      SwitchUnit model({num_in});
      std::vector<Flit> offers(num_in);
      std::vector<tb::Pressure> offer(num_in);
      tb::Pressure take;
      for (; bench.running(); bench.next()) {
        for (unsigned i = 0; i < num_in; ++i) {
          Flit& word = offers[i];
          if (!word.valid && offer[i].next(bench.random)) {
            word = {bench.random(), bench.random.chance(0.3),
                    flit_w % 2 != 0 && bench.random.chance(0.5), true};
            tb::random_upper(bench.random, flit_w / 64, word);
          }
        }
        const SwitchUnit::In in{offers.data(), take.next(bench.random)};
        ports.drive(in);
        rtl.eval();
        const SwitchUnit::Out out = model.eval(in);
        bench.equal(ports, out);
        if (bench.reset_now(rtl)) {
          model.reset();
          offers.assign(num_in, {});
          continue;
        }
        model.tick(in);
        for (unsigned i = 0; i < num_in; ++i) {
          if ((out.ready >> i & 1) != 0) offers[i].valid = false;
        }
        bench.transferred(out.ready != 0);
        rtl.tick();
      }
    }
  });
}
