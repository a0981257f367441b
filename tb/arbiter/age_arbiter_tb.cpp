// Lockstep bench of the oldest-first arbiter.
#include <algorithm>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/packet/packet.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "age_arbiter", [](tb::Bench& bench) {
    const unsigned points[] = {1, 2, 3, 4, 5, 10, 33, 64, 100};
    for (const unsigned num_req : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumReq", num_req}}, std::size(points));
      auto ports = bench.ports<AgeArbiter>(rtl, AgeArbiter::Config{num_req});
      tb::Pressure idle;
      std::vector<std::uint16_t> stamps(num_req);
      std::vector<std::uint64_t> lines((num_req + 63) / 64), expected(lines.size());
      for (; bench.running(); bench.next()) {
        // Any cycle, every other time one near the wrap, so that packets are from before it.
        auto cycle = static_cast<std::uint16_t>(bench.random.below(65536));
        if (bench.random.below(2) == 0) cycle = static_cast<std::uint16_t>(cycle % 64 - 32);
        // Few different ages, in any bits, give many that are equal or nearly so.
        const std::uint64_t bits = bench.random.below(kStampW + 1);
        const std::uint64_t lsb = bench.random.below(kStampW + 1 - bits);
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned i = 0; i < num_req; ++i) {
          lines[i / 64] |= std::uint64_t{!idle.next(bench.random)} << i % 64;
          stamps[i] = static_cast<std::uint16_t>(
              cycle - (bench.random.below(std::uint64_t{1} << bits) << lsb));
          // The oldest that there can be.
          if (bench.random.below(64) == 0) stamps[i] = static_cast<std::uint16_t>(cycle + 1);
        }
        ports.drive(AgeArbiter::In{lines.data(), stamps.data(), cycle});
        rtl.eval();
        AgeArbiter::oldest(lines, stamps.data(), cycle, expected);
        bench.equal(ports, AgeArbiter::Out{expected.data()});
        for (const std::uint64_t word : expected) bench.transferred(word != 0);
      }
    }
  });
}
