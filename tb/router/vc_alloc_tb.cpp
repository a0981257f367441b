// Lockstep bench of the VC allocation.
#include <bit>
#include <vector>

#include "sim/router/vc_alloc.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "vc_alloc", [](tb::Bench& bench) {
    const VcAlloc::Config points[] = {{2, 8}, {1, 4}, {3, 4},  {4, 3},   {5, 1},
                                      {7, 7}, {8, 2}, {16, 8}, {25, 20}, {64, 200}};
    for (const VcAlloc::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumVc", c.num_vc}, {"Depth", c.depth}}, std::size(points));
      auto ports = bench.ports<VcAlloc>(rtl, c);
      const VcAlloc model(c);
      std::vector<VcAlloc::Vc> vcs(c.num_vc);
      tb::Pressure busy, empty;
      for (; bench.running(); bench.next()) {
        // Few different figures give many equal ones.
        const std::uint64_t most = bench.random.below(c.depth + 1);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          const auto credits = static_cast<std::uint32_t>(bench.random.below(most + 1));
          vcs[v] = {!busy.next(bench.random), empty.next(bench.random) ? 0 : credits};
        }
        ports.drive(VcAlloc::In{vcs.data()});
        rtl.eval();
        const VcAlloc::Out out = model.eval({vcs.data()});
        bench.equal(ports, out);
        bench.transferred(out.sets[0].credits != 0);
      }
    }
  });
}
