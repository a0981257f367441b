// Lockstep bench of the interface for a system on chip. A driver is kept here that uses it as a
// processor would, over AXI4-Lite: it opens a window, sends messages over links that lead back to
// the same interface, and polls the counters. When they say that all messages are there, the words
// are where they were sent, in a memory behind AXI4 that takes its time.
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <vector>

#include "sim/bus/axi_nic.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "tb/bus/axi_memory.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

constexpr std::uint32_t kNode = 0x5a;
// The memory: the first half is sent, the second half is the receive window.
constexpr std::uint32_t kMemFlits = 4096, kWindow = kMemFlits / 2;
// No batch of messages takes longer.
constexpr std::uint64_t kPatience = 40000;

struct Message {
  std::uint32_t dst, addr, len, off;
};

// One access at a time on each channel of AXI4-Lite, random pauses everywhere.
class Manager {
 public:
  bool writes() const { return aw_ || w_ || b_; }
  bool reads() const { return ar_ || r_; }
  void write(std::uint32_t addr, std::uint32_t data) {
    aw_ = w_ = b_ = true;
    in_.aw_addr = addr;
    in_.w_data = data;
    in_.w_strb = 0xf;
  }
  void read(std::uint32_t addr) {
    ar_ = r_ = true;
    in_.ar_addr = addr;
  }

  const AxiLite::In& drive(RandomStream& random) {
    in_.aw_valid = aw_ && (in_.aw_valid || offer_.next(random));
    in_.w_valid = w_ && (in_.w_valid || offer_.next(random));
    in_.ar_valid = ar_ && (in_.ar_valid || offer_.next(random));
    in_.b_ready = take_.next(random);
    in_.r_ready = take_.next(random);
    return in_;
  }
  // After the cycle; `written` and `read_done` say that an access ended in it.
  void see(const AxiLite::Out& out) {
    aw_ = aw_ && !(in_.aw_valid && out.aw_ready);
    w_ = w_ && !(in_.w_valid && out.w_ready);
    ar_ = ar_ && !(in_.ar_valid && out.ar_ready);
    in_.aw_valid = in_.aw_valid && aw_;
    in_.w_valid = in_.w_valid && w_;
    in_.ar_valid = in_.ar_valid && ar_;
    written = out.b_valid && in_.b_ready;
    read_done = out.r_valid && in_.r_ready;
    tb::expect((!out.b_valid || b_) && (!out.r_valid || r_), "a response without an access");
    if (written) b_ = false;
    if (read_done) r_ = false;
  }
  std::uint32_t read_addr() const { return in_.ar_addr; }
  std::uint32_t write_addr() const { return in_.aw_addr; }

  bool written = false, read_done = false;

 private:
  AxiLite::In in_;
  bool aw_ = false, w_ = false, b_ = false, ar_ = false, r_ = false;
  tb::Pressure offer_, take_;
};

// Sends batches of messages and waits for each.
class Driver {
 public:
  Driver(const AxiNic::Config& config, const tb::AxiContents& contents, std::uint64_t base)
      : config_(config), contents_(contents), base_(base) {
    const std::uint32_t bytes = config.nic.header.flit_bytes();
    if (config.nic.windows > 1) {  // The last window; window 0 stays closed.
      todo_ = {{WEFT_REG_KEY, 1}, {WEFT_REG_RX_KEY, WEFT_RX_WINDOW(config.nic.windows - 1) | 1}};
    }
    todo_.insert(todo_.end(),
                 {{WEFT_REG_RX_BASE, kWindow * bytes}, {WEFT_REG_RX_SIZE, kWindow * bytes}});
  }

