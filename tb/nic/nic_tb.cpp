// Lockstep bench of the network interface. Besides model against RTL, the outgoing links are read
// as packets: complete, well formed, paced, with the words of the memory, and the right VC and
// stamp. Without back-pressure packets are expected in exact cycles, and equal messages in order.
// With MemReady the memory is not always ready. With Slots see reliable_life.hpp.
#include "sim/nic/nic.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/credit_link.hpp"
#include "tb/nic/nic_checks.hpp"
#include "tb/nic/nic_pair.hpp"
#include "tb/nic/reliable_life.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;
using Pair = tb::NicPair;
using tb::WindowCheck;
using tb::WireCheck;

// An address that has a VC, by a number: different for the first few numbers.
std::uint32_t destination(const Nic::Config& config, std::uint32_t number) {
  if (!config.by_dest) return number;
  const std::uint32_t nodes = tb::node_count(config.max_coords);
  return tb::address_of(config.max_coords, number % nodes, number / nodes << 8);
}

// Faults that were counted in any part of a run.
struct Seen {
  bool parity = false, refused = false;
  bool part = false;  // A packet was stored that is not the last of its message.

  bool all(bool with_parity) const { return part && refused && parity == with_parity; }
};

// Random work until the end of the point, with time for the last messages, or until a reset; true
// after a reset.
bool random_life(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, Seen& seen,
                 std::uint64_t idle) {
  Pair pair(bench, rtl, config, idle);
  Nic::In in;
  in.node = static_cast<std::uint32_t>(bench.random() & low_mask(config.header.addr_w));
  in.windows = tb::random_windows(bench.random, config.packet_flits, config.header, config.windows);
  in.reduction = {
      static_cast<ReduceOp>(bench.random.below(kReduceOps)),
      static_cast<ReduceType>(bench.random.below(kReduceTypes)),
      static_cast<std::uint32_t>(1 + bench.random.below(bench.random.below(2) != 0 ? 9 : 0xffff))};
  std::vector<tb::PacketSource> sources(
      config.links(), tb::PacketSource(config.packet_flits, config.parity, in.node, config.header,
                                       config.reduce, config.rx_depth));
  tb::Pressure order, hold;
  tb::ReadyLines writes_open;
  WireCheck wire(config, in.node);
  WindowCheck window(config, in);
  std::uint64_t accepted = 0;
  // At the end there are no new messages, but time for the last ones with the largest gaps.
  const std::uint64_t longest = 6 * (config.packet_flits + 1) * 256;
  const std::uint64_t limit = (config.queue_depth + config.num_ctrl) * longest;
  for (std::uint64_t rest = 1000, over = 0; bench.running() || rest > 0;) {
    if (!bench.running()) {
      tb::expect(++over < limit, "messages do not end");
      if (wire.ended() == accepted) --rest;
    }
    const Nic::Out& out = pair.out();
    pair.compare();
    bool sends = false;
    for (unsigned i = 0; i < config.links(); ++i) {
      wire.see(out.tx[i], i, bench.cycle(), pair.now());
      sends |= out.tx[i].valid;
    }
    if (config.mem_ready) {
      in.mem_wready = 0xff;
      if (bench.running()) {
        in.mem_wready = static_cast<std::uint8_t>(writes_open.lines(bench.random));
      }
    }
    const NicStatus status = pair.status();
    window.see_writes(out, status, in.mem_wready);
    seen.parity |= status.rx_parity != 0;
    seen.refused |= status.rx_refused != 0;
    seen.part |= window.kept_part();
    // Of a long message the first packets are enough: those in which its counters carry.
    if (bench.running() && bench.reset_now(rtl, wire.has_long(true))) return true;
    if (!bench.running() && wire.has_long(false)) {
      rtl.reset();
      return true;
    }

    for (unsigned i = 0; i < config.links(); ++i) {
      in.rx[i] = config.credit ? sources[i].next_credited(
                                     bench.random, (out.rx_credit >> i & 1) != 0, bench.running())
                               : sources[i].next(bench.random, out.rx_full, bench.running());
      window.see(in.rx[i], i);
    }
    in.tx_full = hold.next(bench.random) && bench.running();
    in.desc = bench.random.below(128) == 0
                  ? tb::long_message(bench.random, config.packet_flits, config.header)
                  : tb::random_descriptor(bench.random, config.packet_flits, config.header);
    tb::keep_under_key(config.header, in.desc);
    const auto now = static_cast<std::uint32_t>(pair.now());
    tb::random_start(bench.random, now, in.desc);
    // What the check of the links can tell apart: not almost 2^31 cycles ago.
    if (now - in.desc.start > 1000 && in.desc.start - now > 1000) in.desc.start = now;
    in.desc.ctrl = tb::random_controller(bench.random, config.num_ctrl);
    if (config.by_dest) {
      const std::uint64_t rank = bench.random.below(tb::node_count(config.max_coords));
      in.desc.dst =
          tb::address_of(config.max_coords, static_cast<std::uint32_t>(rank), in.desc.dst);
    }
    in.desc_valid = bench.running() && order.next(bench.random) && !wire.knows(in.desc.dst);
    if (in.desc_valid && out.status.desc_free != 0) {
      wire.posted(in.desc);
      ++accepted;
    }
    bench.transferred(sends);
    pair.step(in, !bench.running());
  }
  pair.compare();
  tb::expect(pair.status().tx_count == accepted && wire.ended() == accepted, "messages sent");
  window.finish(pair.status());
  return false;
}

