// Lockstep bench of the registers: RTL and model, and as a third the simulator's own registers
// (NicPort), with an interface and units whose counters rise as real ones do.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "sim/bus/register_block.hpp"
#include "sim/bus/register_block_ports.hpp"
#include "sim/processor/nic_port.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

/// What the registers show: a descriptor queue that drains, messages sent and received, barriers
/// and orders that complete.
class Surroundings {
 public:
  /// `hurried`: counters rise as fast as they may.
  explicit Surroundings(const RegisterBlock::Config& config, bool hurried = false)
      : c_(config), hurried_(hurried) {
    status_.desc_free = c_.queue_depth;
  }

  const NicStatus& status() const { return status_; }
  std::uint32_t memory_errors() const { return memory_errors_; }

  /// Counts on from what the block has seen instead of what it was shown.
  void follow(const NicStatus& shown, std::uint32_t errors, const RegisterBlock::State& state) {
    const auto move = [](std::uint32_t& count, std::uint32_t from, std::uint32_t to) {
      count += to - from;
    };
    const NicStatus& seen = state.seen;
    move(status_.tx_count, shown.tx_count, seen.tx_count);
    move(status_.rx_parity, shown.rx_parity, seen.rx_parity);
    move(status_.rx_refused, shown.rx_refused, seen.rx_refused);
    if (c_.barrier) move(status_.barriers, shown.barriers, seen.barriers);
    if (c_.combine) move(status_.combines, shown.combines, seen.combines);
    move(memory_errors_, errors, state.errors);
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      move(status_.rx_count[t], shown.rx_count[t], seen.rx_count[t]);
      move(status_.rx_arrived[t], shown.rx_arrived[t], seen.rx_arrived[t]);
    }
    for (unsigned i = 0; i < c_.link_counts(); ++i) {
      move(status_.rx_link[i], shown.rx_link[i], seen.rx_link[i]);
    }
  }

  /// The next cycle, after one with these outputs.
  void step(const RegisterBlock::Out& out, RandomStream& random) {
    if (out.desc_valid) --status_.desc_free;
    if (status_.desc_free < c_.queue_depth && drain_.next(random)) ++status_.desc_free;
    if (!hurried_ && random.below(32) == 0) {
      leap(random);
      entered_ += out.barrier_enter;
      orders_ += out.combine_post;
      return;
    }
    if (send_.next(random)) status_.tx_count += 1 + count(random, c_.num_ctrl - 1);
    if (receive_.next(random)) receive(random);
    if (hurried_) hurry(random);
    if (random.below(64) == 0) ++status_.rx_parity;
    const unsigned burst = hurried_ ? 0 : 7;
    if (random.below(64) == 0) status_.rx_refused += 1 + count(random, burst);
    if (random.below(128) == 0) memory_errors_ += 1 + count(random, burst);
    if (out.barrier_enter) ++entered_;
    if (entered_ != 0 && random.below(16) == 0) {
      --entered_;
      ++status_.barriers;
    }
    // Without units the inputs are ignored.
    if (!c_.barrier && random.below(16) == 0) ++status_.barriers;
    if (!c_.combine && random.below(16) == 0) ++status_.combines;
    if (out.combine_post) ++orders_;
    if (orders_ != 0 && (hurried_ || random.below(16) == 0)) {
      --orders_;
      ++status_.combines;
    }
  }

 private:
  // One counter rises by 8 at once, the most: of its low bits only the highest changes.
  void leap(RandomStream& random) {
    const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
    switch (random.below(6)) {
      case 0:
        status_.tx_count += 8;
        break;
      case 1:
        status_.rx_parity += 8;
        break;
      case 2:
        status_.rx_refused += 8;
        break;
      case 3:
        memory_errors_ += 8;
        break;
      case 4:
        status_.barriers += 8;
        break;
      default:
        status_.rx_arrived[tag] += 8;
        if (random.below(2) == 0) break;
        status_.rx_count[tag] += 8;
        status_.rx_link[random.below(c_.num_links) * kNumRxCounts + tag] += 8;
    }
  }
  // Of the most that a counter may rise in a cycle, 8, what the steps above may add is left out.
  void hurry(RandomStream& random) {
    status_.tx_count += 8 - c_.num_ctrl;
    status_.rx_parity += 7;
    status_.rx_refused += 7;
    memory_errors_ += 7;
    status_.barriers += 7;
    const std::uint32_t more = 8 - c_.num_links;
    const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
    // Mostly one link, so that its counters, too, pass 2^16 after the job's start.
    const auto link = random.below(4) == 0 ? static_cast<unsigned>(random.below(c_.num_links)) : 0;
    status_.rx_count[tag] += more;
    status_.rx_arrived[tag] += more;
    status_.rx_link[link * kNumRxCounts + tag] += more;
  }
  static std::uint32_t count(RandomStream& random, unsigned most) {
    return static_cast<std::uint32_t>(random.below(most + 1));
  }
  void receive(RandomStream& random) {
    for (unsigned l = 0; l < c_.num_links; ++l) {
      if (random.below(4) == 0) continue;
      const auto tag = static_cast<unsigned>(random.below(kNumRxCounts));
      ++status_.rx_count[tag];
      ++status_.rx_link[l * kNumRxCounts + tag];
    }
    // Arrived before they are in memory: at times ahead of the others.
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      const std::uint32_t ahead = status_.rx_arrived[t] - status_.rx_count[t];
      if (ahead >= 1u << 31) status_.rx_arrived[t] = status_.rx_count[t];
      if (ahead < 4 && random.below(4) == 0) ++status_.rx_arrived[t];
    }
  }

  RegisterBlock::Config c_;
  bool hurried_;
  NicStatus status_;
  std::uint32_t memory_errors_ = 0;
  unsigned entered_ = 0, orders_ = 0;  // Not completed.
  tb::Pressure drain_, send_, receive_;
};

