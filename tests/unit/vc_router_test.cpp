// The router's model against its rules (tests/unit/vc_router_surroundings.hpp) in random
// surroundings.

#include "sim/router/vc_router.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/router/router_tile.hpp"
#include "tests/unit/vc_router_surroundings.hpp"

namespace weft {
namespace {

using namespace rules;

Config make(RouteKind kind, std::vector<std::uint32_t> max_coords, unsigned num_local,
            unsigned num_vc, unsigned depth, std::uint32_t own) {
  Config config;
  config.num_ports = static_cast<unsigned>(2 * max_coords.size()) + num_local;
  config.num_local = config.route.num_local = num_local;
  config.num_vc = num_vc;
  config.depth = depth;
  config.route_kind = kind;
  config.route.max_coords = std::move(max_coords);
  config.own = own;
  return config;
}

}  // namespace

TEST_CASE("vc_router keeps the rules in every cycle") {
  const RouteKind mesh = RouteKind::kMesh, torus = RouteKind::kTorus;
  unsigned seed = 1;
  for (const bool hold : {true, false}) {
    for (const bool age : {false, true}) {
      for (const int switching : {0, 1, 2}) {
        CAPTURE(hold);
        CAPTURE(age);
        CAPTURE(switching);
        const auto run = [&](Config config, unsigned max_flits, unsigned cycles) {
          config.hold_packet = hold;
          config.age = age;
          config.own_after = std::array{3u, 1u, 0u, 7u}[seed % 4];
          config.cut_through = switching == 1;
          config.store_forward = switching == 2;
          CAPTURE(config.num_ports);
          CAPTURE(config.num_vc);
          check(config, max_flits, cycles, seed++);
        };
        run(make(torus, {4, 4}, 1, 2, 8, 0x1a), 4, 120000);
        run(make(mesh, {3, 2}, 1, 1, 3, 0x5), 6, 100000);
        Config balanced = make(torus, {7, 5}, 2, 4, 5, 0x9);
        balanced.route.dateline = DatelineRule::kBalanced;
        run(balanced, 5, 100000);
        Config links = make(torus, {2, 3, 1}, 4, 3, 4, 0x13);
        links.local_depth = 7;
        run(links, 9, 50000);
        Config each = make(torus, {3, 3}, 1, 16, 2, 0x6);
        each.route.per_dest = true;
        run(each, 3, 15000);
      }
    }
  }
}

TEST_CASE("vc_router with a pipeline keeps the rules in every cycle") {
  const RouteKind mesh = RouteKind::kMesh, torus = RouteKind::kTorus;
  unsigned seed = 500;
  for (const unsigned pipeline : {2u, 3u}) {
    for (const unsigned mode : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u}) {
      CAPTURE(pipeline);
      CAPTURE(mode);
      const auto run = [&](Config config, unsigned max_flits, unsigned cycles) {
        config.pipeline = pipeline;
        config.hold_packet = mode % 2 == 0;
        config.age = mode / 2 % 2 == 1;
        config.own_after = std::array{3u, 1u, 0u, 7u}[seed % 4];
        config.cut_through = mode / 4 == 1;
        config.store_forward = mode / 4 == 2;
        CAPTURE(config.num_ports);
        CAPTURE(config.num_vc);
        check(config, max_flits, cycles, seed++);
      };
      run(make(torus, {4, 4}, 1, 2, 8, 0x1a), 4, 40000);
      run(make(mesh, {3, 2}, 1, 1, 3, 0x5), 6, 30000);
      Config balanced = make(torus, {7, 5}, 2, 4, 5, 0x9);
      balanced.route.dateline = DatelineRule::kBalanced;
      run(balanced, 5, 30000);
      Config each = make(torus, {3, 3}, 1, 16, 2, 0x6);
      each.route.per_dest = true;
      run(each, 3, 8000);
      Config slots = make(torus, {3}, 1, 1, 1, 2);
      slots.local_depth = 1;
      run(slots, 3, 40000);
      run(make(mesh, {3, 3, 3}, 2, 8, 4, 0x15), 4, 8000);
    }
  }
}

