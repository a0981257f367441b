// Lockstep bench of the input unit, behind a sender that counts credits.
#include <algorithm>

#include "sim/router/reference/input_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

struct Point {
  unsigned flit_w, num_vc, depth, num_ports;
};

/// Sends random words on random VCs; knows of the receiver's places only by its credits. A dry VC
/// rests for a while, so that every depth is met; `burst` words of a VC often follow each other.
class Sender {
 public:
  explicit Sender(const Point& point) : parity_(point.flit_w == 65), room_(point.num_vc) {
    std::fill(room_.begin(), room_.end(), point.depth);
  }

  void credit(const std::uint64_t* lines) {
    for (unsigned v = 0; v < room_.size(); ++v) room_[v] += lines[v / 64] >> v % 64 & 1;
  }

  weft::Flit next(weft::RandomStream& random) {
    if (random.chance(0.3)) vc_ = static_cast<unsigned>(random.below(room_.size()));
    if (!offer_.next(random) || room_[vc_] == 0) return {};
    --room_[vc_];
    weft::Flit flit;
    flit.valid = true;
    flit.data = random();
    flit.parity = parity_ && random.chance(0.5);
    flit.last = random.chance(0.3);
    flit.vc = static_cast<std::uint16_t>(vc_);
    flit.stamp = static_cast<std::uint16_t>(random());
    return flit;
  }

 private:
  bool parity_;
  unsigned vc_ = 0;
  std::vector<std::uint64_t> room_;
  weft::tb::Pressure offer_;
};

unsigned width_of(unsigned values) {
  return values > 1 ? static_cast<unsigned>(std::bit_width(values - 1)) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "input_unit", [](tb::Bench& bench) {
    const Point points[] = {{64, 1, 1, 2}, {65, 1, 20, 5},  {64, 2, 2, 5},
                            {65, 3, 5, 7}, {64, 8, 20, 12}, {64, 25, 2, 5}};
    for (const Point& point : points) {
      const auto& [flit_w, num_vc, depth, num_ports] = point;
      const unsigned vc_w = width_of(num_vc), port_w = width_of(num_ports);
      const unsigned set_w = width_of(kVcSets);
      RtlInstance rtl = bench.point(
          {{"FlitW", flit_w}, {"NumVc", num_vc}, {"Depth", depth}, {"NumPorts", num_ports}},
          std::size(points));
      RtlPort rx_valid_i = rtl.port("rx_valid_i"), rx_last_i = rtl.port("rx_last_i");
      RtlPort rx_vc_i = rtl.port("rx_vc_i"), rx_data_i = rtl.port("rx_data_i");
      RtlPort rx_stamp_i = rtl.port("rx_stamp_i"), rx_port_i = rtl.port("rx_port_i");
      RtlPort rx_set_i = rtl.port("rx_set_i"), pop_i = rtl.port("pop_i"), vc_i = rtl.port("vc_i");
      const RtlPort valid_o = rtl.port("valid_o"), head_o = rtl.port("head_o");
      const RtlPort last_o = rtl.port("last_o"), whole_o = rtl.port("whole_o"),
                    data_o = rtl.port("data_o");
      const RtlPort stamp_o = rtl.port("stamp_o"), port_o = rtl.port("port_o");
      const RtlPort set_o = rtl.port("set_o"), vc_o = rtl.port("vc_o");
      const RtlPort credit_o = rtl.port("credit_o");
      InputUnit model({num_vc, depth});
      Sender sender(point);
      std::vector<tb::Pressure> take(num_vc);

      const auto compare = [&] {
        for (unsigned v = 0; v < num_vc; ++v) {
          const bool valid = model.valid(v);
          const Flit word = valid ? model.word(v) : Flit{};
          bench.equal("valid_o", valid_o.bits(v, 1), valid);
          bench.equal("head_o", head_o.bits(v, 1), valid && model.head(v));
          bench.equal("last_o", last_o.bits(v, 1), word.last);
          bench.equal("whole_o", whole_o.bits(v, 1), model.whole(v));
          bench.equal("data_o", data_o.bits(v * flit_w, 64), word.data);
          if (flit_w == 65) bench.equal("data_o", data_o.bits(v * 65 + 64, 1), word.parity);
          bench.equal("stamp_o", stamp_o.bits(v * kStampW, kStampW), word.stamp);
          bench.equal("port_o", port_o.bits(v * port_w, port_w), valid ? model.port(v) : 0);
          bench.equal("set_o", set_o.bits(v * set_w, set_w),
                      valid ? static_cast<unsigned>(model.set(v)) : 0);
          bench.equal("vc_o", vc_o.bits(v * vc_w, vc_w), valid ? model.given_vc(v) : 0);
        }
        bench.equal("credit_o", credit_o.get(), model.credit()[0]);
      };

      for (; bench.running(); bench.next()) {
        // What the edge has left, before anything arrives: no word passes through.
        rx_valid_i.set(false);
        pop_i.set(0);
        rtl.eval();
        compare();

        sender.credit(model.credit());
        const Flit rx = sender.next(bench.random);
        const RouteOut way{static_cast<std::uint32_t>(bench.random.below(num_ports)),
                           static_cast<VcSet>(bench.random.below(kVcSets))};
        // Without `valid` the lines mean nothing.
        const Flit noise{.data = bench.random(),
                         .last = bench.random.chance(0.5),
                         .vc = static_cast<std::uint16_t>(bench.random.below(num_vc)),
                         .stamp = static_cast<std::uint16_t>(bench.random())};
        const Flit& lines = rx.valid ? rx : noise;
        rx_valid_i.set(rx.valid);
        rx_last_i.set(lines.last);
        rx_vc_i.set(lines.vc);
        rx_data_i.set_bits(0, 64, lines.data);
        if (flit_w == 65) rx_data_i.set_bits(64, 1, lines.parity);
        rx_stamp_i.set(lines.stamp);
        rx_port_i.set(way.port);
        rx_set_i.set(static_cast<unsigned>(way.set));
        rtl.eval();
        model.eval(rx, way);
        compare();

        std::uint64_t pops = 0;
        for (unsigned v = 0; v < num_vc; ++v) {
          if (take[v].next(bench.random) && model.valid(v)) pops |= std::uint64_t{1} << v;
        }
        pop_i.set(pops);
        for (unsigned v = 0; v < num_vc; ++v) {
          vc_i.set_bits(v * vc_w, vc_w, bench.random.below(num_vc));
        }
        // No output depends on what leaves.
        rtl.eval();
        compare();
        if (bench.reset_now(rtl)) {
          model.reset();
          sender = Sender(point);
          continue;
        }
        for (std::uint64_t left = pops; left != 0; left &= left - 1) {
          const auto v = static_cast<unsigned>(std::countr_zero(left));
          model.pop(v, static_cast<std::uint32_t>(vc_i.bits(v * vc_w, vc_w)));
          bench.transferred();
        }
        rtl.tick();
        model.tick();
      }
    }
  });
}
