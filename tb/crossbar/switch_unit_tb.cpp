// Lockstep bench of the N:1 switch.
#include <vector>

#include "sim/crossbar/switch_unit.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "switch_unit", [](tb::Bench& bench) {
    const std::pair<unsigned, unsigned> points[] = {{1, 64}, {2, 65}, {3, 64},
                                                    {4, 65}, {8, 64}, {32, 64}};
    for (const auto& [num_in, flit_w] : points) {
      RtlInstance rtl = bench.point({{"NumIn", num_in}, {"FlitW", flit_w}}, std::size(points));
      RtlPort valid_i = rtl.port("valid_i"), last_i = rtl.port("last_i");
      RtlPort data_i = rtl.port("data_i"), ready_i = rtl.port("ready_i");
      const RtlPort ready_o = rtl.port("ready_o"), valid_o = rtl.port("valid_o");
      const RtlPort last_o = rtl.port("last_o"), data_o = rtl.port("data_o");
      SwitchUnit model({num_in});
      std::vector<Flit> offers(num_in);
      std::vector<tb::Pressure> offer(num_in);
      tb::Pressure take;
      for (; bench.running(); bench.next()) {
        std::uint64_t valid = 0, last = 0;
        for (unsigned i = 0; i < num_in; ++i) {
          Flit& word = offers[i];
          if (!word.valid && offer[i].next(bench.random)) {
            word = {bench.random(), bench.random.chance(0.3),
                    flit_w == 65 && bench.random.chance(0.5), true};
            data_i.set_bits(i * flit_w, 64, word.data);
            if (flit_w == 65) data_i.set_bits(i * flit_w + 64, 1, word.parity);
          }
          valid |= std::uint64_t{word.valid} << i;
          last |= std::uint64_t{word.last} << i;
        }
        const SwitchUnit::In in{offers.data(), take.next(bench.random)};
        valid_i.set(valid);
        last_i.set(last);
        ready_i.set(in.ready);
        rtl.eval();
        const SwitchUnit::Out out = model.eval(in);
        bench.equal("ready_o", ready_o.get(), out.ready);
        bench.equal("valid_o", valid_o.get(), out.word.valid);
        bench.equal("last_o", last_o.get(), out.word.last);
        bench.equal("data_o", data_o.bits(0, 64), out.word.data);
        if (flit_w == 65) bench.equal("data_o[64]", data_o.bits(64, 1), out.word.parity);
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