  // The accesses of this cycle; `now`: cycles since reset.
  void drive(RandomStream& random, std::uint32_t now) {
    if (!manager.writes() && todo_.empty() && !waits_) plan(random, now);
    if (!manager.writes() && !todo_.empty()) manager.write(todo_.front().addr, todo_.front().data);
    if (!manager.reads()) manager.read(to_read(random));
  }
  // After the cycle; `errors`: of the memory so far, once nothing is under way. True when a batch
  // has ended.
  bool see(const AxiLite::Out& out, std::uint32_t errors) {
    manager.see(out);
    ++waited_;
    tb::expect(waited_ < kPatience, "messages that never arrive");
    if (manager.written) written(out.b_resp);
    if (!manager.read_done) return false;
    const std::uint32_t addr = manager.read_addr();
    if (addr == WEFT_REG_MEMORY_ERRORS && checks_) {
      tb::expect(out.r_resp == AxiResp::kOkay && out.r_data == errors, "errors of memory");
      checks_ = waits_ = false;
      waited_ = 0;
      return true;
    }
    if (!waits_ || checks_) return false;
    if (addr == WEFT_REG_SENT) sent_seen_ = out.r_data;
    if (addr == WEFT_REG_REFUSED) refused_seen_ = out.r_data;
    if (addr >= WEFT_REG_RECEIVED0 && addr <= WEFT_REG_RECEIVED3 && addr % 4 == 0) {
      received_seen_[(addr - WEFT_REG_RECEIVED0) / 4] = out.r_data;
    }
    const auto& r = received_seen_;
    if (r[0] + r[1] + r[2] + r[3] != received_ || sent_seen_ != sent_ || refused_seen_ != refused_)
      return false;
    check();
    checks_ = true;
    return false;
  }

  Manager manager;

 private:
  struct Write {
    std::uint32_t addr, data;
  };

  void plan(RandomStream& random, std::uint32_t now) {
    if (batch_.size() >= 6 || (!batch_.empty() && random.below(4) == 0)) {
      waits_ = true;
      return;
    }
    const Nic::Config& nic = config_.nic;
    const std::uint32_t bytes = nic.header.flit_bytes();
    Message m;
    m.dst = random.below(8) != 0 ? kNode : kNode + 1;
    m.len = static_cast<std::uint32_t>(random.below(4 * nic.packet_flits));
    m.addr = static_cast<std::uint32_t>(random.below(kWindow - m.len));
    // Messages of a batch go to different places.
    const std::uint32_t part = kWindow / 6;
    m.off = static_cast<std::uint32_t>(batch_.size()) * part +
            static_cast<std::uint32_t>(random.below(part - m.len));
    batch_.push_back(m);
    const auto ctrl = static_cast<std::uint32_t>(random.below(nic.num_ctrl + 1));
    const auto tag = static_cast<std::uint32_t>(random.below(8));
    const auto gap = static_cast<std::uint32_t>(random.below(3));
    todo_ = {{WEFT_REG_DST, m.dst},
             {WEFT_REG_ADDR, m.addr * bytes},
             {WEFT_REG_LEN, m.len},
             {WEFT_REG_OFFSET, m.off * bytes},
             {WEFT_REG_TAG_GAP, ctrl << 16 | gap << 8 | tag}};
    if (nic.timed && random.below(2) != 0) {
      todo_.push_back({WEFT_REG_START, now + static_cast<std::uint32_t>(random.below(200))});
    }
    if (config_.barrier && random.below(4) == 0) todo_.push_back({WEFT_REG_BARRIER, 0});
    if (random.below(8) == 0) todo_.push_back({WEFT_REG_LEN, 1u << 20});  // Refused.
    todo_.push_back({WEFT_REG_POST, 0});
  }

  void written(AxiResp resp) {
    const Write done = todo_.front();
    const bool refused = done.addr == WEFT_REG_LEN && done.data >> 20 != 0;
    if (done.addr == WEFT_REG_POST && resp != AxiResp::kOkay) return;  // The queue is full: again.
    tb::expect((resp != AxiResp::kOkay) == refused, "response to a write");
    todo_.pop_front();
    if (done.addr != WEFT_REG_POST) return;
    const Message& m = batch_.back();
    const std::uint32_t packets =
        std::max(1u, (m.len + config_.nic.packet_flits - 1) / config_.nic.packet_flits);
    ++sent_;
    m.dst == kNode ? received_ += 1 : refused_ += packets;
  }

  std::uint32_t to_read(RandomStream& random) {
    if (checks_) return WEFT_REG_MEMORY_ERRORS;
    const auto any = static_cast<std::uint32_t>(random.below(64));
    if (waits_ && any < 56) {
      constexpr std::uint32_t polled[] = {WEFT_REG_RECEIVED0,     WEFT_REG_RECEIVED0 + 4,
                                          WEFT_REG_RECEIVED0 + 8, WEFT_REG_RECEIVED3,
                                          WEFT_REG_SENT,          WEFT_REG_REFUSED};
      return polled[any % std::size(polled)];
    }
    return any < 60 ? 4 * any : static_cast<std::uint32_t>(random.below(4096));
  }

