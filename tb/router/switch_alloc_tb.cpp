// Lockstep bench of the switch allocation.
#include <algorithm>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/router/switch_alloc.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "switch_alloc", [](tb::Bench& bench) {
    const SwitchAlloc::Config points[] = {
        {{10, 2, 2, 3}, true, false},  {{10, 2, 2, 3}, true, true},   {{10, 2, 2, 3}, false, false},
        {{5, 1, 1, 2}, false, true},   {{1, 1, 0, 3}, true, true},    {{2, 1, 1, 0}, true, false},
        {{3, 3, 3, 3}, false, false},  {{7, 2, 1, 1}, true, true},    {{16, 4, 8, 4}, true, false},
        {{33, 3, 3, 3}, true, true},   {{64, 8, 32, 9}, true, false}, {{64, 4, 16, 3}, false, true},
        {{100, 2, 50, 3}, true, true},
    };
    for (const SwitchAlloc::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumReq", c.num_req},
                                     {"NumVc", c.num_vc},
                                     {"NumOwn", c.num_own},
                                     {"OwnAfter", c.own_after},
                                     {"Hold", RtlValue(c.hold ? "1'b1" : "1'b0")},
                                     {"Age", RtlValue(c.age ? "1'b1" : "1'b0")}},
                                    std::size(points));
      auto ports = bench.ports<SwitchAlloc>(rtl, c);
      SwitchAlloc model(c);
      tb::Pressure idle, body, end;
      std::vector<std::uint64_t> asking(model.words()), ending(model.words()), heads(model.words());
      std::vector<std::uint32_t> vcs(c.num_req);
      std::vector<std::uint16_t> stamps(c.num_req);
      SwitchAlloc::In in = {asking.data(), vcs.data(),    heads.data(),
                            ending.data(), stamps.data(), 0};
      for (; bench.running(); bench.next()) {
        ++in.now;
        std::fill(asking.begin(), asking.end(), 0);
        std::fill(ending.begin(), ending.end(), 0);
        std::fill(heads.begin(), heads.end(), 0);
        for (unsigned i = 0; i < c.num_req; ++i) {
          const bool asks = !idle.next(bench.random), ends = end.next(bench.random);
          asking[i / 64] |= std::uint64_t{asks} << i % 64;
          ending[i / 64] |= std::uint64_t{ends} << i % 64;
          heads[i / 64] |= std::uint64_t{!body.next(bench.random)} << i % 64;
          vcs[i] = static_cast<std::uint32_t>(bench.random.below(c.num_vc));
          // Few different ages give many equal ones.
          const std::uint64_t ages = std::uint64_t{1} << bench.random.below(17);
          stamps[i] = static_cast<std::uint16_t>(in.now - bench.random.below(ages));
          // The oldest that there can be.
          if (bench.random.below(64) == 0) stamps[i] = static_cast<std::uint16_t>(in.now + 1);
        }
        ports.drive(in);
        rtl.eval();
        auto compare = [&] {
          const SwitchAlloc::Out granted = model.eval(in);
          bench.equal(ports, granted);
          bench.transferred(granted.gnt);
          return granted;
        };
        const SwitchAlloc::Out out = compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          compare();
          continue;
        }
        model.tick(in, out);
        rtl.tick();
      }
    }
  });
}