// Equal messages of one packet: their headers are on each link in the order of posting.
void order_run(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, std::uint32_t len) {
  constexpr std::uint32_t messages = 20;
  rtl.reset();
  Pair pair(bench, rtl, config);
  Nic::In in;
  in.desc = {.dst = destination(config, 0), .addr = 100, .len = len, .off = 0, .tag = 0, .gap = 0};
  in.desc_valid = true;
  std::array<bool, Nic::kMaxLinks> inside = {};
  std::array<std::uint32_t, Nic::kMaxLinks> next = {};  // Messages that may still come.
  const std::uint64_t limit = bench.cycle() + messages * (std::uint64_t{len} + 20);
  for (std::uint32_t sent = 0, posted = 0; sent < messages;) {
    tb::expect(bench.cycle() < limit, "equal messages do not end");
    pair.compare();
    for (unsigned i = 0; i < config.links(); ++i) {
      const Flit& tx = pair.out().tx[i];
      if (!tx.valid) continue;
      if (!inside[i]) {
        const std::uint32_t dst = Header::unpack(tx.data, config.header).dst;
        // One link carries every message; of several links each carries some.
        while (config.links() > 1 && next[i] < messages && destination(config, next[i]) != dst) {
          ++next[i];
        }
        bench.equal("order", dst, destination(config, next[i]++));
        ++sent;
      }
      inside[i] = !tx.last;
    }
    const bool taken = in.desc_valid && pair.out().status.desc_free != 0;
    pair.step(in, true);
    if (!taken) continue;
    in.desc_valid = ++posted < messages;
    in.desc.dst = destination(config, posted);
  }
}

