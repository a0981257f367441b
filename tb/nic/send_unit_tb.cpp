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
      RtlPort node = rtl.port("node_i"), desc_valid = rtl.port("desc_valid_i");
      RtlPort rdata = rtl.port("mem_rdata_i"), ready = rtl.port("ready_i");
      tb::DescPorts desc(rtl);
      const RtlPort desc_ready = rtl.port("desc_ready_o"), ren = rtl.port("mem_ren_o");
      const RtlPort raddr = rtl.port("mem_raddr_o"), valid = rtl.port("valid_o");
      const RtlPort last = rtl.port("last_o"), data = rtl.port("data_o");
      const RtlPort sent = rtl.port("sent_o"), empty = rtl.port("empty_o");
      SendUnit model({parity, packet_flits, form});
      tb::Pressure offer, take;
      for (; bench.running(); bench.next()) {
        const SendUnit::Out& out = model.out();
        bench.equal("desc_ready_o", desc_ready.get(), out.desc_ready);
        bench.equal("empty_o", empty.get(), model.empty());
        bench.equal("mem_ren_o", ren.get(), out.mem_ren);
        bench.equal("mem_raddr_o", raddr.get(), out.mem_raddr);
        bench.equal("valid_o", valid.get(), out.offer.valid);
        bench.equal("last_o", last.get(), out.offer.last);
        bench.equal("data_o", data.bits(0, 64), out.offer.data);
        if (parity) bench.equal("data_o parity", data.bits(64, 1), out.offer.parity);
        bench.equal("sent_o", sent.get(), out.sent);

        SendUnit::In in;
        in.node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
        in.desc_valid = offer.next(bench.random);
        in.desc = tb::random_descriptor(bench.random, packet_flits, form);
        in.ready = take.next(bench.random);
        in.mem_rdata = bench.random();
        node.set(in.node);
        desc_valid.set(in.desc_valid);
        desc.set(in.desc);
        ready.set(in.ready);
        rdata.set(in.mem_rdata);
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
