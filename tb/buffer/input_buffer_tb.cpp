// Lockstep bench of the input buffer circuit.
#include "sim/buffer/input_buffer.hpp"
#include "tb/crossbar/traffic.hpp"
#include "tb/lib/bench.hpp"

namespace {

struct Point {
  unsigned flit_w;
  weft::InputBuffer::Config config;
  // Words also come against Buffer-Full, and packets for destinations that there are not.
  bool errors = false;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "input_buffer", [](tb::Bench& bench) {
    const Point points[] = {
        {64, {8, 5, true, Route::kDigit, 0, 2, 0x0003}},
        {65, {3, 4, false, Route::kDigit, 16, 2, 0x0000, {18}}},
        {64, {4, 6, true, Route::kDigit, 3, 3, 0x0a40, {20}}},  // 5 of 8 digit values exist
        {65, {16, 3, false, Route::kSwitch, 6, 2, 0x00c5}},
        {64, {5, 65, true, Route::kDigit, 0, 6, 0x0040}},
        {64, {7, 2, true, Route::kDigit, 4, 0, 0x0020}},  // a digit of one value
        {128, {3, 5, true, Route::kDigit, 0, 2, 0x0003, {16, 128}}},
        {257, {16, 4, false, Route::kDigit, 2, 2, 0x0000, {18, 256}}},
        {64, {3, 6, true, Route::kDigit, 3, 3, 0x0a40, {20}}, true},
        {65, {4, 3, false, Route::kDigit, 0, 2, 0x0000, {16}}, true},
    };
    for (const Point& point : bench.order(points)) {
      const weft::InputBuffer::Config& config = point.config;
      RtlInstance rtl = bench.point({{"FlitW", point.flit_w},
                                     {"Depth", config.depth},
                                     {"NumDest", config.num_dest},
                                     {"Detour", config.detour},
                                     {"Route", static_cast<unsigned>(config.route)},
                                     {"DigitLsb", config.digit_lsb},
                                     {"DigitW", config.digit_w},
                                     {"AddrW", config.header.addr_w}},
                                    std::size(points), !point.errors);
      auto ports =
          bench.ports<InputBuffer>(rtl, InputBuffer::PortConfig{config, point.flit_w % 2 != 0});
      InputBuffer model(config);
      tb::PacketSource source(point.flit_w % 2 != 0, config.header);
      tb::Pressure take;
      const auto address = [&](RandomStream& random) -> std::uint64_t {
        // Near the own address, so that every destination is covered.
        const unsigned upper = config.digit_lsb + config.digit_w;
        const unsigned outs = config.num_dest - config.detour;
        std::uint64_t high = config.own >> upper;
        if (random.chance(0.25)) high = random.below(8);
        if (random.chance(0.25))
          high ^= std::uint64_t{1} << random.below(config.header.addr_w - upper);
        std::uint64_t low = random.chance(0.5) ? config.own : random();
        // A three-port switch has an output for every value of the digit.
        const unsigned values = 1u << config.digit_w;
        const std::uint64_t digit = random.below(
            config.route == Route::kSwitch || point.errors ? values : std::min(outs, values));
        return (high << upper | digit << config.digit_lsb | (low & low_mask(config.digit_lsb))) &
               low_mask(config.header.addr_w);
      };
      Flit rx;
      for (; bench.running(); bench.next()) {
        const InputBuffer::Out out = model.out();
        bench.equal(ports, out);
        const bool ready = take.next(bench.random) && out.word.valid;
        const InputBuffer::In in{rx, ready};
        ports.drive(in);
        if (bench.reset_now(rtl)) {
          model.reset();
          source = tb::PacketSource(point.flit_w % 2 != 0, config.header);
          rx = {};
          continue;
        }
        model.step(in);
        bench.transferred(ready);
        rtl.tick();
        rx = source.next(bench.random, out.full && !point.errors, false, address);
      }
    }
  });
}
