// Lockstep bench of the receive side, with a sender that obeys Buffer-Full and one that counts
// credits. Packets: good ones, headers alone, wrong parity, wrong lengths, bodies outside the
// window (which moves in every cycle) or beyond the buffer, other nodes' packets, false and lost
// Data-End.
#include "sim/nic/recv_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "recv_unit", [](tb::Bench& bench) {
    struct Point {
      unsigned packet_flits;
      bool parity, credit, by_packet;
      PacketForm form = {};
    };
    const Point points[] = {{4, true, false, false},
                            {5, false, false, true, {20}},
                            {16, true, false, false},
                            {1, true, false, false},
                            {255, true, false, false},
                            {4, true, true, true},
                            {5, false, true, false},
                            {1, true, true, true, {17}},
                            {4, true, false, false, {16, 128}},
                            {3, false, true, false, {18, 512}}};
    for (const auto& [packet_flits, parity, credit, by_packet, form] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"PacketFlits", packet_flits},
                                     {"Parity", parity},
                                     {"ByPacket", by_packet},
                                     {"AddrW", form.addr_w},
                                     {"DataW", form.data_w}},
                                    std::size(points));
      const RecvUnit::Config config{parity, packet_flits, form, by_packet};
      RecvUnit model(config);
      auto ports = bench.ports<RecvUnit>(rtl, config);
      auto node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
      tb::PacketSource source(packet_flits, parity, node, form);
      bool refused = false, spoiled = false, reduced = false;
      std::array<bool, kNumRxCounts> counted = {};
      for (; bench.running(); bench.next()) {
        const RecvUnit::Out& out = model.out();
        bench.equal(ports, out);
        reduced |= out.mem_reduce;

        RecvUnit::In in;
        in.rx = credit ? source.next_credited(bench.random, out.rx_credit)
                       : source.next(bench.random, out.rx_full);
        // The own address is read with the header.
        in.node = node;
        if (bench.random.below(32) == 0) in.node ^= 1u << bench.random.below(form.addr_w);
        in.rx_base = static_cast<std::uint32_t>(bench.random() & low_mask(kMemAddrW));
        in.rx_size = tb::random_window(bench.random, packet_flits, form);
        ports.drive(in);
        refused |= out.rx_refused != 0;
        spoiled |= out.rx_parity != 0;
        for (unsigned i = 0; i < kNumRxCounts; ++i) counted[i] |= out.rx_count[i] != 0;
        if (bench.reset_now(rtl)) {
          model.reset();
          node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
          source = tb::PacketSource(packet_flits, parity, node, form);
          continue;
        }
        bench.transferred(out.mem_wen);
        const bool idle = model.idle() && !in.rx.valid;
        model.step(in);
        if (idle) bench.equal("idle, next cycle", model.idle(), true);
        rtl.tick();
      }
      tb::expect(refused, "no packet was refused");
      tb::expect(reduced, "no word is to be reduced");
      tb::expect(spoiled == parity, "parity errors");
      for (const bool seen : counted) tb::expect(seen, "a counter is 0");
    }
  });
}
