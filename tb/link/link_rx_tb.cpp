// Lockstep bench of the receiver's end of a link that repairs errors: words in sequence, ahead and
// behind, wrong ones, and words that no sender sends with a CRC that is right. The deepest receiver
// first takes flits in sequence until all numbers have been used.
#include <algorithm>
#include <vector>

#include "sim/link/link_rx.hpp"
#include "sim/packet/port_shape.hpp"
#include "tb/lib/bench.hpp"

namespace {

// Inverts one bit of the word on the wires.
void invert(const weft::LinkRx::Config& c, weft::LinkRx::In& in, std::uint64_t bit) {
  if (bit < c.data_w) {
    in.rx.word(static_cast<unsigned>(bit / 64)) ^= std::uint64_t{1} << bit % 64;
    return;
  }
  bit -= c.data_w;
  const unsigned vc_w = weft::index_width(c.field_vcs);
  if (bit < 16) {
    in.rx.stamp = static_cast<std::uint16_t>(in.rx.stamp ^ 1u << bit);
  } else if (bit < 16 + vc_w) {
    in.rx.vc = static_cast<std::uint16_t>(in.rx.vc ^ 1u << (bit - 16));
  } else if (bit == 16 + vc_w) {
    in.rx.last = !in.rx.last;
  } else if (bit == 17 + vc_w) {
    in.rx.valid = !in.rx.valid;
  } else if (bit == 18 + vc_w) {
    in.rx.parity = in.rx.parity != c.parity;
  } else {
    in.check ^= 1u << (bit - 19 - vc_w);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "link_rx", [](tb::Bench& bench) {
    bench.open_registers();
    const LinkRx::Config points[] = {{false, 64, 1, 1, 1},   {true, 64, 2, 2, 2},
                                     {true, 64, 2, 2, 20},   {false, 128, 8, 3, 5},
                                     {false, 64, 5, 1, 4},   {true, 512, 2, 2, 7},
                                     {false, 64, 70, 70, 2}, {false, 64, 8, 8, 4096}};
    for (const LinkRx::Config& c : bench.order(points)) {
      RtlInstance rtl = bench.point({{"FlitW", kFlitWidth(c)},
                                     {"VcW", index_width(c.field_vcs)},
                                     {"NumVc", c.num_vc},
                                     {"Depth", c.depth}},
                                    std::size(points));
      auto ports = bench.ports<LinkRx>(rtl, c);
      LinkRx model(c);
      tb::Pressure flits, wrong, other, credits;
      RandomStream& random = bench.random;
      std::vector<std::uint64_t> lines(c.back().credit_words());
      std::uint32_t taken = 0;  // Flits taken; also the number expected.
      const std::uint64_t all = bench.cycle() + (c.depth > 1000 ? c.seq_mask() + 200 : 0);
      for (; bench.running() || bench.cycle() < all; bench.next()) {
        const bool in_sequence = bench.cycle() < all;
        if (in_sequence) bench.begin_share();
        bench.load_now(rtl, ports, model, c);
        bench.wind_counters(rtl, model);
        taken += model.out().tx.valid;
        std::fill(lines.begin(), lines.end(), 0);
        for (unsigned v = 0; v < c.num_vc; ++v) {
          if (credits.next(random)) lines[v / 64] |= std::uint64_t{1} << v % 64;
        }
        LinkRx::In in;
        in.credit = lines.data();
        if (flits.next(random) || in_sequence) {
          in.rx.valid = in_sequence || !random.chance(0.05);
          in.rx.data = random();
          tb::random_upper(random, c.data_w / 64, in.rx);
          in.rx.last = random.chance(0.3);
          in.rx.parity = c.parity && random.chance(0.5);
          in.rx.vc = static_cast<std::uint16_t>(random.below(c.field_vcs));
          in.rx.stamp = static_cast<std::uint16_t>(random());
          // The next, one near it, or any.
          std::uint32_t seq = taken;
          if (other.next(random) && !in_sequence) {
            const bool near = random.chance(0.7);
            seq += static_cast<std::uint32_t>(near ? random.below(5) - 2
                                                   : random.below(c.seq_mask() + 1));
          }
          in.check = c.check_of(in.rx, seq & c.seq_mask());
        }
        if (wrong.next(random) && random.chance(0.5) && !in_sequence) {
          for (auto n = random.below(3); n-- != 0;) {
            invert(c, in, random.below(c.data_w + 19 + index_width(c.field_vcs) + c.check_w()));
          }
        }
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());
        if (!in_sequence && bench.reset_now(rtl)) {
          model.reset();
          taken = 0;
          continue;
        }
        rtl.tick();
        model.step(in);
        bench.transferred(model.out().tx.valid);
      }
    }
  });
}
