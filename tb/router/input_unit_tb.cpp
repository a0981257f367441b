// Lockstep bench of the input unit, with a sender that counts credits.
#include <algorithm>
#include <bit>

#include "sim/router/input_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

struct Point {
  unsigned flit_w, num_vc, depth, num_ports;
  bool age, bypass = true, adaptive = false;
  bool errors = false;  // Words also come without a credit, and on VCs that there are not.
};

/// Sends random words on random VCs, as its credits allow. A VC without credits pauses for a while,
/// so that every depth is covered; `burst` words of a VC often follow each other.
class Sender {
 public:
  explicit Sender(const Point& point)
      : parity_(point.flit_w % 2 != 0),
        errors_(point.errors),
        words_(point.flit_w / 64),
        credits_(point.num_vc) {
    std::fill(credits_.begin(), credits_.end(), point.depth);
  }

  void credit(const std::uint64_t* lines) {
    for (unsigned v = 0; v < credits_.size(); ++v) credits_[v] += lines[v / 64] >> v % 64 & 1;
  }

  weft::Flit next(weft::RandomStream& random) {
    const std::uint64_t vcs = errors_ ? std::bit_ceil(credits_.size()) : credits_.size();
    if (random.chance(0.3)) vc_ = static_cast<unsigned>(random.below(vcs));
    if (!offer_.next(random) || (!errors_ && credits_[vc_] == 0)) return {};
    if (!errors_) --credits_[vc_];
    weft::Flit flit;
    flit.valid = true;
    flit.data = random();
    weft::tb::random_upper(random, words_, flit);
    flit.parity = parity_ && random.chance(0.5);
    flit.last = random.chance(0.3);
    flit.vc = static_cast<std::uint16_t>(vc_);
    flit.stamp = static_cast<std::uint16_t>(random());
    return flit;
  }

 private:
  bool parity_, errors_;
  unsigned words_, vc_ = 0;
  std::vector<std::uint64_t> credits_;
  weft::tb::Pressure offer_;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "input_unit", [](tb::Bench& bench) {
    const Point points[] = {{64, 1, 1, 2, false},
                            {64, 2, 5, 5, true, false},
                            {65, 1, 20, 5, true},
                            {64, 2, 2, 5, true},
                            {64, 1, 1, 2, false, false},
                            {65, 3, 5, 7, false},
                            {64, 8, 20, 12, true},
                            {64, 25, 2, 5, false},
                            {65, 3, 2, 7, true, false},
                            {64, 9, 20, 4, false, false},
                            {64, 2, 3, 5, false, true, true},
                            {65, 4, 6, 11, true, false, true},
                            {128, 2, 4, 5, false},
                            {257, 2, 20, 5, true, false},
                            {64, 3, 3, 5, false, true, false, true},
                            {65, 1, 1, 2, false, true, false, true},
                            {64, 3, 4, 5, true, false, false, true}};
    for (const Point& point : bench.order(points)) {
      const auto& [flit_w, num_vc, depth, num_ports, age, bypass, adaptive, errors] = point;
      RtlInstance rtl = bench.point({{"FlitW", flit_w},
                                     {"NumVc", num_vc},
                                     {"Depth", depth},
                                     {"NumPorts", num_ports},
                                     {"Age", age},
                                     {"Bypass", bypass},
                                     {"Adaptive", adaptive}},
                                    std::size(points), !errors);
      const InputUnit::PortConfig config{
          {num_vc, depth, bypass, adaptive}, flit_w % 2 != 0, num_ports, flit_w & ~1u};
      auto ports = bench.ports<InputUnit>(rtl, config);
      InputUnit model(config);
      InputUnit::In in;
      std::vector<std::uint32_t> given(num_vc), to(num_vc);
      in.given = given.data();
      in.to = to.data();
      Sender sender(point);
      std::vector<tb::Pressure> take(num_vc);

      const auto compare = [&] {
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model);
      };

      for (; bench.running(); bench.next()) {
        // The state after the edge, before a word arrives: no bypass.
        in.rx.valid = false;
        in.pops = 0;
        compare();

        sender.credit(model.credit());
        Flit rx = sender.next(bench.random);
        in.way = {static_cast<std::uint32_t>(bench.random.below(num_ports)),
                  static_cast<VcSet>(bench.random.below(kVcSets))};
        in.minimal = bench.random.below(std::uint64_t{1} << num_ports);
        // Without `valid` the lines mean nothing.
        const Flit noise{.data = bench.random(),
                         .last = bench.random.chance(0.5),
                         .vc = static_cast<std::uint16_t>(bench.random.below(num_vc)),
                         .stamp = static_cast<std::uint16_t>(bench.random())};
        in.rx = rx.valid ? rx : noise;
        // The link has a stamp anyway; the block drops it without `Age`.
        if (!age) rx.stamp = 0;
        model.eval(rx, in.way, adaptive ? in.minimal : 0);
        compare();

        for (unsigned v = 0; v < num_vc; ++v) {
          if (take[v].next(bench.random) && model.valid(v)) in.pops |= std::uint64_t{1} << v;
        }
        for (auto& vc : given) vc = static_cast<std::uint32_t>(bench.random.below(num_vc));
        for (auto& port : to) port = static_cast<std::uint32_t>(bench.random.below(num_ports));
        // No output depends on the pops.
        compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          sender = Sender(point);
          continue;
        }
        for (std::uint64_t left = in.pops; left != 0; left &= left - 1) {
          const auto v = static_cast<unsigned>(std::countr_zero(left));
          model.pop(v, given[v], adaptive ? to[v] : model.port(v));
          bench.transferred();
        }
        rtl.tick();
        model.tick();
      }
    }
  });
}