// One message on one controller without back-pressure: the cycle of every header is known. The
// descriptor of cycle t is dispatched in t+1, cut in t+2; the header is on the link 4 cycles later
// (2 without a body), and 2 more with arbitration between several controllers on one link.
void exact_run(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, std::uint32_t packets,
               std::uint32_t gap) {
  rtl.reset();
  Pair pair(bench, rtl, config);
  Nic::In in;
  in.desc_valid = true;
  const std::uint32_t p = config.packet_flits;
  const std::uint32_t len = packets == 0 ? 0 : packets * p;
  in.desc = {
      .dst = destination(config, 1), .addr = 100, .len = len, .off = 0, .tag = 0, .gap = gap};
  const std::uint64_t begin = bench.cycle();
  // Too late for the first header without a body, in the past, or much later.
  constexpr std::uint32_t kStarts[] = {0, 4, 60, 0x90000000};
  in.desc.timed = config.timed;
  in.desc.start = kStarts[(packets + gap) % 4];
  const std::uint32_t start = in.desc.start < 100 && config.timed ? in.desc.start : 0;
  const std::uint32_t arbitration = config.num_ctrl > 1 && !config.credit ? 2 : 0;
  // With MemReady it waits for the last word of its packet.
  const std::uint32_t first = len == 0 ? 4 : config.mem_ready ? 5 + p : 6;
  std::uint64_t header_at = begin + std::max(first, start + 1) + arbitration;
  // When the packet can be there that uses the buffer of the packet before, or of this one.
  std::uint64_t fetched = 0, fetched_next = 0;
  std::uint32_t seen = 0, body = 0;
  const std::uint32_t wanted = packets == 0 ? 1 : packets;
  while (bench.cycle() < begin + 100 + std::uint64_t{wanted} * ((p + 1) * (gap + 1) + 2)) {
    pair.compare();
    const Flit& tx = pair.out().tx[0];
    const bool due = seen < wanted && bench.cycle() >= header_at;
    bench.equal("tx_valid_o in time", tx.valid, due);
    if (due && tx.last) {
      // An inter-packet gap of exactly gap packet times.
      // Taken in the cycle before, cut in this one, its words stored from the third on.
      fetched = fetched_next;
      if (config.mem_ready) fetched_next = bench.cycle() + p + 3;
      header_at = std::max(bench.cycle() + 1 + gap * (body + 1), fetched) + arbitration;
      body = 0;
      ++seen;
    } else if (due) {
      ++body;
    }
    pair.step(in, true);
    in.desc_valid = false;
  }
  bench.equal("packets in time", seen, wanted);
  bench.equal("tx_count_o in time", pair.status().tx_count, 1);
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "nic", [](tb::Bench& bench) {
    bench.open_registers();
    // The first ones cover most behaviour, so that a mutation is detected soon.
    const Nic::Config points[] = {
        {4, true, 16, 8, true, 2, 8, false, true},
        {.num_ctrl = 3,
         .parity = true,
         .packet_flits = 5,
         .queue_depth = 2,
         .header = {20},
         .timed = true},
        {.packet_flits = 4, .reduce = true},
        {.parity = true, .packet_flits = 4, .header = {.data_w = 128}, .reduce = true},
        {.num_ctrl = 2, .packet_flits = 5, .credit = true, .num_vc = 2, .header = {17, 512}},
        {.num_ctrl = 2, .packet_flits = 16, .credit = true, .num_vc = 2, .reduce = true},
        {2, false, 5, 8, true, 12, 2, true, true, {2, 3}, {18}},
        {.packet_flits = 4, .timed = true},
        {1, true, 16, 2},
        {2, true, 5, 8},
        {4, true, 4, 2},
        {4, false, 16, 8},
        {1, true, 5, 8, true, 1, 2, false, false},
        {1, false, 16, 8, true, 2, 3, false, true, {}, {17}},
        {4, false, 5, 2, true, 2, 2, false, false},
        {1, true, 4, 2, true, 70, 2, true, false, {4, 0, 13}},
        {.num_ctrl = 2,
         .packet_flits = 4,
         .credit = true,
         .num_vc = 2,
         .in_order = true,
         .keeps_order = true,
         .timed = true},
        {.packet_flits = 4, .credit = true, .num_vc = 3, .vc_depth = 3, .in_order = true},
        {.packet_flits = 4, .credit = true, .num_vc = 2, .keeps_order = true, .rx_depth = 7},
        {.num_ctrl = 2, .packet_flits = 4, .credit = true, .num_vc = 4, .classes = true},
        {.num_ctrl = 4, .packet_flits = 40, .credit = true, .num_vc = 2, .mem_ready = true},
        {.num_ctrl = 3, .parity = true, .packet_flits = 4, .timed = true, .mem_ready = true},
        {.packet_flits = 4, .mem_ready = true},
        {.parity = true, .packet_flits = 4, .header = {.data_w = 256}, .timed = true},
        {.num_ctrl = 2,
         .packet_flits = 4,
         .credit = true,
         .num_vc = 2,
         .header = {.key_w = 2},
         .windows = 3},
        {.num_ctrl = 3,
         .parity = true,
         .packet_flits = 4,
         .header = {.id_w = 5},
         .slots = 2,
         .addresses = 5,
         .timeout = 300},
        {.num_ctrl = 2,
         .packet_flits = 3,
         .credit = true,
         .num_vc = 2,
         .age = true,
         .header = {.addr_w = 17, .key_w = 1, .id_w = 5},
         .mem_ready = true,
         .windows = 2,
         .slots = 4,
         .addresses = 3,
         .timeout = 200},
        {.packet_flits = 4,
         .header = {.data_w = 128, .id_w = 4},
         .reduce = true,
         .slots = 4,
         .timeout = 200},
        {.num_ctrl = 4,
         .packet_flits = 16,
         .credit = true,
         .header = {.id_w = 8},
         .slots = 16,
         .addresses = 1024,
         .timeout = 400},
        {.num_ctrl = 8,
         .parity = true,
         .packet_flits = 255,
         .credit = true,
         .num_vc = 2,
         .header = {.key_w = 8},
         .windows = 8,
         .rx_depth = 8},
    };
    for (const Nic::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point(rtl_params(config), std::size(points));
      if (config.slots != 0) {
        tb::reliable_lives(bench, rtl, config);
        continue;
      }
      for (const std::uint32_t packets : {0, 1, 2, 5}) {
        for (const std::uint32_t gap : {0, 1, 3}) exact_run(bench, rtl, config, packets, gap);
      }
      for (const std::uint32_t len : {0u, 1u, 2u, config.packet_flits}) {
        order_run(bench, rtl, config, len);
      }
      Seen seen;
      // With a small window almost every packet is refused, and in a short run few are faulty.
      for (unsigned lives = 0; lives < 20 && !seen.all(config.parity); ++lives) {
        rtl.reset();
        bench.begin_share();
        // Clocks and stamps count modulo 2^16 and 2^32: at first they are before a carry.
        std::uint64_t idle = 0;
        for (; (config.timed || config.age) && idle < (1u << 16) - 100; ++idle) rtl.tick();
        while (random_life(bench, rtl, config, seen, idle)) {
          bench.next();
          idle = 0;
        }
      }
      tb::expect(seen.part, "no packet was stored but the last of a message");
      tb::expect(seen.refused && seen.parity == config.parity, "no faults were seen");
    }
  });
}
