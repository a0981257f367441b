// States of the blocks of links and of the units of trees that are loaded, as
// loaded_state_test.cpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "tests/unit/loaded_states.hpp"

namespace weft {
namespace {

using loaded::check_states;

TEST_CASE("blocks of links") {
  LinkTx::Config config;
  config.num_vc = config.field_vcs = 2;
  LinkTx tx(config);
  LinkRx rx(config);
  LinkStage stage(
      {.stages = 2, .num_vc = 2, .check_w = config.check_w(), .back_w = config.back_w()});
  GuardForm guard;
  guard.num_vc = guard.field_vcs = 2;
  GuardTx guard_tx(guard);
  GuardRx::Config guard_config;
  static_cast<GuardForm&>(guard_config) = guard;
  GuardRx guard_rx(guard_config);
  tx.reset();
  rx.reset();
  stage.reset();
  guard_rx.reset();
  RandomStream random(3);
  unsigned refused = 0;
  for (int cycle = 0; cycle < 500; ++cycle) {
    const LinkTx::Out sent = tx.out();
    const LinkRx::Out got = rx.out();
    const LinkStage::Out passed = stage.out();
    Flit flit;
    flit.valid = tx.kept() < config.replay() && random.below(2) == 0;
    flit.last = random.below(3) == 0;
    flit.vc = static_cast<std::uint16_t>(random.below(2));
    flit.data = flit.valid ? random() : 0;
    Flit wrong = passed.tx;
    if (random.below(20) == 0) wrong.data ^= 1;
    const std::uint64_t credit = random.below(4);
    std::vector<std::uint64_t> word(passed.back, passed.back + config.back().words());
    const GuardTx::Out guarded = guard_tx.out();
    guard_rx.step({guarded.tx, guarded.check, &credit});
    guard_tx.step({flit, guard_rx.out().back});
    std::vector<std::uint64_t> back(got.back, got.back + config.back().words());
    rx.step({wrong, passed.check, &credit});
    stage.step({sent.tx, back.data(), sent.check});
    tx.step({flit, word.data()});
    const std::uint64_t none = 0;
    refused += check_states<LinkTx>([&] { return LinkTx(config); }, tx, random,
                                    [&](LinkTx& block) {
                                      for (int i = 0; i < 300; ++i)
                                        block.step({Flit{}, i % 5 == 0 ? word.data() : nullptr});
                                    });
    refused += check_states<LinkRx>([&] { return LinkRx(config); }, rx, random,
                                    [&](LinkRx& block) {
                                      for (int i = 0; i < 10; ++i)
                                        block.step({wrong, passed.check, &none});
                                    });
    const auto made = [&] {
      return LinkStage(
          {.stages = 2, .num_vc = 2, .check_w = config.check_w(), .back_w = config.back_w()});
    };
    refused += check_states<LinkStage>(made, stage, random, [&](LinkStage& block) {
      for (int i = 0; i < 10; ++i) {
        REQUIRE(fits(block.out().back, config.back().words(), config.back_w()));
        block.step({});
      }
    });
    refused += check_states<GuardTx>([&] { return GuardTx(guard); }, guard_tx, random,
                                     [&](GuardTx& block) {
                                       for (int i = 0; i < 10; ++i) block.step({});
                                     });
    refused += check_states<GuardRx>([&] { return GuardRx(guard_config); }, guard_rx, random,
                                     [&](GuardRx& block) {
                                       for (int i = 0; i < 10; ++i)
                                         block.step({guarded.tx, 0, &none});
                                     });
  }
  CHECK(refused > 20);
}

TEST_CASE("units of the trees") {
  const BarrierUnit::Config barrier{.num_child = 2, .is_root = true, .hold_cycles = 3};
  BarrierUnit unit(barrier);
  const CombineUnit::Config config{.num_child = 2, .is_root = true, .depth = 4};
  CombineUnit combine(config);
  RandomStream random(9);
  unsigned refused = 0;
  for (int cycle = 0; cycle < 500; ++cycle) {
    BarrierUnit::In pulses;
    pulses.enter = !unit.out().full && random.below(3) == 0;
    pulses.up = static_cast<std::uint8_t>(random.below(4));
    unit.step(pulses);
    CombineUnit::In in;
    in.post = !combine.out().full && random.below(8) == 0;
    in.order = {.addr = 0, .to = 8, .len = 3, .op = ReduceOp::kSum};
    for (auto& up : in.up) up.valid = up.some = random.below(6) == 0;
    combine.step(in);
    refused += check_states<BarrierUnit>([&] { return BarrierUnit(barrier); }, unit, random,
                                         [](BarrierUnit& block) {
                                           for (int i = 0; i < 40; ++i) block.step({});
                                         });
    refused += check_states<CombineUnit>([&] { return CombineUnit(config); }, combine, random,
                                         [&](CombineUnit& block) {
                                           for (int i = 0; i < 40; ++i) block.step({});
                                         });
  }
  CHECK(refused > 20);
}

}  // namespace
}  // namespace weft
