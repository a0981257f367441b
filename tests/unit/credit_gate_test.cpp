// Links with Buffer-Full made of credit links: `credit_gate`, wires, `credit_fifo` against queues
// and totals of what was sent, came and was returned.
#include "sim/link/credit_gate.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/link/credit_fifo.hpp"

using namespace weft;

namespace {

// A gate and a FIFO with `stages` registers between them each way.
class GatedLink {
 public:
  GatedLink(unsigned depth, unsigned stages)
      : depth_(depth),
        gate_({.depth = depth}),
        fifo_({.depth = depth}),
        flits_(stages),
        credits_(stages) {}

  // One cycle: the sender's flit, if Buffer-Full of the cycle before was low, and the receiver's
  // Buffer-Full.
  void cycle(Flit flit, bool full) {
    const CreditGate::Out near = gate_.out();
    const CreditFifo::Out far = fifo_.out();
    if (stop_) flit = {};
    // Slots that the gate knows to be free, by totals; Buffer-Full with fewer than two.
    CHECK(near.full == (sent_.size() + 2 > depth_ + returned_));
    flits_.push_back(near.tx);
    credits_.push_back(far.credit);
    stop_ = near.full;
    const Flit arrives = flits_.front();
    const std::uint64_t credit = credits_.front();
    flits_.pop_front();
    credits_.pop_front();

    CHECK(!(stopped_ && far.tx.valid));
    if (far.tx.valid) {
      REQUIRE(came_ < sent_.size());
      CHECK(far.tx == sent_[came_++]);
    } else {
      CHECK(far.tx == Flit{});
    }
    stopped_ = full;
    arrived_ += arrives.valid;
    CHECK(arrived_ - came_ <= depth_);  // With one that goes on in this cycle.
    if (flit.valid) sent_.push_back(flit);
    returned_ += credit & 1;
    gate_.step({flit, &credit});
    fifo_.step({arrives, full});
  }
  std::size_t sent() const { return sent_.size(); }
  std::size_t came() const { return came_; }

 private:
  unsigned depth_;
  CreditGate gate_;
  CreditFifo fifo_;
  std::deque<Flit> flits_;
  std::deque<std::uint64_t> credits_;
  std::vector<Flit> sent_;
  std::size_t came_ = 0, returned_ = 0, arrived_ = 0;
  bool stop_ = false, stopped_ = true;
};

}  // namespace

TEST_CASE("a link with Buffer-Full over a credit link loses and reorders nothing") {
  RandomStream random(11);
  for (const unsigned stages : {0u, 1u, 4u}) {
    for (const unsigned depth : {2u, 3u, 8u, 20u}) {
      CAPTURE(stages);
      CAPTURE(depth);
      GatedLink link(depth, stages);
      double send = 0.5, stop = 0.5;
      for (unsigned cycle = 0; cycle < 3000; ++cycle) {
        if (cycle % 100 == 0) {
          send = 0.25 * static_cast<double>(random.below(5));
          stop = 0.25 * static_cast<double>(random.below(4));
        }
        Flit flit;
        if (random.chance(send)) {
          flit = {.data = random(), .last = random.chance(0.3), .valid = true};
        }
        link.cycle(flit, random.chance(stop));
      }
      for (unsigned cycle = 0; cycle < depth + 2 * stages + 4; ++cycle) link.cycle({}, false);
      CHECK(link.sent() > 50);
      CHECK(link.came() == link.sent());
    }
  }
}

TEST_CASE("4 + 2 S slots keep a link with Buffer-Full over a credit link busy") {
  for (const unsigned stages : {0u, 1u, 5u}) {
    for (const unsigned less : {0u, 1u}) {
      GatedLink link(4 + 2 * stages - less, stages);
      for (unsigned cycle = 0; cycle < 1000; ++cycle) {
        link.cycle({.data = cycle, .last = false, .valid = true}, false);
      }
      CHECK((link.sent() == 1000) == (less == 0));
    }
  }
}

TEST_CASE("gates and FIFOs of depths that cannot be are refused") {
  CHECK_THROWS_AS(CreditGate({.depth = 1}), ConfigError);
  CHECK_THROWS_AS(CreditFifo({.depth = 0}), ConfigError);
}
