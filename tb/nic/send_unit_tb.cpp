// Lockstep bench of the send controller: random messages, back-pressure, memory words on the lane
// only in the cycle after a read was accepted. The words of a packet are also compared with the
// memory's.
#include <deque>

#include "sim/nic/send_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/lane_check.hpp"
#include "tb/nic/stimulus.hpp"

namespace {
// Address of messages whose start is almost 2^31 cycles ago.
constexpr std::uint32_t kPast = 77;

// The word of the memory at an address.
weft::FlitData held_at(std::uint32_t addr, unsigned words) {
  weft::FlitData data;
  for (unsigned w = 0; w < words; ++w) {
    data.word[w] = weft::mix64((addr & weft::low_mask(weft::kMemAddrW)) + (std::uint64_t{w} << 40));
  }
  return data;
}
}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "send_unit", [](tb::Bench& bench) {
    struct Point {
      unsigned packet_flits;
      bool parity;
      PacketForm form = {};
      bool timed = false, mem_ready = false;
    };
    const Point points[] = {{4, false},
                            {5, true, {20}},
                            {4, true, {}, true},
                            {16, true},
                            {1, false, {17}},
                            {2, true},
                            {1, false, {}, true},
                            {255, false},
                            {4, true, {16, 128}},
                            {3, false, {18, 512}},
                            {2, true, {16, 256}, true},
                            {4, true, {}, true, true},
                            {1, false, {}, false, true}};
    for (const auto& [packet_flits, parity, form, timed, mem_ready] : bench.order(points)) {
      RtlInstance rtl = bench.point({{"PacketFlits", packet_flits},
                                     {"Parity", parity},
                                     {"AddrW", form.addr_w},
                                     {"DataW", form.data_w},
                                     {"Timed", timed},
                                     {"MemReady", mem_ready}},
                                    std::size(points));
      const SendUnit::Config config{parity, packet_flits, form, timed, mem_ready};
      auto ports = bench.ports<SendUnit>(rtl, config);
      SendUnit model(config);
      RtlPort rready = rtl.port("mem_rready_i");
      tb::Pressure offer, take, accept;
      tb::LaneCheck lane;
      bool read = false;  // In the cycle before, at this address.
      std::uint32_t raddr = 0;
      std::uint32_t words_sent = 0;  // Words of the first message.
      // Messages that were accepted and are not sent, and whether flits of the first are.
      std::deque<Descriptor> waiting;
      bool begun = false, inside = false;
      Header header;
      // The clock's carries into and beyond its 16th bit.
      std::uint32_t now = 0;
      for (; timed && now < (1u << 16) - 100; ++now) rtl.tick();
      // One message of more than half the greatest length is sent to its end: every bit of what is
      // left of it is borrowed from.
      bool whole = packet_flits == 255;
      for (; bench.running() || whole; bench.next(), ++now) {
        const SendUnit::Out& out = model.out();
        if (timed && out.offer.valid && !begun && waiting.front().timed) {
          // Starts of the distant past become future ones while they wait, and stay due.
          const std::uint32_t since = now - waiting.front().start;
          tb::expect(since < 1u << 31 || waiting.front().addr == kPast, "offered before its start");
        }
        SendUnit::In in;
        in.node = static_cast<std::uint32_t>(bench.random() & low_mask(form.addr_w));
        in.desc_valid = offer.next(bench.random);
        in.desc = bench.random.below(64) == 0
                      ? tb::long_message(bench.random, packet_flits, form)
                      : tb::random_descriptor(bench.random, packet_flits, form);
        in.now = now;
        tb::random_start(bench.random, now, in.desc);
        in.desc.more = bench.random.below(4) == 0;
        if (now - in.desc.start > 1u << 30 && now - in.desc.start < 1u << 31) in.desc.addr = kPast;
        in.ready = take.next(bench.random);
        if (whole) {
          in.desc = {.addr = 5, .len = (1u << (kMsgLenW - 1)) + 3};
          in.desc_valid = waiting.empty();
          in.ready = true;
        }
        const unsigned words = form.flit_words();
        in.mem_rdata = read ? held_at(raddr, words) : tb::random_data(bench.random, words);
        in.mem_rready = accept.next(bench.random);
        ports.drive(in);
        // Without MemReady it is ignored.
        if (!mem_ready) rready.set(bench.random.below(2));
        rtl.eval();
        bench.equal(ports, SendUnit::Shown{out, model.empty(), model.takes(in.mem_rready),
                                           model.mem_rleft()});
        // Of a long message the first packets are enough: those in which its counters carry.
        const bool enough = !waiting.empty() && waiting.front().len >= tb::kLongFlits &&
                            words_sent > 3 * packet_flits;
        if (!whole && bench.reset_now(rtl, enough)) {
          model.reset();
          waiting.clear();
          begun = inside = read = false;
          words_sent = 0;
          lane = {};
          now = ~std::uint32_t{0};  // 0 in the next cycle.
          continue;
        }
        bench.transferred(out.offer.valid && in.ready);
        const bool accepted = in.mem_rready || !mem_ready;
        if (mem_ready) lane.see(out.mem_ren, out.mem_raddr, model.mem_rleft(), accepted);
        read = out.mem_ren && accepted;
        raddr = out.mem_raddr;
        if (in.desc_valid && model.takes(in.mem_rready)) waiting.push_back(in.desc);
        if (out.offer.valid && in.ready) {
          if (!inside) {
            header = Header::unpack(out.offer.data, form);
          } else {
            FlitData word;
            out.offer.store(word.word.data(), words);
            tb::expect(word == held_at(waiting.front().addr + words_sent++, words), "word sent");
          }
          begun = inside = true;
          if (out.offer.last) {
            inside = false;
            const bool ends = words_sent == waiting.front().len;
            tb::expect(header.eom == (ends && !waiting.front().more), "end of the message");
            if (ends) {
              waiting.pop_front();
              if (whole) bench.begin_share();
              whole = false;
              begun = false;
              words_sent = 0;
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
