// Lockstep bench of the receive side, with a sender that obeys Buffer-Full and one that counts
// credits. Packets: good ones, headers alone, wrong parity, wrong lengths, bodies outside the
// window or under no window's key (windows move in every cycle) or beyond the buffer, other nodes'
// packets, false and lost Data-End. With MemReady a memory that is not always ready. With ids
// acknowledgements and repeated packets, and restarts of the link.
#include <algorithm>

#include "sim/nic/recv_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/lane_check.hpp"
#include "tb/nic/stimulus.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "recv_unit", [](tb::Bench& bench) {
    bench.open_registers();
    struct Point {
      unsigned packet_flits;
      bool parity, credit, by_packet;
      PacketForm form = {};
      bool mem_ready = false;
      unsigned windows = 1;
      unsigned rx_depth = kRxDepth;
      bool errors = false;  // Words also come while the link is to be stopped.
    };
    const Point points[] = {{4, true, false, false},
                            {5, false, false, true, {20}},
                            {16, true, false, false},
                            {1, true, false, false},
                            {255, true, false, false, {16, 512, 8}, true, 8},
                            {4, true, true, true},
                            {5, false, true, false},
                            {1, true, true, true, {17}},
                            {4, true, false, false, {16, 128}},
                            {3, false, true, false, {18, 512}},
                            {4, true, false, false, {}, true},
                            {2, true, true, false, {16, 256}},
                            {4, true, false, false, {16, 64, 2}, false, 3},
                            {3, false, true, true, {20, 64, 8}, false, 8},
                            {4, false, false, false, {16, 64, 1}, true, 1},
                            {40, false, true, false, {20, 64, 8}, false, 2},
                            {4, true, false, false, {16, 64, 0, 5}},
                            {3, false, true, true, {16, 64, 8, 11}, true, 8},
                            {4, true, true, true, {}, true, 1, 7},
                            {5, true, false, false, {}, true, 1, kMaxRxDepth},
                            {4, true, false, true, {}, true, 1, kRxDepth, true},
                            {2, true, false, true, {}, true, 1, 7, true}};
    for (const auto& [packet_flits, parity, credit, by_packet, form, mem_ready, windows, rx_depth,
                      errors] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"PacketFlits", packet_flits},
                                     {"Parity", parity},
                                     {"ByPacket", by_packet},
                                     {"AddrW", form.addr_w},
                                     {"DataW", form.data_w},
                                     {"MemReady", mem_ready},
                                     {"Windows", windows},
                                     {"KeyW", form.key_w},
                                     {"IdW", form.id_w},
                                     {"RxDepth", rx_depth}},
                                    std::size(points), !errors);
      const RecvUnit::Config config{parity,    packet_flits, form,    by_packet,
                                    mem_ready, windows,      rx_depth};
      RecvUnit model(config);
      auto ports = bench.ports<RecvUnit>(rtl, config);
      auto node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
      tb::PacketSource source(packet_flits, parity, node, form, false, rx_depth);
      RtlPort wready = rtl.port("mem_wready_i");
      RtlPort restart = rtl.port("restart_i"), repeated = rtl.port("repeated_i");
      const bool ids = form.id_w != 0;
      tb::Pressure accept;
      tb::LaneCheck lane;
      bool refused = false, spoiled = false, reduced = false;
      bool restarts = false, acknowledged = false, repeats = false,
           again = false;  // With ids, see RecvUnit::In and Out.
      std::array<bool, kNumRxCounts> counted = {};
      RecvUnit::In in;
      const bool few = packet_flits > 16;  // Few packets: at least so many, but not all kinds.
      std::uint32_t end = 0;               // End of the body that arrives, in its window.
      bool body = false;                   // Its header has passed.
      for (unsigned packets = 0; bench.running() || (few && packets < 100); bench.next()) {
        bench.wind_counters(rtl, model);
        const RecvUnit::Out& out = model.out();
        bench.equal(ports,
                    RecvUnit::Shown{out, model.mem_wleft(), ids ? model.ask() : IdOfPacket{}});
        reduced |= out.mem_reduce;
        acknowledged |= out.ack.valid;

        in = {};
        in.rx = credit ? source.next_credited(bench.random, out.rx_credit)
                       : source.next(bench.random, out.rx_full && !errors);
        // The own address is read with the header.
        if (restarts) source.restarted();
        restarts = in.restart = ids && bench.random.below(64) == 0;
        in.repeated = bench.random.below(4) == 0;
        in.node = node;
        if (bench.random.below(32) == 0) in.node ^= 1u << bench.random.below(form.addr_w);
        if (in.rx.valid && !body) {
          const Header header = Header::unpack(in.rx.data, form);
          end = header.off % form.window_flits() + header.len;
        }
        if (in.rx.valid) body = !in.rx.last;
        packets += in.rx.valid && in.rx.last;
        in.windows = tb::random_windows(bench.random, packet_flits, form, windows);
        for (unsigned w = 0; w < windows; ++w) {
          // The body just fits, or does not, by one place or by one bit; or it lies around a power
          // of two.
          const auto mask = static_cast<std::uint32_t>(low_mask(kMemAddrW));
          const auto kind = bench.random.below(8);
          if (kind < 2 && end != 0) {
            in.windows.size[w] = end - static_cast<std::uint32_t>(bench.random.below(2));
          } else if (kind == 2) {
            in.windows.size[w] = (end ^ 1u << bench.random.below(kMemAddrW)) & mask;
          } else if (kind < 5) {
            const auto back = static_cast<std::uint32_t>(bench.random.below(2 * packet_flits));
            in.windows.base[w] = ((1u << bench.random.below(kMemAddrW + 1)) - end + back) & mask;
            in.windows.size[w] = mask;
          }
        }
        in.mem_wready = accept.next(bench.random);
        ports.drive(in);
        // Without MemReady it is ignored.
        if (!mem_ready) wready.set(bench.random.below(2));
        if (!ids) {  // Without ids the restart and repetition lines are ignored.
          restart.set(bench.random.below(2));
          repeated.set(bench.random.below(2));
        }
        // Once when a packet that was dropped as repeated has been counted.
        const bool due = !repeats && again;
        repeats |= due;
        if (bench.reset_now(rtl, due)) {
          model.reset();
          node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
          source = tb::PacketSource(packet_flits, parity, node, form, false, rx_depth);
          lane = {};
          restarts = body = false;
          continue;
        }
        bench.transferred(out.mem_wen);
        if (mem_ready) lane.see(out.mem_wen, out.mem_waddr, model.mem_wleft(), in.mem_wready);
        const bool idle = model.idle() && !in.rx.valid && !in.restart;
        const auto counts = out.rx_count;
        const std::uint32_t parity_errors = out.rx_parity, refusals = out.rx_refused,
                            repetitions = out.rx_repeated;
        model.step(in);
        refused |= out.rx_refused != refusals;
        spoiled |= out.rx_parity != parity_errors;
        again = out.rx_repeated != repetitions;
        for (unsigned i = 0; i < kNumRxCounts; ++i) counted[i] |= out.rx_count[i] != counts[i];
        if (idle) bench.equal("idle, next cycle", model.idle(), true);
        rtl.tick();
      }
      tb::expect(refused, "no packet was refused");
      tb::expect(!ids || acknowledged, "no acknowledgement came");
      tb::expect(reduced || few, "no word is to be reduced");
      tb::expect(spoiled == parity || few, "parity errors");
      for (const bool seen : counted) tb::expect(seen || few, "a counter is 0");
    }
  });
}
