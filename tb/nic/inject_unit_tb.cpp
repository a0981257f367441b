// Lockstep bench of the inject unit. Besides model against RTL, the link is checked by itself: no
// word without a credit, each packet as a whole on one VC, the VC of the rule, found by a search
// over the VCs.
#include <array>
#include <vector>

#include "sim/nic/inject_unit.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/credit_link.hpp"

namespace {

using namespace weft;

struct Point {
  InjectUnit::Config config;
  bool parity;
  unsigned data_w = kHdrW;
  unsigned addr_w = kAddrW;  // With `by_dest`.
};

// The offered flits: packets of up to 8 body flits, each offered until it has moved; headers of
// destinations that have no VC, which never move, are withdrawn some time later.
class Offers {
 public:
  explicit Offers(const Point& point)
      : config_(point.config),
        parity_(point.parity),
        words_(point.data_w / 64),
        addr_w_(point.addr_w) {}

  const Flit& next(RandomStream& random) {
    if (flit_.valid && stuck_ && random.below(16) == 0) {
      flit_ = {};
      left_ = 0;
    }
    if (flit_.valid || !go_.next(random)) return flit_;
    const bool header = left_ == 0;
    if (header) left_ = 1 + static_cast<std::uint32_t>(random.below(9));
    flit_ = {.data = random(), .last = --left_ == 0, .valid = true};
    if (header && config_.by_dest) {
      // Now and then any address, also one with digits that no node has.
      if (random.below(8) != 0) {
        const auto node =
            static_cast<std::uint32_t>(random.below(tb::node_count(config_.max_coords)));
        flit_.data = (flit_.data & ~low_mask(addr_w_)) |
                     tb::address_of(config_.max_coords, node,
                                    static_cast<std::uint32_t>(random() & low_mask(addr_w_)));
      }
      rank_ = tb::rank_of(config_.max_coords,
                          static_cast<std::uint32_t>(flit_.data & low_mask(addr_w_)));
      stuck_ = rank_ >= config_.num_vc;
    }
    tb::random_upper(random, words_, flit_);
    flit_.parity = parity_ && random.below(2) != 0;
    return flit_;
  }
  void moved() { flit_ = {}; }
  std::uint32_t rank() const { return rank_; }

 private:
  InjectUnit::Config config_;
  bool parity_;
  unsigned words_, addr_w_;
  tb::Pressure go_;
  Flit flit_;
  std::uint32_t left_ = 0, rank_ = 0;
  bool stuck_ = false;
};

// The VC of the offered flit by the rule; the number of VCs where it waits.
class Rule {
 public:
  explicit Rule(const InjectUnit::Config& config)
      : config_(config),
        size_(config.classes ? config.num_vc / 2 : config.num_vc),
        last_of_class_{size_ - 1, size_ - 1} {}

  unsigned vc(const Flit& offer, const tb::CreditSide& side, std::uint32_t rank) const {
    if (inside_) return side.sender_credits(last_) > 0 ? last_ : config_.num_vc;
    if (config_.by_dest) {
      return rank < config_.num_vc && side.sender_credits(rank) > 0 ? rank : config_.num_vc;
    }
    const unsigned cls = class_of(offer);
    for (unsigned i = 1; i <= size_; ++i) {
      const unsigned v = (last_of_class_[cls] + i) % size_;
      if (config_.in_order && v != 0) continue;
      if (side.sender_credits(cls * size_ + v) > 0) return cls * size_ + v;
    }
    return config_.num_vc;
  }
  // The offered flit moves; its stamp.
  std::uint32_t moved(unsigned vc, const Flit& offer, std::uint64_t now) {
    if (!inside_ && config_.age) stamp_ = static_cast<std::uint32_t>(now & low_mask(kStampW));
    if (!inside_) last_of_class_[class_of(offer)] = vc % size_;
    last_ = vc;
    inside_ = !offer.last;
    return stamp_;
  }

 private:
  unsigned class_of(const Flit& header) const {
    return config_.classes ? Header::unpack(header.data, {}).tag % 2 : 0;
  }

