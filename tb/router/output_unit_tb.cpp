// Lockstep bench of the output unit, with a receiver that returns credits at random.
#include <algorithm>

#include "sim/router/output_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

struct Point {
  unsigned flit_w, num_vc, depth;
  bool age;
  bool errors = false;  // Credits also come for words that were not sent.
};

/// The receiver's side of the link: words held in each VC, and the credits of words that left.
class Receiver {
 public:
  Receiver(unsigned num_vc, bool errors) : held_(num_vc), drain_(num_vc), errors_(errors) {}

  /// Takes the word on the link; returns the credit lines of the next cycle.
  std::uint64_t step(const weft::Flit& rx, weft::RandomStream& random) {
    if (rx.valid) ++held_[rx.vc];
    std::uint64_t credit = 0;
    for (unsigned v = 0; v < held_.size(); ++v) {
      if (!drain_[v].next(random) || (held_[v] == 0 && !errors_)) continue;
      if (held_[v] != 0) --held_[v];
      credit |= std::uint64_t{1} << v;
    }
    return credit;
  }

 private:
  std::vector<unsigned> held_;
  std::vector<weft::tb::Pressure> drain_;
  bool errors_;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "output_unit", [](tb::Bench& bench) {
    const Point points[] = {
        {64, 1, 1, false},       {65, 1, 20, true},      {64, 2, 2, true},
        {65, 3, 5, false},       {64, 8, 20, false},     {64, 25, 2, true},
        {64, 2, 200, false},     {128, 2, 4, false},     {257, 3, 2, true},
        {64, 2, 3, false, true}, {64, 3, 4, true, true}, {64, 1, 1, false, true}};
    for (const auto& [flit_w, num_vc, depth, age, errors] : bench.order(points)) {
      RtlInstance rtl =
          bench.point({{"FlitW", flit_w}, {"NumVc", num_vc}, {"Depth", depth}, {"Age", age}},
                      std::size(points), !errors);
      const OutputUnit::PortConfig config{{num_vc, depth}, flit_w % 2 != 0, flit_w & ~1u};
      auto ports = bench.ports<OutputUnit>(rtl, config);
      OutputUnit model(config);
      Receiver receiver(num_vc, errors);
      tb::Pressure offer;
      std::uint64_t credit = 0;
      unsigned chosen = 0;

      const auto compare = [&](const OutputUnit::In& in) {
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model);
      };

      for (; bench.running(); bench.next()) {
        // Registers alone, then with the credits of this cycle, then with a word.
        compare({});
        model.eval(&credit);
        compare({{}, &credit});

        if (bench.random.chance(0.3)) chosen = static_cast<unsigned>(bench.random.below(num_vc));
        Flit word{.data = bench.random(),
                  .last = bench.random.chance(0.3),
                  .parity = flit_w % 2 != 0 && bench.random.chance(0.5),
                  .valid = offer.next(bench.random) && model.credits(chosen) != 0,
                  .vc = static_cast<std::uint16_t>(chosen),
                  .stamp = static_cast<std::uint16_t>(bench.random())};
        tb::random_upper(bench.random, flit_w / 64, word);
        compare({word, &credit});
        if (bench.reset_now(rtl)) {
          model.reset();
          receiver = Receiver(num_vc, errors);
          credit = 0;
          continue;
        }
        bench.transferred(word.valid);
        credit = receiver.step(model.out(), bench.random);
        rtl.tick();
        // The source has a stamp anyway; the block drops it without `Age`.
        if (!age) word.stamp = 0;
        model.tick(word);
      }
    }
  });
}