/// Random accesses: valid ones, nearly valid ones and wild ones.
class Program {
 public:
  /// `hurried`: mostly orders to the combining tree, so that many complete; the job starts when its
  /// count of messages has passed 2^16.
  Program(const RegisterBlock::Config& config, RandomStream& random, bool hurried = false)
      : c_(config), hurried_(hurried), job_((hurried ? 45000 : 0) + random.below(1500)) {}

  void next(RegisterBlock::In& in, RandomStream& random) {
    in.raddr = reg(random);
    in.wen = write_.next(random);
    in.waddr = reg(random);
    if (c_.windows > 1 && random.below(4) == 0) {
      constexpr std::uint32_t window[] = {WEFT_REG_RX_BASE, WEFT_REG_RX_SIZE, WEFT_REG_RX_KEY};
      in.waddr = window[random.below(std::size(window))];
    }
    if (post_.next(random)) in.waddr = random.below(8) != 0 ? WEFT_REG_POST : WEFT_REG_COMBINE_POST;
    in.wdata = value(in, random);
    if (hurried_ && random.below(8) != 0) {
      in.wen = true;
      in.waddr = WEFT_REG_COMBINE_POST;
      in.wdata = 0x60;  // Silent, and the result discarded: any addresses will do.
    }
    if (in.wen && in.waddr == WEFT_REG_COMBINE_TO) to_ = in.wdata / c_.header.flit_bytes();
    if (in.wen && in.waddr == WEFT_REG_RX_BASE) base_ = in.wdata / c_.header.flit_bytes();
    if (job_ != 0) --job_;
  }

 private:
  static std::uint32_t reg(RandomStream& random) {
    const auto any = static_cast<std::uint32_t>(random());
    switch (random.below(32)) {
      case 0:
        return any & 0xfff;
      case 1:
        return any & 0x1fc;
      case 2:
        return any & 0x1ff;
      case 3:
      case 4:
      case 5:
        return WEFT_REG_LINK_TAG_RECEIVED0 + (any & 0x7c);
      default: {
        const Register& row = kRegisterMap[random.below(std::size(kRegisterMap))];
        return row.address + static_cast<std::uint32_t>(random.below(row.number) * 4);
      }
    }
  }

  // An address or a size in the memory: any, or near its end.
  std::uint32_t bytes(RandomStream& random) const {
    const std::uint64_t flits = c_.mem_flits, wide = c_.header.flit_bytes();
    const std::uint64_t kind = random.below(8);
    std::uint64_t flit = random.below(flits + 1);
    if (kind < 3) flit = random.below(std::min<std::uint64_t>(flits, 8) + 1);
    if (kind == 3) flit = flits - random.below(std::min<std::uint64_t>(flits, 4) + 1);
    if (kind == 4) flit = flits + random.below(3);
    const std::uint64_t odd = random.below(16) == 0 ? 1 + random.below(wide - 1) : 0;
    return static_cast<std::uint32_t>(flit * wide + odd);
  }