  InjectUnit::Config config_;
  unsigned size_;                          // VCs of a class.
  std::array<unsigned, 2> last_of_class_;  // Within the class.
  unsigned last_ = 0;
  std::uint32_t stamp_ = 0;
  bool inside_ = false;
};

// Until the end of the point or a reset; true after a reset. The unit was idle for `idle` cycles.
bool life(tb::Bench& bench, RtlInstance& rtl, const Point& point, std::uint64_t idle) {
  const InjectUnit::Config& config = point.config;
  auto ports =
      bench.ports<InjectUnit>(rtl, InjectUnit::PortConfig{config, point.parity, point.data_w});
  InjectUnit model(config);
  Offers offers(point);
  tb::CreditSide side(config.num_vc, config.depth);
  Rule rule(config);
  Flit wanted;
  for (const std::uint64_t begin = bench.cycle() - idle; bench.running(); bench.next()) {
    if (wanted != model.out()) throw CheckError("inject_unit: not the word that is due");
    const std::uint64_t now = bench.cycle() - begin;
    const InjectUnit::In in{offers.next(bench.random), side.credits(bench.random),
                            static_cast<std::uint32_t>(now)};
    side.see(model.out());
    ports.drive(in);
    rtl.eval();
    const unsigned vc = in.offer.valid ? rule.vc(in.offer, side, offers.rank()) : config.num_vc;
    const bool moves = vc < config.num_vc;
    const InjectUnit::Out out{model.out(), model.ready(in)};
    bench.equal(ports, out);
    bench.equal("ready_o by the rule", out.ready, moves);
    wanted = {};
    if (moves) {
      wanted = in.offer;
      wanted.vc = static_cast<std::uint16_t>(vc);
      wanted.stamp = static_cast<std::uint16_t>(rule.moved(vc, in.offer, now));
      side.loaded(vc);
    }
    if (bench.reset_now(rtl)) return true;
    bench.transferred(moves);
    // Credits alone have their own step.
    if (!in.offer.valid && !model.out().valid && bench.random.below(2) == 0) {
      model.add(in.credit);
    } else {
      model.step(in);
    }
    if (moves) offers.moved();
    rtl.tick();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "inject_unit", [](tb::Bench& bench) {
    // The first ones cover most behaviour, so that a mutation is detected soon.
    const Point points[] = {
        {{3, 2, false, true, {}}, false},
        {{12, 2, true, true, {2, 3}}, true},
        {{1, 1, false, false, {}}, false},
        {{2, 8, false, true, {}}, true},
        {{8, 3, false, false, {}}, true},
        {{70, 1, true, false, {4, 0, 13, 0, 0, 0, 0, 0}}, false},
        {{3, 2, false, true, {}, true}, true},
        {{2, 3, false, true, {}}, true, 128},
        {{4, 2, false, false, {}}, false, 256},
        {{6, 2, false, true, {}, false, true}, true},
        {{4, 1, false, false, {}, true, true}, false},
        {{15, 2, true, false, {4, 2}}, false, kHdrW, kMaxAddrW},
    };
    for (const Point& point : bench.order(points)) {
      const InjectUnit::Config& c = point.config;
      RtlParams params = {{"DataW", point.data_w}, {"Parity", point.parity},
                          {"NumVc", c.num_vc},     {"Depth", c.depth},
                          {"ByDest", c.by_dest},   {"InOrder", c.in_order},
                          {"Age", c.age},          {"Classes", c.classes}};
      if (c.by_dest) {
        params.emplace_back("AddrW", point.addr_w);
        params.emplace_back("NumDims", c.max_coords.size());
        params.emplace_back("MaxCoords", tb::max_coords_value(c.max_coords));
      }
      RtlInstance rtl = bench.point(params, std::size(points));
      // The clock of the stamps is at first before a carry of all its bits.
      std::uint64_t idle = 0;
      for (; c.age && idle < (1u << kStampW) - 100; ++idle) rtl.tick();
      while (life(bench, rtl, point, idle)) {
        bench.next();
        idle = 0;
      }
    }
  });
}
