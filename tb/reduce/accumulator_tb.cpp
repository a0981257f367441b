// Lockstep bench of the accumulator, with a receive unit that writes and counts at random and a
// memory that returns arbitrary words; the setting changes at any time.
#include <deque>

#include "sim/reduce/accumulator.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

/// The receive unit's side. No word is reduced while a write to its address is in flight.
class Writer {
 public:
  explicit Writer(unsigned words) : words_(words) {}

  void next(Accumulator::In& in, const Accumulator::Out& out, RandomStream& random) {
    in.mem_wen = write_.next(random);
    // Few addresses, so that one repeats as soon as allowed; or any.
    const std::uint64_t addr = random.below(16) == 0 ? random() : random.below(addresses_);
    in.mem_waddr = static_cast<std::uint32_t>(addr & low_mask(kMemAddrW));
    in.mem_wdata = tb::random_data(random, words_);
    in.mem_rdata = tb::random_data(random, words_);
    in.mem_reduce = random.below(4) != 0;
    for (const std::uint32_t address : flight_) in.mem_reduce &= address != in.mem_waddr;
    if (random.below(512) == 0) addresses_ = 1 + random.below(64);
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
  unsigned words_;                    // Of 64 bits.
  std::deque<std::uint32_t> flight_;  // Addresses whose writes have not been in memory.
  std::uint64_t addresses_ = 4;
  tb::Pressure write_, count_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "accumulator", [](tb::Bench& bench) {
    const Accumulator::Config points[] = {{64}, {192}};
    for (const Accumulator::Config& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"DataW", config.data_w}}, std::size(points));
      auto ports = bench.ports<Accumulator>(rtl, config);
      Accumulator model(config);
      Accumulator::In in;
      Writer writer(config.data_w / 64);
      for (; bench.running(); bench.next()) {
        writer.next(in, model.out(), bench.random);
        ports.drive(in);
        rtl.eval();
        const bool reads = model.reads(in.mem_wen, in.mem_reduce);
        bench.equal(ports, Accumulator::Shown{model.out(), reads, reads ? in.mem_waddr : 0});
        if (bench.reset_now(rtl)) {
          model.reset();
          in = {};
          writer = Writer(config.data_w / 64);
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
    }
  });
}
