// Lockstep bench of the crossbar.
#include <algorithm>
#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "tb/crossbar/traffic.hpp"
#include "tb/lib/bench.hpp"

namespace {

using namespace weft;

struct Point {
  unsigned flit_w;
  Crossbar::Config config;
  // Words also come against Buffer-Full, and packets for destinations that there are not.
  bool errors = false;
};

constexpr Route kDigit = Route::kDigit;
const Point kPoints[] = {
    // n, detour, inputs, first, in, out, route, digit, own
    {64, {2, true, 4, 2, 8, 4, kDigit, 0, 1, 0x0002}},
    {65, {4, true, 8, 2, 8, 4, kDigit, 2, 2, 0x0030, {20}}},
    {64, {8, true, 16, 4, 3, 1, kDigit, 3, 3, 0x0080}},
    {64, {4, false, 4, 4, 4, 2, kDigit, 17, 2, 0, {19}}},  // one stage
    {64, {5, true, 10, 4, 5, 3, kDigit, 1, 3, 0x0040}},    // unused inputs in the last first switch
    {129, {4, false, 7, 3, 6, 4, kDigit, 0, 2, 0, {16, 128}}},
    {64, {3, false, 3, 3, 8, 4, Route::kSwitch, 6, 2, 0x00c5}},  // seed 002 fig. 9
    {64, {16, true, 32, 8, 8, 4, kDigit, 0, 4, 0x0010}},
    {64, {5, true, 10, 4, 7, 3, kDigit, 1, 3, 0x0040}, true},
    {65, {3, false, 5, 5, 4, 2, kDigit, 0, 2, 0, {16}}, true},
};

// An address near the own one, so that all destinations of the input are covered.
std::uint64_t address(RandomStream& random, const Crossbar::Config& c, bool errors) {
  const unsigned upper = c.digit_lsb + c.digit_w;
  std::uint64_t high = c.own >> upper;
  if (random.chance(0.15)) high = random.below(8);
  if (random.chance(0.15)) high ^= std::uint64_t{1} << random.below(c.header.addr_w - upper);
  const std::uint64_t low = random.chance(0.5) ? c.own : random();
  const std::uint64_t digit = random.below(c.route == Route::kSwitch ? 4
                                           : errors                  ? std::uint64_t{1} << c.digit_w
                                                                     : c.num_out);
  return (high << upper | digit << c.digit_lsb | (low & low_mask(c.digit_lsb))) &
         low_mask(c.header.addr_w);
}

void lockstep(tb::Bench& bench, const Point& point) {
  const Crossbar::Config& c = point.config;
  const unsigned flit_w = point.flit_w, num_tx = c.num_tx();
  RtlInstance rtl = bench.point({{"FlitW", flit_w},
                                 {"NumOut", c.num_out},
                                 {"Detour", c.detour},
                                 {"NumIn", c.num_in},
                                 {"FirstIn", c.first_in},
                                 {"InDepth", c.in_depth},
                                 {"OutDepth", c.out_depth},
                                 {"Route", static_cast<unsigned>(c.route)},
                                 {"DigitLsb", c.digit_lsb},
                                 {"DigitW", c.digit_w},
                                 {"AddrW", c.header.addr_w}},
                                std::size(kPoints), !point.errors);
  const Crossbar::PortConfig ports_config{c, flit_w % 2 == 1};
  auto ports = bench.ports<Crossbar>(rtl, ports_config);

  Crossbar model(c);
  std::vector<tb::PacketSource> sources(c.num_in, tb::PacketSource(flit_w % 2 == 1, c.header));
  std::vector<tb::Pressure> stops(num_tx);
  std::vector<Flit> rx(c.num_in);
  // With random back-pressure alone a packet would seldom find all links open, and little moved.
  tb::Pressure calm;
  std::uint64_t full_before = 0;
  for (; bench.running(); bench.next()) {
    bench.load_now(rtl, ports, model, ports_config);
    const Crossbar::Out out = model.out();
    bench.equal(ports, out);
    bench.equal("rx_full_o, changes", out.rx_full[0] ^ full_before, out.rx_full_changed[0]);
    full_before = out.rx_full[0];
    const bool rush = calm.next(bench.random);
    std::uint64_t valid = 0, tx_full = 0;
    for (unsigned t = 0; t < num_tx; ++t) {
      const bool valid_tx = (out.tx_valid[0] >> t & 1) != 0;
      bench.equal("tx_valid_o, flits", valid_tx, out.tx[t].valid);
      bench.equal("tx, without a word", valid_tx || out.tx[t] == Flit{}, true);
      bench.transferred(out.tx[t].valid);
      tx_full |= std::uint64_t{stops[t].next(bench.random) && !rush} << t;
    }
    for (unsigned i = 0; i < c.num_in; ++i) {
      valid |= std::uint64_t{rx[i].valid} << i;
    }
    const Crossbar::In in{rx.data(), &valid, &tx_full};
    ports.drive(in);
    if (bench.reset_now(rtl)) {
      model.reset();
      sources.assign(c.num_in, tb::PacketSource(flit_w % 2 == 1, c.header));
      rx.assign(c.num_in, {});
      full_before = 0;
      continue;
    }
    model.step(in);
    rtl.tick();
    for (unsigned i = 0; i < c.num_in; ++i) {
      const bool full = (full_before >> i & 1) != 0 && !point.errors;
      rx[i] = sources[i].next(bench.random, full, rush, [&](RandomStream& random) {
        return address(random, c, point.errors);
      });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "crossbar", [](tb::Bench& bench) {
    for (const Point& point : bench.order(kPoints)) lockstep(bench, point);
  });
}