  std::uint32_t value(const RegisterBlock::In& in, RandomStream& random) const {
    const auto any = static_cast<std::uint32_t>(random());
    const auto below = [&](std::uint64_t bound) {
      return static_cast<std::uint32_t>(random.below(bound));
    };
    if (in.waddr == WEFT_REG_JOB_START && job_ != 0) return in.status.rx_count[3] + 1;
    if (below(16) == 0) return any;
    if (below(32) == 0) return 1u << below(32);
    switch (in.waddr) {
      case WEFT_REG_DST:
        // With any one bit above an address.
        return (any & static_cast<std::uint32_t>(low_mask(c_.header.addr_w))) |
               (below(8) == 0 ? 1u << (c_.header.addr_w + below(32 - c_.header.addr_w)) : 0);
      case WEFT_REG_COMBINE_LEN:
        // Around the most that fits behind the result's address.
        if (to_ <= c_.mem_flits && below(4) == 0) return c_.mem_flits - to_ + below(3);
        [[fallthrough]];
      case WEFT_REG_LEN:
        return below(2) == 0 ? below(6) : below(std::min(1u << 21, c_.mem_flits + 2));
      case WEFT_REG_OFFSET: {
        // Any, around the largest, or with bits above.
        const std::uint32_t window = c_.header.window_flits(), kind = below(8);
        const std::uint32_t flits = kind < 3   ? below(window)
                                    : kind < 7 ? window + 1 - below(7)
                                               : below(2 << c_.header.off_w());
        return flits * c_.header.flit_bytes();
      }
      case WEFT_REG_TAG_GAP:
        return (any & 0xff0f) | (below(4) == 0 ? 15 : below(c_.num_ctrl + 2)) << 16;
      case WEFT_REG_KEY:
        return any & static_cast<std::uint32_t>(low_mask(c_.header.key_w + (below(8) == 0)));
      case WEFT_REG_RX_KEY:
        return (any & static_cast<std::uint32_t>(low_mask(c_.header.key_w + (below(8) == 0)))) |
               below(c_.windows + 1) << 8;
      case WEFT_REG_JOB_START:
        return below(std::uint64_t{in.status.rx_count[3]} + 2);
      case WEFT_REG_RX_BASE:
        return below(4) == 0 ? 0 : bytes(random);
      case WEFT_REG_RX_SIZE:
        // Around the most that fits behind the window's base.
        if (base_ <= c_.mem_flits && below(4) == 0)
          return (c_.mem_flits - base_ + below(3)) * c_.header.flit_bytes();
        return bytes(random);
      case WEFT_REG_REDUCE:
      case WEFT_REG_COMBINE_POST: {
        const std::uint32_t count = below(4) == 0 ? 0 : any & 0xffff0000;
        return count | (below(8) == 0 ? any & 0xffe0 : any & 0x60 & -(in.waddr >> 7)) | below(32);
      }
      default:
        return bytes(random);
    }
  }

  RegisterBlock::Config c_;
  bool hurried_;
  std::uint64_t job_;                // Cycles in which JOB_START is refused.
  std::uint32_t to_ = 0, base_ = 0;  // COMBINE_TO and RX_BASE as written last, flits.
  tb::Pressure write_, post_;
};

/// The simulator's registers, and what they say of the outputs in the next cycle.
class Reference {
 public:
  explicit Reference(const RegisterBlock::Config& config)
      : c_(config), port_(config.mem_flits * config.header.flit_bytes(), config.num_ctrl) {
    port_.set_header(c_.header);
    port_.set_timed(c_.timed);
    port_.set_reduces(c_.reduce);
    port_.set_combines(c_.combine);
    port_.set_windows(c_.windows);
  }

  void check(const tb::Bench& bench, const RegisterBlock::In& in, const RegisterBlock::Out& out) {
    bench.equal("desc_valid_o against NicPort", out.desc_valid, port_.posted());
    Descriptor posted = port_.descriptor();
    posted.addr &= static_cast<std::uint32_t>(low_mask(kMemAddrW));
    bench.equal("desc_*_o against NicPort", true, !out.desc_valid || out.desc == posted);
    bench.equal("rx_*_o against NicPort", true, out.windows == port_.windows());
    bench.equal("reduce_*_o against NicPort", true,
                !c_.reduce || out.reduction == port_.reduction());
    bench.equal("barrier_enter_o against NicPort", out.barrier_enter, port_.entered());
    bench.equal("combine_post_o against NicPort", out.combine_post, port_.combines());
    CombineOrder order = port_.combine_order();
    order.addr &= static_cast<std::uint32_t>(low_mask(kMemAddrW));
    order.to &= static_cast<std::uint32_t>(low_mask(kMemAddrW));
    bench.equal("order_*_o against NicPort", true, !out.combine_post || out.order == order);

    NicStatus status = in.status;
    if (!c_.barrier) status.barriers = 0;
    if (!c_.combine) status.combines = 0;
    status.combines -= more_combines_;
    if (moved_) {
      const bool pending = port_.posted();
      NicStatus before = moved_->seen;
      before.desc_free += pending;
      before.combines -= more_combines_;
      port_.begin_cycle(before, cycle_);
      port_.take_event();
      status.desc_free -= pending;
      moved_.reset();
    }
    port_.begin_cycle(status, cycle_++);
    // The port's memories answer no access with an error.
    const bool event = port_.take_event() || in.memory_errors != errors_;
    errors_ = in.memory_errors;
    bench.equal("event_o against NicPort", out.event, event);
    NicPort trial = port_;
    const std::uint32_t value = trial.read(in.raddr);
    bench.equal("rdata_o against NicPort", out.rdata,
                in.raddr == WEFT_REG_MEMORY_ERRORS    ? errors_
                : in.raddr == WEFT_REG_REFUSED_WRITES ? value + more_refused_
                : in.raddr == WEFT_REG_COMBINE_DONE   ? value + more_combines_
                                                      : value);
    bench.equal("rrefused_o against NicPort", out.rrefused, trial.faulted());
    if (!in.wen) return;
    const bool refused = !write(in);
    bench.equal("wrefused_o against NicPort", out.wrefused, refused);
    if (refused) port_.count_refused_write();
  }

