// Lockstep bench of the receiver's end of a link whose errors are contained: words of a sender that
// numbers its flits, of which single ones and whole runs are wrong or lost, and words with any
// content and a right check code.
#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/link/guard_rx.hpp"
#include "sim/router/route/route.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

/// Sends packets on every VC.
class Sender {
 public:
  explicit Sender(const GuardRx::Config& config) : config_(config), vcs_(config.num_vc) {}

  /// The next word: with a flit of a random VC if `sends`.
  GuardRx::In next(RandomStream& random, bool sends) {
    GuardRx::In in;
    in.rx.vc = static_cast<std::uint16_t>(random.below(config_.num_vc));
    Vc& vc = vcs_[in.rx.vc];
    const bool head = sends && !vc.inside;
    const std::uint32_t numbers = config_.numbers(head, vc.flits, vc.packets);
    if (sends) {
      in.rx.valid = true;
      in.rx.last = random.chance(0.3);
      in.rx.data = random() << config_.addr_w | address(random);
      tb::random_upper(random, config_.data_w / 64, in.rx);
      in.rx.stamp = static_cast<std::uint16_t>(random());
      in.rx.parity = parity_of(in.rx, config_.data_w / 64) != random.chance(0.05);
      vc.inside = !in.rx.last;
      ++vc.flits;
      vc.packets += head;
    }
    in.check = config_.check_of(in.rx, numbers);
    return in;
  }

 private:
  struct Vc {
    std::uint32_t flits = 0, packets = 0;
    bool inside = false;
  };

  // Most often of a node; else one digit too large, or a bit above the digits.
  std::uint64_t address(RandomStream& random) const {
    if (random.chance(0.05)) return random() & low_mask(config_.addr_w);
    const std::uint64_t beyond =
        random.chance(0.05) ? random.below(config_.max_coords.size()) : ~0u;
    std::uint64_t address = 0;
    unsigned at = 0;
    for (std::size_t d = 0; d < config_.max_coords.size(); ++d) {
      const std::uint32_t last = config_.max_coords[d];
      const unsigned width = static_cast<unsigned>(std::bit_width(last));
      const std::uint64_t digit = d == beyond ? last + 1 : random.below(last + 1);
      address |= (digit & low_mask(width)) << at;
      at += width;
    }
    return address;
  }

  GuardRx::Config config_;
  std::vector<Vc> vcs_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "guard_rx", [](tb::Bench& bench) {
    bench.open_registers();
    const GuardRx::Config points[] = {
        {{2, 2, 2}, {4, 2}},     {{1, 1, 1}, {0}},
        {{3, 8, 5}, {3, 5}},     {{1, 4, 20}, {2, 0, 6, 1, 1, 0, 1, 3}, 20},
        {{70, 70, 4, 512}, {9}}, {{4, 4, 2047, 128}, {255, 255}}};
    for (const GuardRx::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumVc", c.num_vc},
                                     {"VcW", c.vc_w()},
                                     {"Depth", c.depth},
                                     {"FlitW", kFlitWidth(c)},
                                     {"NumDims", static_cast<unsigned>(c.max_coords.size())},
                                     {"MaxCoords", RtlValue(digits_literal(c.max_coords))},
                                     {"AddrW", c.addr_w}},
                                    std::size(points));
      auto ports = bench.ports<GuardRx>(rtl, c);
      GuardRx model(c);
      Sender sender(c);
      tb::Pressure flits, returned, errors, losses;
      std::vector<std::uint64_t> lines(c.back().credit_words());
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, c);
        bench.wind_counters(rtl, model);
        const auto next = [&] { return sender.next(bench.random, flits.next(bench.random)); };
        GuardRx::In in = next();
        // Words that were lost together, without a cycle of the receiver: jumps of the numbers.
        if (losses.next(bench.random) && bench.random.chance(0.1)) {
          for (auto left = bench.random.below(2 * c.depth); left != 0; --left) in = next();
        }
        if (errors.next(bench.random) && bench.random.chance(0.4)) {
          const std::uint64_t kind = bench.random.below(8);
          if (kind == 0) {
            // Anything, with a right check code.
            in.rx.valid = bench.random.chance(0.8);
            in.rx.vc = static_cast<std::uint16_t>(bench.random() & low_mask(c.vc_w()));
            in.check = c.check_of(
                in.rx, static_cast<std::uint32_t>(bench.random() & low_mask(c.check_w() - 8)));
          } else if (kind < 4) {
            in.check ^= 1u << bench.random.below(c.check_w());
          } else if (kind == 4) {
            in.rx.valid = !in.rx.valid;
          } else if (kind == 5) {
            in.rx.vc ^= static_cast<std::uint16_t>(1u << bench.random.below(c.vc_w()));
          } else {
            in.rx.word(static_cast<unsigned>(bench.random.below(c.data_w / 64))) ^=
                std::uint64_t{1} << bench.random.below(64);
          }
        }
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          if (returned.next(bench.random)) lines[v / 64] |= std::uint64_t{1} << v % 64;
        }
        in.credit = lines.data();
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          sender = Sender(c);
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
