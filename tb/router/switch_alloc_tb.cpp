// Lockstep bench of the switch allocation.
#include <array>

#include "sim/packet/packet.hpp"
#include "sim/router/switch_alloc.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "switch_alloc", [](tb::Bench& bench) {
    const SwitchAlloc::Config points[] = {
        {10, true, true},  {10, true, false}, {10, false, false}, {5, false, true},
        {1, true, true},   {2, true, false},  {3, false, false},  {7, true, true},
        {16, true, false}, {33, true, true},  {64, true, false},  {64, false, true},
    };
    for (const SwitchAlloc::Config& c : points) {
      RtlInstance rtl = bench.point({{"NumReq", c.num_req},
                                     {"Hold", RtlValue(c.hold ? "1'b1" : "1'b0")},
                                     {"Age", RtlValue(c.age ? "1'b1" : "1'b0")}},
                                    std::size(points));
      RtlPort now = rtl.port("now_i"), req = rtl.port("req_i"), last = rtl.port("last_i"),
              stamp = rtl.port("stamp_i");
      const RtlPort gnt = rtl.port("gnt_o"), idx = rtl.port("idx_o");
      SwitchAlloc model(c);
      tb::Pressure idle, end;
      std::array<std::uint16_t, SwitchAlloc::kMaxReq> stamps = {};
      std::uint16_t cycle = 0;
      for (; bench.running(); bench.next()) {
        SwitchAlloc::In in{0, 0, stamps.data(), cycle++};
        for (unsigned i = 0; i < c.num_req; ++i) {
          in.req |= std::uint64_t{!idle.next(bench.random)} << i;
          in.last |= std::uint64_t{end.next(bench.random)} << i;
          // Few different ages give many equal ones.
          const std::uint64_t ages = std::uint64_t{1} << bench.random.below(17);
          stamps[i] = static_cast<std::uint16_t>(in.now - bench.random.below(ages));
          stamp.set_bits(i * kStampW, kStampW, stamps[i]);
        }
        now.set(in.now);
        req.set(in.req);
        last.set(in.last);
        rtl.eval();
        auto compare = [&] {
          const SwitchAlloc::Out out = model.eval(in);
          bench.equal("gnt_o", gnt.get(), out.gnt);
          bench.equal("idx_o", idx.get(), out.idx);
          bench.transferred(out.gnt != 0);
        };
        compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          compare();
          continue;
        }
        model.tick(in);
        rtl.tick();
      }
    }
  });
}