  /// The block's counters were moved: what it saw, counted or waits for is `now`, was `before`.
  void follow(const RegisterBlock::State& before, const RegisterBlock::State& now) {
    moved_ = now;
    cycle_ += now.cycle - before.cycle;
    errors_ = now.errors;
    more_refused_ += now.refused_writes - before.refused_writes;
    more_combines_ += now.seen.combines - before.seen.combines;
  }

 private:
  // Whether the write is accepted. NicPort leaves the missing barrier unit to the engine, and four
  // registers to the processor.
  bool write(const RegisterBlock::In& in) {
    if (in.waddr == WEFT_REG_BARRIER && !c_.barrier) return false;
    if (in.waddr == WEFT_REG_PRINT || in.waddr == WEFT_REG_RESULT || in.waddr == WEFT_REG_FAIL ||
        in.waddr == WEFT_REG_PHASE) {
      return true;
    }
    NicPort trial = port_;
    trial.write(in.waddr, in.wdata);
    if (trial.faulted()) return false;
    port_ = std::move(trial);
    return true;
  }

  RegisterBlock::Config c_;
  NicPort port_;
  std::uint64_t cycle_ = 0;
  std::uint32_t errors_ = 0;
  std::optional<RegisterBlock::State> moved_;  // Until the port has been told.
  // By what the block's counts are higher than those of the port, which cannot be moved.
  std::uint32_t more_refused_ = 0, more_combines_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "register_block", [](tb::Bench& bench) {
    bench.open_registers();
    const RegisterBlock::Config points[] = {
        {2, 2, 3, {16, 64}, true, true, true, true, (1u << 23) + 40},
        {1, 1, 8, {16, 64}, false, false, false, false, 65536},
        {8, 8, 9, {20, 512}, true, false, true, false, 1u << 24},
        {3, 3, 1, {17, 128}, false, true, false, true, 1u << 20},
        {4, 8, 8, {16, 64}, false, false, true, true, (1u << 21) + 5},
        {2, 2, 2, {16, 64, 2}, false, false, false, false, 300, 3},
        {1, 1, 4, {20, 128, 8}, false, false, true, false, 1u << 24, 8},
        {2, 2, 2, {17, 64, 3, 5}, false, false, false, false, 1u << 16, 2},
        {1, 1, 2, {20, 256, 0, 9}, false, false, true, false, 1u << 24},
        // Between key and id one bit is left for the offset.
        {1, 1, 2, {20, 64, 8, 3}, false, false, false, false, 1u << 16, 8},
    };
    for (const RegisterBlock::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point(rtl_params(c), std::size(points));
      auto ports = bench.ports<RegisterBlock>(rtl, c);
      RegisterBlock model(c);
      // The first point begins without a reset until the cycles and the counters have passed 2^16.
      std::uint64_t whole = c.num_links == 2 && c.combine ? 1u << 17 : 0;
      Surroundings surroundings(c, whole != 0);
      Program program(c, bench.random, whole != 0);
      Reference reference(c);
      RegisterBlock::In in;
      for (; bench.running() || whole != 0; bench.next()) {
        bench.load_now(rtl, ports, model, c);
        if (whole == 0) {
          const RegisterBlock::State before = model.state();
          if (bench.wind_counters(rtl, model)) {
            surroundings.follow(before.seen, before.errors, model.state());
            reference.follow(before, model.state());
          }
        }
        in.status = surroundings.status();
        in.memory_errors = surroundings.memory_errors();
        program.next(in, bench.random);
        ports.drive(in);
        rtl.eval();
        const RegisterBlock::Out& out = model.eval(in);
        bench.equal(ports, out);
        reference.check(bench, in, out);
        const bool due = whole == 1;
        if (due) bench.begin_share();
        if (whole != 0) --whole;
        if (whole == 0 && bench.reset_now(rtl, due)) {
          model.reset();
          surroundings = Surroundings(c);
          program = Program(c, bench.random);
          reference = Reference(c);
          continue;
        }
        bench.transferred(out.desc_valid);
        surroundings.step(out, bench.random);
        model.tick();
        rtl.tick();
      }
    }
  });
}
