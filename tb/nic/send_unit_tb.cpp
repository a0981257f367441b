// Lockstep bench of the send controller: random messages, back-pressure, memory words on the lane
// only in the cycle after a read.
#include <deque>

#include "sim/nic/send_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {
// Address of messages whose start is almost 2^31 cycles ago.
constexpr std::uint32_t kPast = 77;
}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "send_unit", [](tb::Bench& bench) {
    struct Point {
      unsigned packet_flits;
      bool parity;
      PacketForm form = {};
      bool timed = false;
    };
    const Point points[] = {{4, false},           {5, true, {20}},  {4, true, {}, true},
                            {16, true},           {1, false, {17}}, {2, true},
                            {1, false, {}, true}, {255, false},     {4, true, {16, 128}},
                            {3, false, {18, 512}}};
    for (const auto& [packet_flits, parity, form, timed] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"PacketFlits", packet_flits},
                                     {"Parity", parity},
                                     {"AddrW", form.addr_w},
                                     {"DataW", form.data_w},
                                     {"Timed", timed}},
                                    std::size(points));
      const SendUnit::Config config{parity, packet_flits, form, timed};
      auto ports = bench.ports<SendUnit>(rtl, config);
      SendUnit model(config);
      tb::Pressure offer, take;
      // Messages that were accepted and are not sent, and whether flits of the first are.
      std::deque<Descriptor> waiting;
      bool begun = false, inside = false;
      Header header;
      std::uint32_t now = 0;
      for (; bench.running(); bench.next(), ++now) {
        const SendUnit::Out& out = model.out();
        if (timed && out.offer.valid && !begun && waiting.front().timed) {
          // Those of the distant past become future ones while they wait, and stay due.
          const std::uint32_t since = now - waiting.front().start;
          tb::expect(since < 1u << 31 || waiting.front().addr == kPast, "offered before its start");
        }
        bench.equal(ports, SendUnit::Shown{out, model.empty()});

        SendUnit::In in;
        in.node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
        in.desc_valid = offer.next(bench.random);
        in.desc = tb::random_descriptor(bench.random, packet_flits, form);
        in.now = now;
        tb::random_start(bench.random, now, in.desc);
        if (now - in.desc.start > 1u << 30 && now - in.desc.start < 1u << 31) in.desc.addr = kPast;
        in.ready = take.next(bench.random);
        in.mem_rdata = tb::random_data(bench.random, form.flit_words());
        ports.drive(in);
        if (bench.reset_now(rtl)) {
          model.reset();
          waiting.clear();
          begun = inside = false;
          now = ~std::uint32_t{0};  // 0 in the next cycle.
          continue;
        }
        bench.transferred(out.offer.valid && in.ready);
        if (in.desc_valid && out.desc_ready) waiting.push_back(in.desc);
        if (out.offer.valid && in.ready) {
          if (!inside) header = Header::unpack(out.offer.data, form);
          begun = inside = true;
          if (out.offer.last) {
            inside = false;
            if (header.eom) {
              waiting.pop_front();
              begun = false;
            }
          }
        }

        const bool idle = model.idle() && !in.desc_valid;
        model.step(in);
        if (idle) bench.equal("idle, next cycle", model.idle(), true);
        rtl.tick();
      }
    }
  });
}
