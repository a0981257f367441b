// Lockstep bench of the oldest-first arbiter.
#include <array>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/packet/packet.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "age_arbiter", [](tb::Bench& bench) {
    const unsigned points[] = {1, 2, 3, 4, 5, 10, 33, 64};
    for (const unsigned num_req : points) {
      RtlInstance rtl = bench.point({{"NumReq", num_req}}, std::size(points));
      RtlPort now = rtl.port("now_i"), req = rtl.port("req_i"), stamp = rtl.port("stamp_i");
      const RtlPort oldest = rtl.port("oldest_o");
      tb::Pressure idle;
      std::array<std::uint16_t, AgeArbiter::kMaxReq> stamps = {};
      for (; bench.running(); bench.next()) {
        // Any cycle, every other time one near the wrap, so that packets are from before it.
        auto cycle = static_cast<std::uint16_t>(bench.random.below(65536));
        if (bench.random.below(2) == 0) cycle = static_cast<std::uint16_t>(cycle % 64 - 32);
        // Few different ages, in any bits, give many that are equal or nearly so.
        const std::uint64_t bits = bench.random.below(kStampW + 1);
        const std::uint64_t lsb = bench.random.below(kStampW + 1 - bits);
        std::uint64_t lines = 0;
        for (unsigned i = 0; i < num_req; ++i) {
          if (!idle.next(bench.random)) lines |= std::uint64_t{1} << i;
          stamps[i] = static_cast<std::uint16_t>(
              cycle - (bench.random.below(std::uint64_t{1} << bits) << lsb));
          stamp.set_bits(i * kStampW, kStampW, stamps[i]);
        }
        now.set(cycle);
        req.set(lines);
        rtl.eval();
        const std::uint64_t expected = AgeArbiter::oldest(lines, stamps.data(), cycle);
        bench.equal("oldest_o", oldest.get(), expected);
        bench.transferred(expected != 0);
      }
    }
  });
}
