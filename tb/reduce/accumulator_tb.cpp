// Lockstep bench of the accumulator, between a receive unit that writes and counts at random and a
// memory that answers with arbitrary words; settings come at any time.
#include <deque>

#include "sim/reduce/accumulator.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

/// The receive unit's side. No word is reduced whose address is under way.
class Writer {
 public:
  void next(Accumulator::In& in, const Accumulator::Out& out, RandomStream& random) {
    in.mem_wen = write_.next(random);
    // Few places, so that the same comes again as soon as it may; or any.
    const std::uint64_t place = random.below(16) == 0 ? random() : random.below(places_);
    in.mem_waddr = static_cast<std::uint32_t>(place & low_mask(kMemAddrW));
    in.mem_wdata = random();
    in.mem_rdata = random();
    in.mem_reduce = random.below(4) != 0;
    for (const std::uint32_t address : flight_) in.mem_reduce &= address != in.mem_waddr;
    if (random.below(512) == 0) places_ = 1 + random.below(64);
    if (out.mem_wen) flight_.pop_front();
    if (in.mem_wen) flight_.push_back(in.mem_waddr);
    const bool counts = count_.next(random);
    for (std::uint32_t& count : in.rx_count) count += counts && random.below(3) == 0;
    if (random.below(8) == 0) {
      in.reduction.op = static_cast<ReduceOp>(random.below(kReduceOps));
      in.reduction.type = static_cast<ReduceType>(random.below(kReduceTypes));
      in.reduction.count =
          static_cast<std::uint32_t>(1 + random.below(random.below(2) ? 4 : 65535));
    }
  }

 private:
  std::deque<std::uint32_t> flight_;  // Addresses whose writes have not been in memory.
  std::uint64_t places_ = 4;
  tb::Pressure write_, count_;
};

/// The ports of the RTL.
class Ports {
 public:
  explicit Ports(const RtlInstance& rtl)
      : wen_(rtl.port("mem_wen_i")),
        reduce_(rtl.port("mem_reduce_i")),
        waddr_(rtl.port("mem_waddr_i")),
        wdata_(rtl.port("mem_wdata_i")),
        counts_(rtl.port("rx_count_i")),
        op_(rtl.port("reduce_op_i")),
        type_(rtl.port("reduce_type_i")),
        count_(rtl.port("reduce_count_i")),
        rdata_(rtl.port("mem_rdata_i")),
        ren_o_(rtl.port("mem_ren_o")),
        raddr_o_(rtl.port("mem_raddr_o")),
        wen_o_(rtl.port("mem_wen_o")),
        waddr_o_(rtl.port("mem_waddr_o")),
        wdata_o_(rtl.port("mem_wdata_o")),
        counts_o_(rtl.port("rx_count_o")) {}

  void set(const Accumulator::In& in) {
    wen_.set(in.mem_wen);
    reduce_.set(in.mem_reduce);
    waddr_.set(in.mem_waddr);
    wdata_.set(in.mem_wdata);
    rdata_.set(in.mem_rdata);
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      counts_.set_bits(t * kCountW, kCountW, in.rx_count[t]);
    }
    op_.set(static_cast<std::uint64_t>(in.reduction.op));
    type_.set(static_cast<std::uint64_t>(in.reduction.type));
    count_.set(in.reduction.count);
  }

  /// What depends on the inputs of this cycle.
  void compare_read(const tb::Bench& bench, bool reads, const Accumulator::In& in) const {
    bench.equal("mem_ren_o", ren_o_.get(), reads);
    bench.equal("mem_raddr_o", raddr_o_.get(), reads ? in.mem_waddr : 0);
  }

  void compare(const tb::Bench& bench, const Accumulator::Out& out) const {
    bench.equal("mem_wen_o", wen_o_.get(), out.mem_wen);
    bench.equal("mem_waddr_o", waddr_o_.get(), out.mem_waddr);
    bench.equal("mem_wdata_o", wdata_o_.get(), out.mem_wdata);
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      bench.equal("rx_count_o", counts_o_.bits(t * kCountW, kCountW), out.rx_count[t]);
    }
  }

 private:
  RtlPort wen_, reduce_, waddr_, wdata_, counts_, op_, type_, count_, rdata_;
  RtlPort ren_o_, raddr_o_, wen_o_, waddr_o_, wdata_o_, counts_o_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "accumulator", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    Ports ports(rtl);
    Accumulator model;
    Accumulator::In in;
    Writer writer;
    for (; bench.running(); bench.next()) {
      ports.compare(bench, model.out());
      writer.next(in, model.out(), bench.random);
      ports.set(in);
      rtl.eval();
      ports.compare(bench, model.out());
      const bool reads = model.reads(in.mem_wen, in.mem_reduce);
      ports.compare_read(bench, reads, in);
      if (bench.reset_now(rtl)) {
        model.reset();
        in = {};
        writer = {};
        continue;
      }
      bench.transferred(reads);
      const Accumulator::Out before = model.out();
      const bool idle = !in.mem_wen && model.idle(in.rx_count);
      model.step(in);
      tb::expect(model.counted() == (before.rx_count != model.out().rx_count), "counts untold");
      if (idle) {
        bench.equal("idle, mem_wen_o", model.out().mem_wen, before.mem_wen);
        bench.equal("idle, next cycle", model.idle(in.rx_count), true);
      }
      rtl.tick();
    }
  });
}
