// Lockstep bench of the reduction of all links of an interface: receive units that write to few
// addresses and wait, before a memory. Where all that is written is sums, the memory must hold the
// sum of all accepted words of each address as soon as nothing is in flight.
#include <map>

#include "sim/reduce/reduce_lanes.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

struct Point {
  ReduceLanes::Config config;
  bool sums = false;  // Nothing but sums of 64-bit integers, in words of that width.
};

/// The receive units of all links, and the memory.
class Side {
 public:
  explicit Side(const Point& point) : point_(point), words_(point.config.data_w / 64) {
    in_.reduction = {ReduceOp::kSum, ReduceType::kInt64, 1};
  }

  /// The inputs of the next cycle, after `seen` with those of the last one.
  const ReduceLanes::In& next(const ReduceLanes::Shown& seen, RandomStream& random) {
    if (++cycle_ % 512 == 0) check_sums();
    // Nothing is written before the setting is in force, and now and then for as long as a word is
    // in flight.
    const bool pause = cycle_ < 3 || cycle_ % 512 > 512 - 64;
    if (random.below(128) == 0) {
      addresses_ = 1 + random.below(random.below(2) ? 2 : 32);
      base_ = random();
    }
    for (unsigned i = 0; i < point_.config.links; ++i) {
      if ((seen.mem_wen >> i & 1) != 0) memory_[seen.mem_waddr[i]] = seen.mem_wdata[i];
    }
    for (unsigned i = 0; i < point_.config.links; ++i) {
      in_.mem_rdata[i] = (seen.mem_ren >> i & 1) != 0 ? reads_[i] : tb::random_data(random, words_);
    }
    const unsigned accepted = in_.mem_wen & seen.mem_wready;
    for (unsigned i = 0; i < point_.config.links; ++i) {
      const std::uint8_t bit = static_cast<std::uint8_t>(1u << i);
      if ((accepted & bit) != 0) {
        sums_[in_.mem_waddr[i]] += in_.mem_wdata[i].word[0];
        in_.rx_count[i * kNumRxCounts + random.below(kNumRxCounts)] += random.below(4) == 0;
      }
      if ((in_.mem_wen & ~accepted & bit) != 0) continue;  // The word waits.
      in_.mem_wen &= static_cast<std::uint8_t>(~bit);
      in_.mem_reduce &= static_cast<std::uint8_t>(~bit);
      in_.mem_waddr[i] = 0;
      in_.mem_wdata[i] = {};
      if (pause || !write_[i].next(random)) continue;
      in_.mem_wen |= bit;
      if (point_.sums || random.below(4) != 0) in_.mem_reduce |= bit;
      // Now and then one that differs in a single bit, also far up.
      const std::uint64_t flip = random.below(8) == 0 ? 1u << random.below(kMemAddrW) : 0;
      in_.mem_waddr[i] = static_cast<std::uint32_t>(((base_ + random.below(addresses_)) ^ flip) &
                                                    low_mask(kMemAddrW));
      in_.mem_wdata[i] = tb::random_data(random, words_);
    }
    if (!point_.sums && random.below(64) == 0) {
      in_.reduction.op = static_cast<ReduceOp>(random.below(kReduceOps));
      in_.reduction.count =
          static_cast<std::uint32_t>(1 + random.below(random.below(2) ? 4 : 65535));
    }
    return in_;
  }
  /// What the memory will return for the reads of this cycle.
  void read(const ReduceLanes::Shown& seen) {
    for (unsigned i = 0; i < point_.config.links; ++i) {
      if ((seen.mem_ren >> i & 1) != 0) reads_[i] = memory_[seen.mem_raddr[i]];
    }
  }

 private:
  void check_sums() {
    if (!point_.sums) return;
    for (const auto& [address, sum] : sums_) {
      tb::expect(memory_[address].word[0] == sum, "a word was lost");
    }
  }

  Point point_;
  unsigned words_;
  ReduceLanes::In in_;
  std::map<std::uint32_t, FlitData> memory_;
  std::map<std::uint32_t, std::uint64_t> sums_;
  std::array<FlitData, kMaxNicLinks> reads_;
  std::array<tb::Pressure, kMaxNicLinks> write_;
  std::uint64_t cycle_ = 0, addresses_ = 2, base_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "reduce_lanes", [](tb::Bench& bench) {
    bench.open_registers();
    const Point points[] = {{{64, 3}, true}, {{64, 2}}, {{128, 1}}};
    for (const Point& point : bench.order(points)) {
      const ReduceLanes::Config& config = point.config;
      RtlInstance rtl =
          bench.point({{"DataW", config.data_w}, {"NumLinks", config.links}}, std::size(points));
      auto ports = bench.ports<ReduceLanes>(rtl, config);
      ReduceLanes model(config);
      Side side(point);
      ReduceLanes::Shown shown;
      for (; bench.running(); bench.next()) {
        bench.wind_counters(rtl, model);
        const ReduceLanes::In& in = side.next(shown, bench.random);
        ports.drive(in);
        rtl.eval();
        shown = model.shown(in);
        bench.equal(ports, shown);
        if (bench.reset_now(rtl)) {
          model.reset();
          side = Side(point);
          shown = {};
          continue;
        }
        bench.transferred((in.mem_wen & shown.mem_wready) != 0);
        side.read(shown);
        model.step(in);
        rtl.tick();
      }
    }
  });
}
