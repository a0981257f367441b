// Bench of the reductions that need at most an addition, against the model and, where these are the
// whole result, against `reduce_word`.
#include <tuple>

#include "sim/reduce/compare_add.hpp"
#include "sim/reduce/reduce_word.hpp"
#include "tb/lib/bench.hpp"
#include "tb/reduce/operands.hpp"

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "compare_add", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    auto ports = bench.ports<CompareAdd>(rtl, NoConfig{});
    tb::SpecialPairs special;
    for (; bench.running(); bench.next()) {
      CompareAdd::In in;
      in.op = static_cast<ReduceOp>(bench.random.below(kReduceOps));
      in.type = static_cast<ReduceType>(bench.random.below(kReduceTypes));
      if (in.type == ReduceType::kFp32) {
        for (unsigned lsb = 0; lsb < 64; lsb += 32) {
          const bool listed = bench.random.below(2) != 0;
          const auto [a, b] = listed ? special.next() : tb::float_pair(bench.random);
          in.a |= std::uint64_t{a} << lsb;
          in.b |= std::uint64_t{b} << lsb;
        }
      } else {
        // Equal words and equal halves also.
        std::tie(in.a, in.b) = tb::integer_pair(bench.random);
        if (bench.random.below(4) == 0) in.b = (in.b & 0xffffffff) | (in.a & ~0xffffffffull);
        if (bench.random.below(8) == 0) in.b = (in.a & 0xffffffff) | (in.b & ~0xffffffffull);
      }
      ports.drive(in);
      rtl.eval();
      const CompareAdd::Out out{CompareAdd::result(in.op, in.type, in.a, in.b)};
      bench.equal(ports, out);
      const bool whole = in.op == ReduceOp::kStore || CompareAdd::compares(in.op) ||
                         (in.op == ReduceOp::kSum && in.type != ReduceType::kFp32);
      if (whole) {
        bench.equal("result_o, at once", out.result, reduce_word(in.op, in.type, 1, in.a, in.b));
      }
      bench.transferred();
    }
  });
}
