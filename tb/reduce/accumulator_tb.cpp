// Lockstep bench of the accumulator, with a receive unit that writes and counts at random and a
// memory that returns arbitrary words; the setting changes at any time.
#include <algorithm>
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

  void next(Accumulator::PortIn& in, const Accumulator::Out& out, RandomStream& random) {
    in.mem_wen = write_.next(random);
    // Few addresses, so that one repeats as soon as allowed; or any.
    const std::uint64_t addr = random.below(16) == 0 ? random() : random.below(addresses_);
    in.mem_waddr = static_cast<std::uint32_t>(addr & low_mask(kMemAddrW));
    in.mem_wdata = tb::random_data(random, words_);
    in.mem_rdata = tb::random_data(random, words_);
    in.mem_reduce = random.below(4) != 0;
    in.mem_reduce &= std::count(flight_.begin(), flight_.end(), in.mem_waddr) == 0;
    in.hold = in.mem_wen || random.below(8) == 0;
    for (std::uint32_t& look : in.look_addr) {
      const std::uint64_t any = random.below(16) == 0 ? random() : random.below(addresses_ + 1);
      look = static_cast<std::uint32_t>(any & low_mask(kMemAddrW));
    }
    if (random.below(512) == 0) addresses_ = 1 + random.below(64);
    busy_ = flight_;
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

  /// Whether a word with this address is in flight.
  bool busy(std::uint32_t address) const {
    return std::count(busy_.begin(), busy_.end(), address) != 0;
  }

 private:
  unsigned words_;                    // 64-bit words.
  std::deque<std::uint32_t> flight_;  // Addresses whose writes are not in memory yet.
  std::deque<std::uint32_t> busy_;    // Addresses that were in flight before this cycle.
  std::uint64_t addresses_ = 4;
  tb::Pressure write_, count_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "accumulator", [](tb::Bench& bench) {
    bench.open_registers();
    const Accumulator::Config points[] = {{64}, {192, 3}};
    for (const Accumulator::Config& config : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"DataW", config.data_w}, {"NumLinks", config.links}}, std::size(points));
      auto ports = bench.ports<Accumulator>(rtl, config);
      Accumulator model(config);
      Accumulator::PortIn in;
      Writer writer(config.data_w / 64);
      for (; bench.running(); bench.next()) {
        bench.wind_counters(rtl, model);
        writer.next(in, model.out(), bench.random);
        ports.drive(in);
        rtl.eval();
        const bool reads = model.reads(in.mem_wen, in.mem_reduce);
        Accumulator::Shown shown{model.out(), reads, reads ? in.mem_waddr : 0, model.operates()};
        for (unsigned i = 0; i < config.links; ++i) {
          const bool busy = model.in_flight(in.look_addr[i], false);
          tb::expect(busy == writer.busy(in.look_addr[i]), "not what is in flight");
          shown.busy |= static_cast<std::uint8_t>(unsigned{busy} << i);
          shown.reduced |=
              static_cast<std::uint8_t>(unsigned{model.in_flight(in.look_addr[i], true)} << i);
        }
        bench.equal(ports, shown);
        if (bench.reset_now(rtl)) {
          model.reset();
          in = {};
          writer = Writer(config.data_w / 64);
          continue;
        }
        bench.transferred(reads);
        const Accumulator::Out before = model.out();
        const bool idle = !in.mem_wen && !in.hold && model.idle(in.rx_count);
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