TEST_CASE("vc_router with a pipeline: a flit takes as many cycles as there are stages") {
  for (const unsigned pipeline : {1u, 2u, 3u}) {
    CAPTURE(pipeline);
    Config config = make(RouteKind::kMesh, {3, 3}, 1, 2, 8, 0x5);
    config.pipeline = pipeline;
    RouterTile router(config);
    std::vector<Flit> rx(config.num_ports);
    std::vector<std::uint64_t> credit(config.num_ports);
    // Two packets of three flits follow each other on VC 1 of port 0, to the interface.
    std::vector<unsigned> out;
    for (unsigned cycle = 0; cycle < 20; ++cycle) {
      RouterTile::In in;
      in.rx = rx.data();
      in.credit = credit.data();
      if (cycle < 6) {
        Header header;
        header.dst = config.own;
        header.len = 2;
        rx[0] = Flit{.data = header.pack(config.header)};
        rx[0].valid = true;
        rx[0].last = cycle % 3 == 2;
        rx[0].vc = 1;
        in.rx_valid = 1;
      }
      const VcRouter::Out shown = router.out();
      if ((shown.tx_valid >> 4 & 1) != 0) out.push_back(cycle);
      credit[4] = shown.tx_valid >> 4 & 1;
      router.step(in);
    }
    // Pipeline 3 allocates while the word in front waits: a cycle between packets of one VC, and
    // another one because the interface has no second VC.
    const std::vector<unsigned> want = pipeline == 3   ? std::vector<unsigned>{3, 4, 5, 8, 9, 10}
                                       : pipeline == 2 ? std::vector<unsigned>{2, 3, 4, 5, 6, 7}
                                                       : std::vector<unsigned>{1, 2, 3, 4, 5, 6};
    CHECK(out == want);
  }
}

TEST_CASE("vc_router keeps the rules: one VC and one slot") {
  Config config = make(RouteKind::kTorus, {3}, 1, 1, 1, 2);
  config.local_depth = 1;
  check(config, 3, 200000, 100);
  config.hold_packet = false;
  config.age = true;
  check(config, 3, 200000, 101);
  config.store_forward = true;
  check(config, 3, 200000, 102);
}

TEST_CASE("vc_router keeps the rules: 64 requesters and one more port") {
  check(make(RouteKind::kMesh, {3, 3, 3}, 2, 8, 4, 0x15), 4, 30000, 110);
  Config config = make(RouteKind::kTorus, {3, 3, 3}, 3, 8, 4, 0x15);
  check(config, 4, 30000, 111);
  config.route.dateline = DatelineRule::kBalanced;
  config.hold_packet = false;
  check(config, 4, 30000, 112);
  config.store_forward = true;
  check(config, 6, 30000, 113);
  config.store_forward = false;
  config.cut_through = true;
  check(config, 6, 30000, 114);
  config = make(RouteKind::kMesh, {3, 3, 3}, 2, 8, 4, 0x15);
  config.store_forward = true;
  check(config, 6, 30000, 115);
}

TEST_CASE("vc_router keeps the rules: a VC for each of many destinations") {
  Config config = make(RouteKind::kTorus, {16, 16}, 1, 289, 3, 0x47);
  config.route.per_dest = true;
  check(config, 4, 8000, 120);
  config.hold_packet = false;
  config.age = true;
  check(config, 4, 8000, 121);
  config.store_forward = true;
  check(config, 5, 8000, 122);
}

