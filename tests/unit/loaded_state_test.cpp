// States of blocks that are loaded: what a block has saved in any cycle is a state, and a state
// with another number in it is refused or leaves nothing that the block has.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/router/vc_router.hpp"
#include "tests/unit/loaded_states.hpp"
#include "tests/unit/nic_node.hpp"

namespace weft {
namespace {

using loaded::check_states;
using loaded::loads;
using loaded::saved;

struct State {
  bool flag = true;
  VcSet set = VcSet::kNext;
  std::vector<std::uint16_t> fixed = {1, 2, 3};
  std::vector<std::uint32_t> other = {4, 5};
  std::string text = "text";

  template <class Archive>
  void serialize(Archive& archive) {
    archive(flag, set, fixed);
    archive.any_size(other);
    archive(text);
  }
};

TEST_CASE("values that a type does not have, and sizes that are not those of the state") {
  const std::string bytes = saved(State());
  const auto with = [&](std::size_t at, char value) {
    std::string changed = bytes;
    changed[at] = value;
    State state{false, VcSet::kAny, {0, 0, 0}, {}, {}};
    return loads(state, changed);
  };
  CHECK(with(0, 0));
  CHECK_FALSE(with(0, 2));        // Neither true nor false.
  CHECK_FALSE(with(1, kVcSets));  // No VC set.
  CHECK_FALSE(with(2, 2));        // Fewer elements than exist.
  CHECK_FALSE(with(2, 4));        // More elements than exist.
  CHECK_FALSE(with(9, 1));        // 2^56 elements.
  CHECK_FALSE(with(16, 3));       // More elements than the file has.
  CHECK_FALSE(with(23, 0x7f));
  CHECK_FALSE(with(bytes.size() - 5, 1));
  State state{false, VcSet::kAny, {0, 0, 0}, {}, {}};
  REQUIRE(loads(state, bytes));
  CHECK(state.other == State().other);
  CHECK(state.text == "text");
}

TEST_CASE("indices, counts and pointers out of their range") {
  // A FIFO: ring, oldest word, number of words.
  Fifo<std::uint32_t> fifo(5);
  for (std::uint32_t i = 0; i < 3; ++i) fifo.push(i);
  const std::string of_fifo = saved(fifo);
  const auto fifo_with = [&](std::size_t from_end, char value) {
    std::string changed = of_fifo;
    changed[changed.size() - from_end] = value;
    Fifo<std::uint32_t> loaded(5);
    return loads(loaded, changed);
  };
  CHECK(fifo_with(8, 4));
  CHECK_FALSE(fifo_with(8, 5));
  CHECK(fifo_with(4, 5));
  CHECK_FALSE(fifo_with(4, 6));
  // A round-robin arbiter: request flags, pointer, grant and its number.
  const std::string of_arbiter = saved(RrArbiter({3}));
  const auto arbiter_with = [&](std::size_t at, char value, std::size_t and_at, char and_value) {
    std::string changed = of_arbiter;
    changed[at] = value;
    changed[and_at] = and_value;
    RrArbiter loaded({3});
    return loads(loaded, changed);
  };
  CHECK(arbiter_with(0, 7, 8, 63));
  CHECK_FALSE(arbiter_with(0, 8, 8, 0));
  CHECK_FALSE(arbiter_with(0, 0, 8, 64));
  CHECK(arbiter_with(9, 4, 17, 2));
  CHECK_FALSE(arbiter_with(9, 4, 17, 1));
  CHECK_FALSE(arbiter_with(9, 8, 17, 3));
  CHECK_FALSE(arbiter_with(9, 0, 17, 2));
  // A receive unit, field by field: flags, then oldest, waiting, first, held.
  const RecvUnit::Config config;
  const std::string of_unit = saved(RecvUnit(config));
  const auto unit_with = [&](std::size_t at, char value) {
    std::string changed = of_unit;
    changed[at] = value;
    RecvUnit loaded(config);
    return loads(loaded, changed);
  };
  for (std::size_t flag = 0; flag < 7; ++flag) CHECK_FALSE(unit_with(flag, 2));
  CHECK(unit_with(7, 1));
  CHECK_FALSE(unit_with(7, static_cast<char>(kRxDepth)));
  CHECK_FALSE(unit_with(11, static_cast<char>(kRxDepth + 1)));
  CHECK_FALSE(unit_with(15, 2));
  CHECK_FALSE(unit_with(19, 3));
}

TEST_CASE("network interfaces") {
  struct Case {
    const char* name;
    Nic::Config config;
  };
  Nic::Config shared;
  shared.num_ctrl = 3;
  shared.packet_flits = 5;
  Nic::Config credit = shared;
  credit.credit = true;
  credit.num_vc = 3;
  credit.vc_depth = kRxDepth;
  Nic::Config reduces = credit;
  reduces.reduce = true;
  Nic::Config acknowledged = credit;
  acknowledged.parity = true;
  acknowledged.slots = 4;
  acknowledged.timeout = 100;
  acknowledged.header.id_w = acknowledged.ids().width();
  for (const Case& c : {Case{"shared link", shared}, Case{"credit links", credit},
                        Case{"reduction", reduces}, Case{"acknowledged", acknowledged}}) {
    CAPTURE(c.name);
    RandomStream random(7);
    nodes::Node a(c.config, 1, random), b(c.config, 2, random);
    a.in.reduction = b.in.reduction = {ReduceOp::kSum, ReduceType::kInt32, 1};
    std::array<std::array<std::uint64_t, Nic::kMaxLinks>, 2> lines = {};
    const auto step = [&](std::uint64_t cycle) {
      const Nic::Out of_a = a.nic.out(), of_b = b.nic.out();
      const auto drive = [&](nodes::Node& node, const Nic::Out& from, unsigned side) {
        for (unsigned l = 0; l < c.config.links(); ++l) {
          node.in.rx[l] = from.tx[l];
          lines[side][l] = from.rx_credit >> l & 1;
        }
        if (c.config.credit) node.in.tx_credit = lines[side].data();
        node.in.tx_full = from.rx_full;
        node.in.now = static_cast<std::uint32_t>(cycle);
        node.in.desc_valid = random.below(3) == 0;
        node.in.desc = {.dst = 3u - node.in.node,
                        .addr = static_cast<std::uint32_t>(random.below(1000)),
                        .len = static_cast<std::uint32_t>(random.below(14)),
                        .off = static_cast<std::uint32_t>(random.below(200)),
                        .tag = static_cast<std::uint32_t>(random.below(8)),
                        .gap = static_cast<std::uint32_t>(random.below(2))};
      };
      drive(a, of_b, 0);
      drive(b, of_a, 1);
      a.step();
      b.step();
    };
    unsigned refused = 0;
    for (std::uint64_t cycle = 0; cycle < 400; ++cycle) {
      step(cycle);
      const auto goes_on = [&](Nic& nic) {
        Nic::In in = b.in;
        for (int i = 0; i < 100; ++i) {
          in.rx[0].valid = in.rx[0].valid && c.config.credit && i % 8 == 0;
          nic.step(in);
          REQUIRE(nic.out().mem_wen <= low_mask(c.config.links()));
        }
      };
      refused += check_states<Nic>([&] { return Nic(c.config); }, b.nic, random, goes_on);
    }
    CHECK(refused > 50);
    CHECK(b.nic.out().status.rx_count[0] > 0);
  }
}

TEST_CASE("routers") {
  for (const unsigned pipeline : {1u, 2u, 3u}) {
    for (const unsigned kind : {0u, 1u, 2u}) {
      VcRouter::Config config;
      config.num_vc = 3;
      config.depth = 4;
      config.pipeline = pipeline;
      config.age = kind == 1;
      config.store_forward = kind == 2;
      config.adaptive = kind == 1 && pipeline != 3;
      CAPTURE(pipeline);
      CAPTURE(kind);
      const unsigned ports = config.num_ports, local = ports - 1;
      VcRouter router(config);
      RandomStream random(11 + pipeline);
      std::vector<std::vector<unsigned>> room(ports, std::vector<unsigned>(3, config.depth));
      std::vector<std::vector<unsigned>> left(ports, std::vector<unsigned>(3));
      std::vector<std::uint64_t> credit(ports);
      unsigned refused = 0, moved = 0;
      for (std::uint32_t cycle = 0; cycle < 300; ++cycle) {
        std::vector<Flit> rx(ports);
        std::vector<RouteOut> route(ports);
        std::vector<std::uint64_t> minimal(ports, random.below(16));
        std::uint64_t valid = 0;
        for (unsigned p = 0; p < ports; ++p) {
          const auto v = static_cast<unsigned>(random.below(3));
          route[p] = {static_cast<std::uint32_t>(random.below(ports)), VcSet::kAny};
          if (route[p].port != local && random.below(2) == 0) {
            constexpr std::array kSets = {VcSet::kLow, VcSet::kHigh, VcSet::kSame, VcSet::kNext};
            route[p].set = random.below(5) == 0 ? only_vc(2) : kSets[random.below(4)];
          }
          if (room[p][v] == 0 || random.below(2) == 0) continue;
          unsigned& more = left[p][v];
          if (more == 0) more = 1 + static_cast<unsigned>(random.below(4));
          rx[p].valid = true;
          rx[p].vc = static_cast<std::uint16_t>(v);
          rx[p].last = --more == 0;
          --room[p][v];
          valid |= std::uint64_t{1} << p;
        }
        router.step({rx.data(), valid, route.data(), credit.data(), cycle, ~std::uint64_t{0},
                     minimal.data()});
        const VcRouter::Out out = router.out();
        for (unsigned p = 0; p < ports; ++p) {
          const bool sends = (out.tx_valid >> p & 1) != 0 && random.below(8) != 0;
          credit[p] = sends ? std::uint64_t{1} << out.tx[p].vc : 0;
          moved += sends;
          for (unsigned v = 0; v < 3; ++v) {
            room[p][v] += (out.credit_ports >> p & 1) != 0 && (out.credit[p] >> v & 1) != 0;
          }
        }
        const auto goes_on = [&](VcRouter& crafted) {
          for (std::uint32_t i = 0; i < 40; ++i) {
            crafted.step({rx.data(), i % 4 == 0 ? valid : 0, route.data(), credit.data(), cycle + i,
                          i % 2 == 0 ? ~std::uint64_t{0} : 0, minimal.data()});
            const VcRouter::Out shows = crafted.out();
            const std::uint64_t shown = shows.tx_valid | shows.credit_ports;
            REQUIRE(shown <= low_mask(ports));
            for (unsigned p = 0; p < ports; ++p) REQUIRE(crafted.out_vc(p, 0).owner.port < ports);
          }
        };
        refused +=
            check_states<VcRouter>([&] { return VcRouter(config); }, router, random, goes_on);
      }
      CHECK(refused > 20);
      CHECK(moved > 100);
    }
  }
}

TEST_CASE("crossbars") {
  for (const bool detour : {true, false}) {
    for (const unsigned first_in : {2u, 8u}) {
      CAPTURE(detour);
      CAPTURE(first_in);
      Crossbar::Config config;
      config.detour = detour;
      config.first_in = first_in;
      Crossbar crossbar(config);
      RandomStream random(5);
      std::vector<unsigned> left(config.num_in);
      unsigned refused = 0, moved = 0;
      for (int cycle = 0; cycle < 600; ++cycle) {
        std::vector<Flit> rx(config.num_in);
        const std::uint64_t full = crossbar.out().rx_full[0], tx_full = random() & random();
        std::uint64_t valid = 0;
        for (unsigned i = 0; i < config.num_in; ++i) {
          if ((full >> i & 1) != 0 || random.below(3) == 0) continue;
          rx[i].valid = true;
          if (left[i] == 0) {
            left[i] = 1 + static_cast<unsigned>(random.below(5));
            const unsigned upper = detour && i < config.num_out ? random.below(2) : 0;
            rx[i].data =
                Header{.dst = static_cast<std::uint32_t>(random.below(4) | upper << 2)}.pack();
          }
          rx[i].last = --left[i] == 0;
          valid |= std::uint64_t{1} << i;
        }
        const Crossbar::Out out = crossbar.step({rx.data(), &valid, &tx_full});
        moved += static_cast<unsigned>(std::popcount(*out.tx_valid));
        const auto goes_on = [&](Crossbar& crafted) {
          for (int i = 0; i < 60; ++i) {
            const std::uint64_t none = 0, now = i % 4 == 0 ? valid : 0;
            const Crossbar::Out shows =
                crafted.step({rx.data(), &now, i % 3 == 0 ? &tx_full : &none});
            REQUIRE(fits(shows.tx_valid, 1, config.num_tx()));
            REQUIRE(fits(shows.rx_full_changed, 1, config.num_in));
          }
        };
        refused +=
            check_states<Crossbar>([&] { return Crossbar(config); }, crossbar, random, goes_on);
      }
      CHECK(refused > 20);
      CHECK(moved > 500);
    }
  }
}

}  // namespace
}  // namespace weft
