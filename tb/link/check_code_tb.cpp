// Bench of the check code: random words, and words with few bits set.
#include <algorithm>
#include <vector>

#include "sim/link/check_code.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "check_code", [](tb::Bench& bench) {
    const CheckCode::Config points[] = {{1, true},  {64, true},  {90, true},  {555, true},
                                        {3, false}, {64, false}, {98, false}, {550, false}};
    for (const CheckCode::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"Width", c.width}, {"Crc", c.crc}}, std::size(points));
      auto ports = bench.ports<CheckCode>(rtl, c);
      const CheckCode model(c);
      std::vector<std::uint64_t> word((c.width + 63) / 64);
      for (; bench.running(); bench.next()) {
        const bool few = bench.random.chance(0.5);
        for (std::uint64_t& part : word) part = few ? 0 : bench.random();
        for (unsigned n = 0; n < 3; ++n) {
          const auto bit = bench.random.below(c.width);
          word[bit / 64] |= std::uint64_t{1} << bit % 64;
        }
        if (c.width % 64 != 0) word.back() &= low_mask(c.width % 64);
        ports.drive(CheckCode::In{word.data()});
        rtl.eval();
        bench.equal(ports, model.eval({word.data()}));
        bench.transferred();
      }
    }
  });
}
