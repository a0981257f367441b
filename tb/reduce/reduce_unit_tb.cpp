// Lockstep bench of the reduce unit, and of `reduce_word`, which computes the same without its
// stages: all operations and types mixed, on the short and the long path, at least 10^7 random
// pairs of floating-point elements and all pairs of special values for each operation.
#include <array>
#include <deque>

#include "sim/reduce/reduce_unit.hpp"
#include "sim/reduce/reduce_word.hpp"
#include "tb/lib/bench.hpp"
#include "tb/reduce/operands.hpp"

namespace {

using weft::ReduceOp;
using weft::ReduceType;

/// Words with their operations; the path changes when the unit has been empty long enough.
class Stream {
 public:
  weft::ReduceUnit::In next(weft::RandomStream& random) {
    weft::ReduceUnit::In in;
    if (busy_ != 0) --busy_;
    if (random.below(512) == 0) change_ = true;
    if (change_ && busy_ == 0) {
      mean_ = !mean_;
      change_ = false;
    }
    in.mean = mean_;
    in.valid = !change_ && flow_.next(random);
    if (random.below(16) == 0) only_ = static_cast<unsigned>(random.below(2 * weft::kReduceOps));
    const unsigned ops = weft::kReduceOps - (mean_ ? 0 : 1);
    in.op = static_cast<ReduceOp>(only_ < ops ? only_ : random.below(ops));
    in.type = random.below(3) == 0 ? static_cast<ReduceType>(random.below(weft::kReduceTypes))
                                   : ReduceType::kFp32;
    in.count = weft::tb::divisor(random);
    if (in.type == ReduceType::kFp32) {
      auto& special = special_[static_cast<unsigned>(in.op)];
      for (unsigned lsb = 0; lsb < 64; lsb += 32) {
        const bool listed = in.valid && !special.complete() && random.below(4) != 0;
        const auto [a, b] = listed ? special.next() : weft::tb::float_pair(random);
        in.held |= std::uint64_t{a} << lsb;
        in.word |= std::uint64_t{b} << lsb;
      }
    } else {
      in.held = weft::tb::integer_word(random);
      // Equal words and equal halves also.
      const std::uint64_t other = weft::tb::integer_word(random);
      constexpr std::uint64_t masks[] = {0,     0xffffffff, ~std::uint64_t{0xffffffff},
                                         ~0ull, ~0ull,      ~0ull};
      const std::uint64_t mask = masks[random.below(std::size(masks))];
      in.word = (in.held & ~mask) | (other & mask);
    }
    if (in.valid) busy_ = mean_ ? weft::kMeanLatency : weft::kReduceLatency;
    return in;
  }

  /// Reset empties the unit; the lists go on.
  void reset() { busy_ = 0; }
  bool complete() const {
    for (const auto& special : special_) {
      if (!special.complete()) return false;
    }
    return true;
  }

 private:
  weft::tb::Pressure flow_;
  std::array<weft::tb::SpecialPairs, weft::kReduceOps> special_;
  bool mean_ = false, change_ = false;
  unsigned busy_ = 0;  // Cycles until the last word is at the output.
  unsigned only_ = 0;  // Operation of many words in a row; too large: any.
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  constexpr std::uint64_t cycles = 16'000'000;
  constexpr std::uint64_t wanted_pairs = 10'000'000;
  const auto body = [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<ReduceUnit>(rtl, NoConfig{});
    const RtlPort word_o = rtl.port("word_o");
    ReduceUnit model;
    Stream stream;
    std::deque<std::uint64_t> at_once;  // Of the words inside.
    std::uint64_t pairs = 0;
    for (; bench.running(); bench.next()) {
      bench.equal(ports, model.out());
      const ReduceUnit::In in = stream.next(bench.random);
      ports.drive(in);
      if (bench.reset_now(rtl)) {
        model.reset();
        stream.reset();
        at_once.clear();
        continue;
      }
      rtl.tick();
      if (in.valid) at_once.push_back(reduce_word(in.op, in.type, in.count, in.held, in.word));
      if (model.step(in).valid) {
        bench.transferred();
        bench.equal("word_o, at once", word_o.get(), at_once.front());
        at_once.pop_front();
      }
      if (in.valid && in.type == ReduceType::kFp32 && in.op != ReduceOp::kStore) pairs += 2;
    }
    // A short run (mutations) is for differences alone.
    if (bench.cycle() < cycles) return;
    if (pairs < wanted_pairs || !stream.complete()) {
      throw CheckError(fmt::format("reduce_unit: {} pairs of floating-point elements, lists {}",
                                   pairs, stream.complete() ? "complete" : "not complete"));
    }
  };
  return tb::bench_main(argc, argv, "reduce_unit", body, cycles);
}
