// Lockstep bench of the barrier unit, with a parent and children that obey the protocol.
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "tb/lib/bench.hpp"

namespace {

/// The environment of the unit: an own node, children and a parent that arrive and release at
/// random. Children have at most `max_flight` barriers in flight; the parent releases only barriers
/// whose arrival was sent up. Inputs that the unit must ignore (children of a leaf, parent of the
/// root) are arbitrary.
class Surroundings {
 public:
  explicit Surroundings(const weft::BarrierUnit::Config& config)
      : c_(config), flight_(config.num_child), arrive_(config.num_child) {}

  weft::BarrierUnit::In next(const weft::BarrierUnit::Out& out, weft::RandomStream& random) {
    weft::BarrierUnit::In in;
    in.enter = enter_.next(random) && !out.full;
    for (unsigned c = 0; c < c_.num_child; ++c) {
      if (out.down) --flight_[c];
      if (!arrive_[c].next(random) || flight_[c] == c_.max_flight) continue;
      ++flight_[c];
      in.up = static_cast<std::uint8_t>(in.up | 1u << c);
    }
    if (c_.num_child == 0) in.up = random.chance(0.5) ? 1 : 0;
    if (out.up) ++above_;
    in.down = release_.next(random) && (c_.is_root || above_ != 0);
    if (in.down && !c_.is_root) --above_;
    return in;
  }

 private:
  weft::BarrierUnit::Config c_;
  std::vector<unsigned> flight_;  // Of each child: arrived and not released.
  unsigned above_ = 0;            // Gone up and not released.
  weft::tb::Pressure enter_, release_;
  std::vector<weft::tb::Pressure> arrive_;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  return tb::bench_main(argc, argv, "barrier_unit", [](tb::Bench& bench) {
    bench.open_registers();
    const BarrierUnit::Config points[] = {{2, false, 7, 4},  {2, true, 1, 4},  {0, false, 0, 4},
                                          {0, true, 0, 1},   {1, false, 1, 1}, {1, true, 8191, 15},
                                          {3, false, 0, 15}, {3, true, 0, 1},  {8, false, 0, 4},
                                          {8, true, 7, 15}};
    for (const auto& config : bench.order(points)) {
      RtlInstance rtl = bench.point({{"NumChild", config.num_child},
                                     {"IsRoot", RtlValue(config.is_root ? "1'b1" : "1'b0")},
                                     {"HoldCycles", config.hold_cycles},
                                     {"MaxFlight", config.max_flight}},
                                    std::size(points));
      auto ports = bench.ports<BarrierUnit>(rtl, config);
      BarrierUnit model(config);
      Surroundings surroundings(config);
      // Where releases are held longer than from one reset to the next: no reset until some are
      // over.
      const std::uint32_t before_resets = config.hold_cycles > 1000 ? 20 : 0;
      for (; model.out().count < before_resets; bench.next()) {
        bench.equal(ports, model.out());
        const BarrierUnit::In in = surroundings.next(model.out(), bench.random);
        ports.drive(in);
        rtl.tick();
        const std::uint32_t before = model.out().count;
        bench.transferred(model.step(in).count != before);
      }
      bench.begin_share();
      for (; bench.running(); bench.next()) {
        bench.load_now(rtl, ports, model, config);
        bench.wind_counters(rtl, model);
        bench.equal(ports, model.out());
        const BarrierUnit::In in = surroundings.next(model.out(), bench.random);
        ports.drive(in);
        rtl.eval();
        bench.equal(ports, model.out());  // All outputs depend on registers alone.
        if (bench.reset_now(rtl)) {
          model.reset();
          surroundings = Surroundings(config);
          continue;
        }
        const std::uint32_t before = model.out().count;
        rtl.tick();
        bench.transferred(model.step(in).count != before);
      }
    }
  });
}