TEST_CASE("vc_router keeps the rules: DCE, tree and omega routes, 1 to 5 VCs") {
  const auto dce = [](std::vector<std::uint32_t> max_coords, std::vector<std::uint32_t> deltas,
                      unsigned rings, unsigned num_local, std::uint32_t own) {
    Config config;
    config.route_kind = RouteKind::kDce;
    config.num_local = config.route.num_local = num_local;
    config.num_ports = rings + static_cast<unsigned>(max_coords.size()) - 1 + num_local;
    config.route.num_rings = rings;
    config.route.max_coords = std::move(max_coords);
    config.route.deltas = std::move(deltas);
    config.own = own;
    return config;
  };
  const auto staged = [](RouteKind kind, std::uint32_t last, unsigned num_local, bool edge_omega,
                         std::uint32_t own) {
    Config config;
    config.route_kind = kind;
    config.num_local = config.route.num_local = num_local;
    config.num_ports = kind == RouteKind::kTree || edge_omega ? 4 : 2;
    config.route.max_coords = {last};
    config.own = own;
    return config;
  };
  const RouteKind tree = RouteKind::kTree, omega = RouteKind::kOmega;
  std::vector<Config> routers = {
      dce({3, 15}, {0, 1}, 1, 1, 0x17),          // The last column, bit 3 of y is 0.
      dce({3, 15, 15}, {0, 0, 1}, 1, 1, 0x1a6),  // MDCE with both kinds of planes.
      dce({4, 7}, {0, 3}, 2, 2, 0x2b),           // Two links along the ring, skipping columns.
      dce({7, 127}, {0, 1}, 1, 1, 0x1f),         // A column without a cross link.
      staged(tree, 15, 2, false, 0x8 | 0x5),     // Level 1.
      staged(tree, 15, 0, false, 0x10 | 0x3),    // Level 2, no NIC.
      staged(tree, 15, 0, false, 0x20 | 0x6),    // The top.
      staged(omega, 15, 2, true, 3),             // The last stage.
      staged(omega, 15, 2, true, 0),             // The first stage.
      staged(omega, 15, 0, false, 1),            // A stage between.
  };
  Config wide = dce({15, 32767}, {0, 1}, 1, 1, 0x51a3c);
  wide.header.addr_w = kMaxAddrW;
  routers.push_back(wide);
  unsigned seed = 200;
  for (const Config& router : routers) {
    for (unsigned vcs = 1; vcs <= 5; ++vcs) {
      for (const unsigned mode : {0u, 1u, 2u}) {
        Config config = router;
        config.num_vc = vcs;
        config.depth = 3 + vcs;
        config.hold_packet = (seed & 1) != 0;
        config.age = (seed & 2) != 0;
        config.cut_through = mode == 1;
        config.store_forward = mode == 2;
        CAPTURE(vcs);
        CAPTURE(mode);
        CAPTURE(config.own);
        check(config, 4, 25000, seed++);
      }
    }
  }
}

TEST_CASE("vc_router keeps the rules: DCE and tree with a VC for each destination") {
  Config config;
  config.route_kind = RouteKind::kDce;
  config.num_ports = 3;
  config.num_vc = 32;
  config.depth = 2;
  config.route.max_coords = {3, 7};
  config.route.deltas = {0, 1};
  config.route.per_dest = true;
  config.own = 0xb;
  check(config, 3, 15000, 400);
  config.route_kind = RouteKind::kTree;
  config.num_ports = 4;
  config.num_vc = 16;
  config.num_local = config.route.num_local = 0;
  config.route.max_coords = {15};
  config.own = 0x10 | 0x3;
  check(config, 3, 15000, 401);
}

TEST_CASE("vc_router refuses figures that do not fit") {
  const Config good = make(RouteKind::kTorus, {3, 3}, 1, 2, 8, 0);
  CHECK_NOTHROW(RouterTile{good});
  const auto refused = [&](auto change, const std::string& words) {
    Config config = good;
    change(config);
    CHECK_THROWS_WITH_AS(RouterTile{config}, doctest::Contains(words.c_str()), ConfigError);
  };
  refused([](Config& c) { c.num_ports = 1; }, "num_ports is 1, expected: 2 to 64");
  refused([](Config& c) { c.num_ports = 65; }, "num_ports is 65");
  refused([](Config& c) { c.num_ports = 6; }, "num_ports is 6, expected: 5");
  refused([](Config& c) { c.num_local = 0; }, "num_ports is 5, expected: 4, 4 to neighbours");
  refused([](Config& c) { c.num_local = 6; }, "num_local is 6, expected: 0 to 5");
  refused(
      [](Config& c) {
        c.num_ports = 4;
        c.num_local = c.route.num_local = 0;
      },
      "route_torus: no local port");
  refused([](Config& c) { c.route.num_local = 2; }, "num_local of the route unit is 2");
  refused([](Config& c) { c.num_vc = 0; }, "num_vc is 0, expected: 1 to 65535");
  refused([](Config& c) { c.num_vc = 65536; }, "num_vc is 65536");
  refused([](Config& c) { c.depth = 0; }, "depth is 0");
  refused([](Config& c) { c.local_depth = 0; }, "local_depth is 0");
  refused([](Config& c) { c.pipeline = 0; }, "pipeline is 0, expected: 1 to 3");
  refused([](Config& c) { c.pipeline = 4; }, "pipeline is 4");
  refused([](Config& c) { c.cut_through = c.store_forward = true; }, "expected: one of them");
  refused(
      [](Config& c) {
        c.route_kind = RouteKind::kMesh;
        c.route.dateline = DatelineRule::kBalanced;
      },
      "a dateline by another rule than fixed, expected: on a torus");
  refused([](Config& c) { c.route.per_dest = true; }, "num_vc is 2, expected: 16 or more");
  refused([](Config& c) { c.route.max_coords = {1023, 2047}; }, "20 bits");
}

}  // namespace weft
