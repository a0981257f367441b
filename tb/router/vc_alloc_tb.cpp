// Lockstep bench of the VC allocation.
#include <bit>
#include <vector>

#include "sim/router/reference/vc_alloc.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "vc_alloc", [](tb::Bench& bench) {
    const VcAlloc::Config points[] = {{2, 8}, {1, 4}, {3, 4},  {4, 3},   {5, 1},
                                      {7, 7}, {8, 2}, {16, 8}, {25, 20}, {64, 200}};
    for (const VcAlloc::Config& c : points) {
      RtlInstance rtl = bench.point({{"NumVc", c.num_vc}, {"Depth", c.depth}}, std::size(points));
      RtlPort free = rtl.port("free_i"), room = rtl.port("room_i");
      const RtlPort vc = rtl.port("vc_o"), best = rtl.port("room_o");
      const unsigned count_w = static_cast<unsigned>(std::bit_width(c.depth));
      const unsigned vc_w = vc.width() / 3;
      const VcAlloc model(c);
      std::vector<VcAlloc::Vc> vcs(c.num_vc);
      tb::Pressure busy, empty;
      for (; bench.running(); bench.next()) {
        // Few different figures give many equal ones.
        const std::uint64_t most = bench.random.below(c.depth + 1);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          const auto places = static_cast<std::uint32_t>(bench.random.below(most + 1));
          vcs[v] = {!busy.next(bench.random), empty.next(bench.random) ? 0 : places};
          free.set_bits(v, 1, vcs[v].free);
          room.set_bits(v * count_w, count_w, vcs[v].room);
        }
        rtl.eval();
        const VcAlloc::Out out = model.eval({vcs.data()});
        for (unsigned s = 0; s < 3; ++s) {
          bench.equal("vc_o", vc.bits(s * vc_w, vc_w), out.sets[s].vc);
          bench.equal("room_o", best.bits(s * count_w, count_w), out.sets[s].room);
        }
        bench.transferred(out.sets[0].room != 0);
      }
    }
  });
}
