// Lockstep bench of the send controller: random messages, back-pressure, memory words on the lane
// only in the cycle after a read.
#include "sim/nic/send_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "send_unit", [](tb::Bench& bench) {
    struct Point {
      unsigned packet_flits;
      bool parity;
      HeaderForm form = {};
    };
    const Point points[] = {{4, false},       {5, true, {20}}, {16, true},
                            {1, false, {17}}, {2, true},       {255, false}};
    for (const auto& [packet_flits, parity, form] : points) {
      RtlInstance rtl =
          bench.point({{"PacketFlits", packet_flits}, {"Parity", parity}, {"AddrW", form.addr_w}},
                      std::size(points));
      const SendUnit::Config config{parity, packet_flits, form};
      auto ports = bench.ports<SendUnit>(rtl, config);
      SendUnit model(config);
      tb::Pressure offer, take;
      for (; bench.running(); bench.next()) {
        const SendUnit::Out& out = model.out();
        bench.equal(ports, SendUnit::Shown{out, model.empty()});

        SendUnit::In in;
        in.node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
        in.desc_valid = offer.next(bench.random);
        in.desc = tb::random_descriptor(bench.random, packet_flits, form);
        in.ready = take.next(bench.random);
        in.mem_rdata = bench.random();
        ports.drive(in);
        if (bench.reset_now(rtl)) {
          model.reset();
          continue;
        }
        bench.transferred(out.offer.valid && in.ready);

        const bool idle = model.idle() && !in.desc_valid;
        model.step(in);
        if (idle) bench.equal("idle, next cycle", model.idle(), true);
        rtl.tick();
      }
    }
  });
}
