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
    for (const unsigned num_req : points) {
      RtlInstance rtl = bench.point({{"NumReq", num_req}}, std::size(points));
      RtlPort now = rtl.port("now_i"), req = rtl.port("req_i"), stamp = rtl.port("stamp_i");
      const RtlPort oldest = rtl.port("oldest_o");
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
          const bool asks = !idle.next(bench.random);
          lines[i / 64] |= std::uint64_t{asks} << i % 64;
          req.set_bits(i, 1, asks);
          stamps[i] = static_cast<std::uint16_t>(
              cycle - (bench.random.below(std::uint64_t{1} << bits) << lsb));
          stamp.set_bits(i * kStampW, kStampW, stamps[i]);
        }
        now.set(cycle);
        rtl.eval();
        AgeArbiter::oldest(lines, stamps.data(), cycle, expected);
        for (unsigned w = 0; w < expected.size(); ++w) {
          bench.equal("oldest_o", oldest.bits(64 * w, std::min(64u, num_req - 64 * w)),
                      expected[w]);
          bench.transferred(expected[w] != 0);
        }
      }
    }
  });
}
