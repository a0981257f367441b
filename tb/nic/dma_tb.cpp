// Lockstep bench of the address generator.
#include "sim/nic/dma.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "dma", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<Dma>(rtl, NoConfig{});
    Dma model;
    tb::Pressure offer;
    for (; bench.running(); bench.next()) {
      const Dma::Out& out = model.out();
      bench.equal(ports, out);
      Dma::In in;
      const std::uint64_t kind = bench.random.below(32);
      in.len = static_cast<std::uint32_t>(1 + bench.random.below(kind == 0 ? 255 : 6));
      in.addr = static_cast<std::uint32_t>(bench.random() & low_mask(kMemAddrW));
      // Addresses wrap at the end of the memory.
      if (kind == 1) in.addr |= static_cast<std::uint32_t>(low_mask(kMemAddrW) & ~std::uint64_t{3});
      in.start = offer.next(bench.random) && out.idle;
      ports.drive(in);
      if (bench.reset_now(rtl)) {
        model.reset();
        continue;
      }
      bench.transferred(in.start);
      model.step(in);
      rtl.tick();
    }
  });
}
