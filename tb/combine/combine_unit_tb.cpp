// Lockstep bench of the combine unit, with a node, children and a parent that obey the protocol.
#include <array>
#include <vector>

#include "sim/combine/combine_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

using weft::CombineOrder;
using weft::CombineUnit;

/// The environment: a node that posts orders, children that send a word for each word of these, and
/// sometimes fall behind or run ahead, a parent that takes words and returns the result, all at
/// random. Words include infinities, NaNs and equal ones; now and then an order is long or reaches
/// over the end of the memory. What the unit must ignore is arbitrary.
class Surroundings {
 public:
  explicit Surroundings(const CombineUnit::Config& config)
      : c_(config), credits_(2, config.depth) {}

  CombineUnit::In next(const CombineUnit::Out& out, weft::RandomStream& random) {
    CombineUnit::In in;
    in.mem_rdata = data(random);
    in.order = order(random);
    in.post = post_.next(random) && !out.full;
    if (in.post && in.order.len >= kLongWords) cut_in_ = 200;
    if (cut_in_ != 0) cut_ = --cut_in_ == 0;
    for (unsigned c = 0; c < CombineUnit::kMostChild; ++c) {
      const bool exists = c < c_.num_child;
      credits_[c] += exists && (out.credit >> c & 1) != 0;
      if (!send_[c].next(random) || (exists && credits_[c] == 0)) continue;
      // A child's words come for orders that this node has not posted yet, too.
      CombineUnit::Up& up = in.up[c];
      up.valid = true;
      up.some = random.chance(0.8);
      if (up.some) up.word = data(random);
      credits_[c] -= exists;
    }
    if (c_.is_root) {
      in.credit = random.chance(0.5);
      in.down = {random.chance(0.5), data(random)};
      return in;
    }
    if (out.up.valid) ++held_;
    in.credit = take_.next(random) && held_ != 0;
    if (in.credit) {
      --held_;
      ++ready_;
    }
    in.down.valid = ready_ != 0 && return_.next(random);
    if (in.down.valid) {
      --ready_;
      in.down.word = data(random);
    }
    return in;
  }

  /// The words of an order that is too long for a bench have begun: time for a reset.
  bool cut() const { return cut_; }

 private:
  static constexpr std::uint32_t kLongWords = 2048;

  static std::uint64_t half(weft::RandomStream& random) {
    constexpr std::array<std::uint32_t, 8> kSpecial = {
        0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x3f800000, 0xffffffff};
    if (random.chance(0.2)) return kSpecial[random.below(8)];
    return random.below(std::uint64_t{1} << 32);
  }
  static std::uint64_t word(weft::RandomStream& random) {
    const std::uint64_t low = half(random);
    return random.chance(0.1) ? low << 32 | low : half(random) << 32 | low;
  }
  weft::FlitData data(weft::RandomStream& random) const {
    weft::FlitData data;
    for (unsigned w = 0; w < c_.data_w / 64; ++w) data.word[w] = word(random);
    return data;
  }
  static std::uint32_t address(weft::RandomStream& random) {
    const std::uint64_t below_end = random.below(random.chance(0.1) ? 40 : 1u << weft::kMemAddrW);
    return static_cast<std::uint32_t>(weft::low_mask(weft::kMemAddrW) - below_end);
  }
  CombineOrder order(weft::RandomStream& random) {
    if (random.chance(0.3)) {
      last_.op = weft::ReduceOp{static_cast<std::uint8_t>(random.below(weft::kReduceOps))};
      last_.type = weft::ReduceType{static_cast<std::uint8_t>(random.below(weft::kReduceTypes))};
    }
    last_.addr = address(random);
    last_.to = address(random);
    last_.len = static_cast<std::uint32_t>(1 + random.below(random.chance(0.5) ? 3 : 40));
    if (random.chance(0.02)) last_.len = static_cast<std::uint32_t>(1 + random.below(1'500));
    // A few words over a power of two: a counter that wraps early ends it there.
    if (random.chance(0.01)) {
      last_.len = (kLongWords << random.below(weft::kMsgLenW - 11)) +
                  static_cast<std::uint32_t>(random.below(4));
    }
    last_.count = static_cast<std::uint32_t>(random.below(random.chance(0.5) ? 8 : 1u << 16));
    last_.silent = random.chance(0.3);
    last_.discard = random.chance(0.3);
    return last_;
  }

  CombineUnit::Config c_;
  CombineOrder last_;
  std::vector<unsigned> credits_;
  unsigned held_ = 0;   // Words that the parent holds.
  unsigned ready_ = 0;  // Words that it may return.
  weft::tb::Pressure post_, take_, return_;
  std::array<weft::tb::Pressure, CombineUnit::kMostChild> send_;
  unsigned cut_in_ = 0;  // Cycles until then.
  bool cut_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "combine_unit", [](tb::Bench& bench) {
    bench.open_registers();
    const CombineUnit::Config points[] = {
        {2, false, 16}, {2, true, 16}, {1, false, 256}, {1, true, 3},       {0, false, 16},
        {0, true, 16},  {2, false, 2}, {2, true, 64},   {2, false, 4, 128}, {1, true, 5, 256}};
    for (const auto& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumChild", config.num_child},
                                     {"IsRoot", RtlValue(config.is_root ? "1'b1" : "1'b0")},
                                     {"Depth", config.depth},
                                     {"DataW", config.data_w}},
                                    std::size(points));
      auto ports = bench.ports<CombineUnit>(rtl, config);
      CombineUnit model(config);
      Surroundings surroundings(config);
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, config);
        bench.wind_counters(rtl, model);
        bench.equal(ports, model.out());
        const CombineUnit::In in = surroundings.next(model.out(), bench.random);
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl, surroundings.cut())) {
          model.reset();
          surroundings = Surroundings(config);
          continue;
        }
        rtl.tick();
        // A unit that is idle is not stepped in networks until something arrives.
        const bool still = model.idle() && !in.post && !in.credit && !in.up[0].valid &&
                           !in.up[1].valid && !in.down.valid;
        const CombineUnit::Out before = model.out();
        bench.transferred(model.step(in).down.valid);
        if (still) {
          bench.equal("idle, next cycle", model.idle() && model.out() == before, true);
        }
      }
    }
  });
}
