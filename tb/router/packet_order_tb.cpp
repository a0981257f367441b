// Lockstep bench of the order of packets at an out-port.
#include <algorithm>
#include <vector>

#include "sim/router/packet_order.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "packet_order", [](tb::Bench& bench) {
    const PacketOrder::Config points[] = {
        {10, 2, 2, 3},   {6, 3, 3, 1},    {9, 1, 3, 2},    {8, 4, 0, 3},   {4, 2, 4, 3},
        {1, 1, 0, 3},    {7, 2, 2, 0},    {12, 2, 1, 255}, {16, 5, 10, 7}, {64, 3, 32, 4},
        {36, 3, 12, 15}, {100, 2, 50, 2}, {33, 64, 1, 3},
    };
    for (const PacketOrder::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumReq", c.num_req},
                                     {"NumVc", c.num_vc},
                                     {"NumOwn", c.num_own},
                                     {"OwnAfter", c.own_after}},
                                    std::size(points));
      auto ports = bench.ports<PacketOrder>(rtl, c);
      PacketOrder model(c);
      tb::Pressure idle, body, elsewhere;
      const std::size_t words = (c.num_req + 63) / 64;
      std::vector<std::uint64_t> asking(words), heads(words);
      std::vector<std::uint32_t> vcs(c.num_req);
      PacketOrder::In in = {asking.data(), vcs.data(), heads.data()};
      for (; bench.running(); bench.next()) {
        std::fill(asking.begin(), asking.end(), 0);
        std::fill(heads.begin(), heads.end(), 0);
        for (unsigned r = 0; r < c.num_req; ++r) {
          asking[r / 64] |= std::uint64_t{!idle.next(bench.random)} << r % 64;
          heads[r / 64] |= std::uint64_t{!body.next(bench.random)} << r % 64;
          vcs[r] = static_cast<std::uint32_t>(bench.random.below(c.num_vc));
        }
        // Mostly the one that goes next, else any or none.
        in.moves = model.eval(in).pick;
        if (elsewhere.next(bench.random)) {
          const std::uint64_t other = bench.random.below(c.num_req + 1);
          in.moves = other < c.num_req ? static_cast<unsigned>(other) : PacketOrder::kNobody;
        }
        ports.drive(in);
        rtl.eval();
        auto compare = [&] {
          const PacketOrder::Out out = model.eval(in);
          bench.equal(ports, out);
          bench.transferred(out.pick != PacketOrder::kNobody);
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