  // All words of the batch are in place.
  void check() {
    const unsigned bytes = config_.nic.header.flit_bytes();
    for (const Message& m : batch_) {
      for (std::uint32_t k = 0; k < m.len && m.dst == kNode; ++k) {
        const std::uint64_t from = base_ + std::uint64_t{m.addr + k} * bytes;
        const std::uint64_t to = base_ + std::uint64_t{kWindow + m.off + k} * bytes;
        tb::expect(contents_.read(to) == contents_.read(from), "a word in memory");
      }
    }
    batch_.clear();
  }

  const AxiNic::Config& config_;
  const tb::AxiContents& contents_;
  std::uint64_t base_;
  std::deque<Write> todo_;
  std::vector<Message> batch_;
  bool waits_ = false, checks_ = false;  // For the counters; then for MEMORY_ERRORS.
  std::uint64_t waited_ = 0;
  std::uint32_t sent_ = 0, received_ = 0, refused_ = 0;  // What the counters must say.
  std::uint32_t sent_seen_ = 0, refused_seen_ = 0;
  std::array<std::uint32_t, kNumRxCounts> received_seen_ = {};
};

// Until the end of the point or a reset; true after a reset.
bool life(tb::Bench& bench, RtlInstance& rtl, const AxiNic::Config& config) {
  auto ports = bench.ports<AxiNic>(rtl, config);
  AxiNic model(config);
  AxiNic::In in;
  const std::uint64_t wide = bench.random() & config.reads().addr_mask();
  in.base = std::min(wide, config.reads().addr_mask() / 2) & ~std::uint64_t{4095};
  in.nic.node = kNode;
  std::array<std::uint64_t, Nic::kMaxLinks> credits = {};
  // VCs of the words that are in the interface's own FIFO, link by link.
  std::array<std::deque<std::uint32_t>, Nic::kMaxLinks> held;
  in.nic.tx_credit = credits.data();
  tb::AxiContents contents(config.nic.header.data_w);
  tb::AxiReadSide reads(config.reads(), contents);
  tb::AxiWriteSide writes(config.writes(), contents);
  Driver driver(config, contents, in.base);
  std::uint32_t now = 0, entered = 0;
  for (; bench.running(); bench.next(), ++now) {
    // Links lead back; what is on them does not depend on this cycle's inputs.
    const AxiNic::Out before = model.eval(in);
    in.nic.rx = before.tx;
    for (unsigned i = 0; i < config.nic.links(); ++i) {
      if (before.tx[i].valid) held[i].push_back(before.tx[i].vc);
    }
    for (Flit& flit : in.nic.rx) flit.vc = flit.stamp = 0;
    in.nic.tx_full = before.rx_full;
    for (unsigned i = 0; i < config.nic.links(); ++i) {
      credits[i] = 0;
      if ((before.rx_credit >> i & 1) == 0) continue;
      credits[i] = std::uint64_t{1} << held[i].front();
      held[i].pop_front();
    }
    driver.drive(bench.random, now);
    in.lite = driver.manager.drive(bench.random);
    reads.drive(bench.random, in.ar_ready, in.r);
    writes.drive(bench.random, in.aw_ready, in.w_ready, in.b);
    if (in.barriers != entered && bench.random.below(16) == 0) ++in.barriers;
    ports.drive(in);
    rtl.eval();
    const AxiNic::Out out = model.eval(in);
    bench.equal(ports, out);
    if (bench.reset_now(rtl)) return true;
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
    // The interface's own FIFO is at the other end of its credit links, with 4 credits in all.
    const AxiNic::Config points[] = {{.nic = {.num_ctrl = 2,
                                              .parity = true,
                                              .packet_flits = 5,
                                              .queue_depth = 2,
                                              .credit = true,
                                              .vc_depth = 4,
                                              .header = {16, 128}},
                                      .barrier = true,
                                      .mem_flits = kMemFlits,
                                      .axi_addr_w = 40},
                                     {.nic = {.num_ctrl = 3,
                                              .packet_flits = 16,
                                              .header = {.key_w = 3},
                                              .timed = true,
                                              .windows = 2},
                                      .mem_flits = kMemFlits},
                                     {.nic = {.num_ctrl = 4,
                                              .packet_flits = 85,
                                              .credit = true,
                                              .num_vc = 2,
                                              .vc_depth = 2,
                                              .age = true,
                                              .header = {20, 512},
                                              .in_order = true,
                                              .keeps_order = true,
                                              .classes = true},
                                      .mem_flits = kMemFlits,
                                      .axi_addr_w = 64}};
    for (const AxiNic::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point(rtl_params(config), std::size(points));
      while (life(bench, rtl, config)) bench.next();
    }
  });
}
