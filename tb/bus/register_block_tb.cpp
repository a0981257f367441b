// Lockstep bench of the registers: RTL and model, and as a third the simulator's own registers
// (NicPort), with an interface and units whose counters rise as real ones do.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "sim/bus/register_block.hpp"
#include "sim/processor/nic_port.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "tb/bus/register_surroundings.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

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
      tb::RegisterSurroundings surroundings(c, whole != 0);
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
          surroundings = tb::RegisterSurroundings(c);
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
