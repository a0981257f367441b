// Lockstep bench of the interface for a system on chip. A driver uses it as a processor would
// (nic_driver.hpp); its links lead back to the same interface, and its memory is behind AXI4 and
// takes its time. With Slots errors on its links lose packets, and a manager restarts it.
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

#include "sim/bus/axi_nic.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "tb/bus/axi_memory.hpp"
#include "tb/bus/nic_driver.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

// Holds the interface now and then, and restarts it when no word is read.
class Manager {
 public:
  // The inputs of a cycle in which the interface has these outputs, and reads words or not.
  void drive(RandomStream& random, const AxiNic::Out& out, bool reads, Nic::In& in) {
    const bool restarted = in.restart;
    if (!in.hold) wants_ = out.nic.overdue || random.below(200) == 0;
    in.restart = in.hold && !restarted && wants_ && !reads && random.below(8) == 0;
    in.hold = restarted || in.restart ||
              (in.hold ? wants_ || random.below(8) != 0 : wants_ || random.below(200) == 0);
    if (restarted) wants_ = false;
  }

 private:
  bool wants_ = false;  // A restart.
};

// Until the end of the point or a reset; true after a reset.
// `again`: packets were sent again, and had come before.
bool life(tb::Bench& bench, RtlInstance& rtl, const AxiNic::Config& config, bool& again) {
  auto ports = bench.ports<AxiNic>(rtl, config);
  AxiNic model(config);
  AxiNic::In in;
  const std::uint64_t wide = bench.random() & config.reads().addr_mask();
  const std::uint64_t size = std::uint64_t{config.mem_flits} * config.nic.header.flit_bytes();
  in.base = std::min(wide, config.reads().addr_mask() - (size - 1)) & ~std::uint64_t{4095};
  in.nic.node = static_cast<std::uint32_t>(bench.random() & low_mask(config.nic.header.addr_w));
  std::array<std::uint64_t, Nic::kMaxLinks> credits = {};
  // VCs of the words that are in the interface's own FIFO, link by link.
  std::array<std::deque<std::uint32_t>, Nic::kMaxLinks> held;
  const bool ids = config.nic.slots != 0;
  if (ids) in.nic.node = static_cast<std::uint32_t>(bench.random.below(config.nic.addresses));
  Manager manager;
  in.nic.tx_credit = credits.data();
  tb::AxiContents contents(config.nic.header.data_w);
  tb::AxiReadSide reads(config.reads(), contents);
  tb::AxiWriteSide writes(config.writes(), contents);
  tb::NicDriver driver(config, contents, in, bench.random);
  RtlPort tx_full = rtl.port("tx_full_i");
  std::uint32_t now = 0, entered = 0;
  for (; bench.running(); bench.next(), ++now) {
    // Links lead back; what is on them does not depend on this cycle's inputs.
    const AxiNic::Out before = model.eval(in);
    if (in.nic.restart) held = {};  // With it what has arrived was discarded.
    if (ids) manager.drive(bench.random, before, model.reads(), in.nic);
    again |= before.nic.status.tx_resent != 0 && before.nic.status.rx_repeated != 0;
    in.nic.rx = before.nic.tx;
    for (unsigned i = 0; i < config.nic.links(); ++i) {
      if (before.nic.tx[i].valid) held[i].push_back(before.nic.tx[i].vc);
    }
    for (Flit& flit : in.nic.rx) {
      flit.vc = flit.stamp = 0;
      if ((driver.wild() || ids) && config.nic.parity && flit.valid)
        flit.parity ^= bench.random.below(ids ? 100 : 32) == 0;
    }
    in.nic.tx_full = before.nic.rx_full;
    for (unsigned i = 0; i < config.nic.links(); ++i) {
      credits[i] = 0;
      if ((before.nic.rx_credit >> i & 1) == 0) continue;
      credits[i] = std::uint64_t{1} << held[i].front();
      held[i].pop_front();
    }
    driver.drive(bench.random, now);
    in.lite = driver.manager.drive(bench.random);
    reads.drive(bench.random, in.ar_ready, in.r);
    writes.drive(bench.random, in.aw_ready, in.w_ready, in.b);
    if (driver.wild()) {  // As fast as the count may rise.
      in.barriers += static_cast<std::uint32_t>(bench.random.below(9));
    } else if (in.barriers != entered && bench.random.below(16) == 0) {
      ++in.barriers;
    }
    ports.drive(in);
    // Credit links ignore it.
    if (config.nic.credit) tx_full.set(bench.random() & low_mask(config.nic.links()));
    rtl.eval();
    const AxiNic::Out out = model.eval(in);
    bench.equal(ports, out);
    if (bench.reset_now(rtl, driver.over())) return true;
    entered += out.barrier_enter;
    reads.see(out.ar, in.ar_ready);
    writes.see(out.aw, in.aw_ready, out.w, in.w_ready);
    bench.transferred(driver.see(out.lite, reads.errors() + writes.errors()));
    model.tick(in);
    rtl.tick();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "axi_nic", [](tb::Bench& bench) {
    // The interface's own FIFO is at the other end of its credit links, with all its words.
    // The last two are the maxima of what keys open, and of what is acknowledged.
    const AxiNic::Config points[] = {
        {.nic = {.num_ctrl = 2,
                 .parity = true,
                 .packet_flits = 5,
                 .queue_depth = 2,
                 .credit = true,
                 .vc_depth = 4,
                 .header = {16, 128}},
         .barrier = true,
         .axi_addr_w = 40},
        {.nic = {.num_ctrl = 3,
                 .packet_flits = 255,
                 .header = {.key_w = 3},
                 .timed = true,
                 .windows = 2},
         .mem_flits = (1u << 24) - 4096},
        {.nic = {.num_ctrl = 4,
                 .packet_flits = 255,
                 .credit = true,
                 .num_vc = 2,
                 .vc_depth = 2,
                 .age = true,
                 .header = {20, 512},
                 .in_order = true,
                 .keeps_order = true,
                 .classes = true},
         .axi_addr_w = 64},
        {.nic = {.num_ctrl = 2,
                 .parity = true,
                 .packet_flits = 8,
                 .credit = true,
                 .vc_depth = 7,
                 .header = {.id_w = IdForm{2, 4}.width()},
                 .slots = 4,
                 .addresses = 11,
                 .timeout = 500,
                 .rx_depth = 7},
         .mem_flits = 1u << 17},
        {.nic = {.num_ctrl = 8, .packet_flits = 8, .header = {.key_w = 8}, .windows = 8},
         .mem_flits = 1u << 16},
        {.nic = {.num_ctrl = 8,
                 .parity = true,
                 .packet_flits = 8,
                 .credit = true,
                 .vc_depth = 8,
                 .header = {.id_w = IdForm{8, 16}.width()},
                 .slots = 16,
                 .addresses = 11,
                 .timeout = 500,
                 .rx_depth = 8},
         .mem_flits = 1u << 17}};
    for (const AxiNic::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point(rtl_params(config), std::size(points));
      bool again = false;
      while (life(bench, rtl, config, again)) bench.next();
      tb::expect(again == (config.nic.slots != 0), "packets that are sent again");
    }
  });
}
