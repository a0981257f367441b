// Lockstep bench of the output unit, in front of a receiver that gives its places back at random.
#include <algorithm>

#include "sim/router/reference/output_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

struct Point {
  unsigned flit_w, num_vc, depth;
};

/// The receiver's side of the link: words held in each VC, and the credits of words that left.
class Receiver {
 public:
  explicit Receiver(unsigned num_vc) : held_(num_vc), drain_(num_vc) {}

  /// Takes the word on the link; returns the credit lines of the next cycle.
  std::uint64_t step(const weft::Flit& rx, weft::RandomStream& random) {
    if (rx.valid) ++held_[rx.vc];
    std::uint64_t credit = 0;
    for (unsigned v = 0; v < held_.size(); ++v) {
      if (!drain_[v].next(random) || held_[v] == 0) continue;
      --held_[v];
      credit |= std::uint64_t{1} << v;
    }
    return credit;
  }

 private:
  std::vector<unsigned> held_;
  std::vector<weft::tb::Pressure> drain_;
};

unsigned width_of(unsigned values) {
  return values > 1 ? static_cast<unsigned>(std::bit_width(values - 1)) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "output_unit", [](tb::Bench& bench) {
    const Point points[] = {{64, 1, 1},  {65, 1, 20}, {64, 2, 2},  {65, 3, 5},
                            {64, 8, 20}, {64, 25, 2}, {64, 2, 200}};
    for (const auto& [flit_w, num_vc, depth] : points) {
      const auto count_w = static_cast<unsigned>(std::bit_width(depth));
      const unsigned vc_w = width_of(num_vc);
      RtlInstance rtl =
          bench.point({{"FlitW", flit_w}, {"NumVc", num_vc}, {"Depth", depth}}, std::size(points));
      RtlPort valid_i = rtl.port("valid_i"), last_i = rtl.port("last_i");
      RtlPort vc_i = rtl.port("vc_i"), data_i = rtl.port("data_i");
      RtlPort stamp_i = rtl.port("stamp_i"), credit_i = rtl.port("credit_i");
      const RtlPort free_o = rtl.port("free_o"), room_o = rtl.port("room_o");
      const RtlPort valid_o = rtl.port("valid_o"), last_o = rtl.port("last_o");
      const RtlPort vc_o = rtl.port("vc_o"), data_o = rtl.port("data_o");
      const RtlPort stamp_o = rtl.port("stamp_o");
      OutputUnit model({num_vc, depth});
      Receiver receiver(num_vc);
      tb::Pressure offer;
      std::uint64_t credit = 0;
      unsigned chosen = 0;

      const auto compare = [&] {
        for (unsigned v = 0; v < num_vc; ++v) {
          bench.equal("free_o", free_o.bits(v, 1), model.free(v));
          bench.equal("room_o", room_o.bits(v * count_w, count_w), model.room(v));
        }
        bench.equal("valid_o", valid_o.get(), model.out().valid);
        bench.equal("last_o", last_o.get(), model.out().last);
        bench.equal("vc_o", vc_o.bits(0, vc_w), model.out().vc);
        bench.equal("data_o", data_o.bits(0, 64), model.out().data);
        if (flit_w == 65) bench.equal("data_o[64]", data_o.bits(64, 1), model.out().parity);
        bench.equal("stamp_o", stamp_o.get(), model.out().stamp);
      };

      for (; bench.running(); bench.next()) {
        // Registers alone, then with the credits of this cycle, then with a word.
        valid_i.set(false);
        credit_i.set(0);
        rtl.eval();
        compare();
        credit_i.set(credit);
        rtl.eval();
        model.eval(&credit);
        compare();

        if (bench.random.chance(0.3)) chosen = static_cast<unsigned>(bench.random.below(num_vc));
        const Flit word{.data = bench.random(),
                        .last = bench.random.chance(0.3),
                        .parity = flit_w == 65 && bench.random.chance(0.5),
                        .valid = offer.next(bench.random) && model.room(chosen) != 0,
                        .vc = static_cast<std::uint16_t>(chosen),
                        .stamp = static_cast<std::uint16_t>(bench.random())};
        valid_i.set(word.valid);
        last_i.set(word.last);
        vc_i.set(word.vc);
        data_i.set_bits(0, 64, word.data);
        if (flit_w == 65) data_i.set_bits(64, 1, word.parity);
        stamp_i.set(word.stamp);
        rtl.eval();
        compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          receiver = Receiver(num_vc);
          credit = 0;
          continue;
        }
        bench.transferred(word.valid);
        credit = receiver.step(model.out(), bench.random);
        rtl.tick();
        model.tick(word);
      }
    }
  });
}
