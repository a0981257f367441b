// Lockstep bench of the address generator, with a memory that is not always ready. The requests are
// also compared with the addresses that are due.
#include <deque>

#include "sim/nic/dma.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "dma", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<Dma>(rtl, NoConfig{});
    Dma model;
    tb::Pressure offer, accept;
    std::deque<std::uint32_t> due;  // Requests that are not accepted yet.
    for (; bench.running(); bench.next()) {
      const Dma::Out& out = model.out();
      tb::expect(out.req == !due.empty() && out.addr == (due.empty() ? 0 : due.front()) &&
                     model.left() + out.req == due.size(),
                 "not the request that is due");
      Dma::In in;
      const std::uint64_t kind = bench.random.below(32);
      in.len = static_cast<std::uint32_t>(1 + bench.random.below(kind == 0 ? 255 : 6));
      in.addr = static_cast<std::uint32_t>(bench.random() & low_mask(kMemAddrW));
      // Addresses wrap at the end of the memory.
      if (kind == 1) in.addr |= static_cast<std::uint32_t>(low_mask(kMemAddrW) & ~std::uint64_t{3});
      in.ready = accept.next(bench.random);
      in.start = offer.next(bench.random) && model.idle(in.ready);
      ports.drive(in);
      rtl.eval();
      bench.equal(ports, Dma::Shown{out, model.idle(in.ready), model.left()});
      if (bench.reset_now(rtl)) {
        model.reset();
        due.clear();
        continue;
      }
      bench.transferred(in.start);
      if (in.ready && !due.empty()) due.pop_front();
      for (std::uint32_t i = 0; in.start && i < in.len; ++i) {
        due.push_back((in.addr + i) & static_cast<std::uint32_t>(low_mask(kMemAddrW)));
      }
      model.step(in);
      rtl.tick();
    }
  });
}
