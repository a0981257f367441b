// Lockstep bench of the memory. Only words that were written are read: those before have no value.
#include <vector>

#include "sim/buffer/ram.hpp"
#include "tb/buffer/random_bits.hpp"
#include "tb/lib/bench.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "ram", [](tb::Bench& bench) {
    const Ram::Config points[] = {{9, 5}, {1, 1}, {33, 16}, {64, 2}, {64, 256}, {200, 3}};
    for (const Ram::Config& config : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"DataW", config.data_w}, {"Depth", config.depth}}, std::size(points));
      auto ports = bench.ports<Ram>(rtl, config);
      Ram model(config);
      tb::Pressure write, read;
      std::vector<bool> written(config.depth);
      bool has_read = false;
      for (; bench.running(); bench.next()) {
        if (has_read) bench.equal(ports, model.out());
        // What is held outlasts a reset.
        ports.drive(Ram::In{});
        if (bench.reset_now(rtl)) continue;
        const auto any = [&] { return static_cast<std::uint32_t>(bench.random() % config.depth); };
        Ram::In in;
        in.wen = write.next(bench.random);
        in.widx = any();
        in.wdata = tb::random_bits(bench.random, config.data_w);
        in.ridx = any();
        in.ren = read.next(bench.random) && written[in.ridx] && !(in.wen && in.widx == in.ridx);
        ports.drive(in);
        model.step(in);
        if (in.wen) written[in.widx] = true;
        has_read |= in.ren;
        bench.transferred(in.ren);
        rtl.tick();
      }
    }
  });
}
