// Verilated instances at rest, which are not evaluated: only while all of their state stays, and
// until any bit of their inputs changes.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace {

using namespace weft;

// ---- Modules of their own.

// An instance of a module with this text, named weft_rest.
RtlInstance instance_of(const std::string& text) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("weft_rest.{}.sv", getpid());
  std::ofstream(file) << text;
  auto library = RtlLibrary::load({"weft_rest", {}, false, {file}});
  std::filesystem::remove(file);
  return RtlInstance(library);
}

// Ticks without a change of inputs until the instance is at rest; `most` if it never is.
unsigned ticks_to_rest(RtlInstance& rtl, unsigned most) {
  for (unsigned tick = 0; tick < most; ++tick) {
    if (rtl.tick_at_rest()) return tick;
  }
  return most;
}

// ---- The inputs of a block one by one.

template <class Block, class Config>
struct Inputs {
  Inputs(const std::string& block, const Config& config)
      : rtl(RtlLibrary::load({rtl_module(block), rtl_params(config), false, {}})),
        ports(rtl, block, config) {
    for (const PortShape& shape : port_shapes<Block>(config)) {
      if (shape.input && shape.used && shape.name != "own_i") names.push_back(shape.name);
    }
  }

  // All input bits of the table but those that show the configuration.
  std::vector<bool> bits() const {
    std::vector<bool> all;
    for (const std::string& name : names) {
      const RtlPort port = rtl.port(name);
      for (unsigned bit = 0; bit < port.width(); ++bit) all.push_back(port.bits(bit, 1) != 0);
    }
    return all;
  }

  // Drives `rounds` random changes: whenever an input bit changes, `drive` says so, and every bit
  // does at some time.
  template <class In, class Change>
  void change(In& in, unsigned rounds, Change change_one) {
    ports.drive(in);
    std::vector<bool> seen(bits().size());
    unsigned unchanged = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const auto before = bits();
      change_one(in);
      const bool same = ports.driven(in);
      CHECK(ports.drive(in) == !same);
      CHECK_FALSE(ports.drive(in));
      const auto after = bits();
      if (same) CHECK(after == before);
      unchanged += same;
      for (std::size_t bit = 0; bit < seen.size(); ++bit) {
        if (before[bit] != after[bit]) seen[bit] = true;
      }
    }
    for (const std::string& name : names) {
      CAPTURE(name);
      const auto end = seen.begin() + rtl.port(name).width();
      CHECK(std::count(seen.begin(), end, false) == 0);
      seen.erase(seen.begin(), end);
    }
    CHECK(unchanged < rounds);
  }

  RtlInstance rtl;
  RtlPorts<Block> ports;
  std::vector<std::string> names;
};

// Steps until the block is at rest with these inputs; the number of steps.
template <class Rtl, class In>
unsigned rest(Rtl& rtl, const In& in) {
  unsigned steps = 0;
  do rtl.step(in);
  while (++steps < 2000 && !rtl.at_rest());
  REQUIRE(rtl.at_rest());
  return steps;
}
void change_flit(RandomStream& random, Flit& flit, unsigned num_vc) {
  flit.valid = true;
  flit.last = random.below(2) != 0;
  flit.vc = static_cast<decltype(flit.vc)>(random.below(num_vc));
  flit.stamp = static_cast<decltype(flit.stamp)>(random());
  flit.parity = random.below(2) != 0;
  flit.data = random();
}

void change_one(RandomStream& random, Nic::In& in, const Nic::Config& config,
                std::vector<std::uint64_t>& credit) {
  const auto word = [&](std::uint32_t bits) {
    return static_cast<std::uint32_t>(random() & low_mask(bits));
  };
  switch (random.below(9)) {
    case 0:
      in.node = word(config.header.addr_w);
      break;
    case 1:
      in.desc_valid = !in.desc_valid;
      break;
    case 2:
      in.desc.dst = word(config.header.addr_w);
      in.desc.addr = word(kMemAddrW);
      in.desc.len = word(kMsgLenW);
      in.desc.off = word(config.header.off_w());
      in.desc.tag = static_cast<decltype(in.desc.tag)>(word(kTagW));
      in.desc.gap = static_cast<decltype(in.desc.gap)>(word(kGapW));
      in.desc.ctrl = static_cast<decltype(in.desc.ctrl)>(word(kCtrlW));
      break;
    case 3:
      in.mem_rdata[random.below(config.lanes())].word[0] = random();
      break;
    case 4:
      change_flit(random, in.rx[random.below(config.links())], 1);
      break;
    case 5:
      in.rx[random.below(config.links())] = {};
      break;
    case 6:
      in.windows.base[0] = word(kMemAddrW);
      in.windows.size[0] = word(kMemAddrW);
      break;
    case 7:
      config.credit ? void(credit[random.below(credit.size())] ^= 1 + random.below(3))
                    : void(in.tx_full = !in.tx_full);
      break;
    default:
      in.reduction = {static_cast<ReduceOp>(random.below(kReduceOps)),
                      static_cast<ReduceType>(random.below(kReduceTypes)),
                      static_cast<std::uint32_t>(random() & low_mask(kMeanCountW))};
  }
}

const std::array kNics = {
    Nic::Config{.parity = true, .reduce = true},
    Nic::Config{.num_ctrl = 3, .packet_flits = 19, .credit = true, .num_vc = 2}};

}  // namespace

TEST_CASE("an instance is at rest only while all of its state stays") {
  // The output shows nothing of the counter, which is in a module that is not inlined, until it
  // stops.
  RtlInstance counter = instance_of(R"(
module weft_rest_inner (input logic clk_i, input logic rst_ni, output logic end_o);
  /* verilator no_inline_module */
  logic [9:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (!end_o) count_q <= count_q + 1'b1;
  end
  assign end_o = count_q == 10'd1000;
endmodule
module weft_rest (input logic clk_i, input logic rst_ni, output logic end_o);
  weft_rest_inner u_inner (.clk_i, .rst_ni, .end_o);
endmodule
)");
  CHECK(ticks_to_rest(counter, 2000) == 1000);
  CHECK(counter.port("end_o").get() == 1);
  CHECK(counter.tick_at_rest());
  RtlInstance moved(std::move(counter));
  CHECK(moved.tick_at_rest());
  moved.pulse_reset(1);
  CHECK(ticks_to_rest(moved, 2000) == 1000);

  // One bit that turns in a memory.
  RtlInstance memory = instance_of(R"(
module weft_rest (input logic clk_i, input logic rst_ni, input logic go_i, output logic bit_o);
  logic [63:0] mem_q [512];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) mem_q[400] <= '0;
    else if (go_i) mem_q[400] <= {mem_q[400][62:0], ~mem_q[400][63]};
  end
  assign bit_o = mem_q[3][0];
endmodule
)");
  CHECK(ticks_to_rest(memory, 10) < 3);
  memory.port("go_i").set(1);
  CHECK(ticks_to_rest(memory, 500) == 500);
  memory.port("go_i").set(0);
  CHECK(ticks_to_rest(memory, 10) < 3);

  // Random numbers come from outside of the instance.
  RtlInstance dice = instance_of(R"(
module weft_rest (input logic clk_i, input logic rst_ni, output logic seven_o);
  always_ff @(posedge clk_i) seven_o <= rst_ni && $urandom == 7;
endmodule
)");
  CHECK(ticks_to_rest(dice, 100) == 100);
}

TEST_CASE("every input bit that changes is noticed") {
  RandomStream random(1);
  for (const Nic::Config& config : kNics) {
    std::vector<std::uint64_t> credit(config.links());
    Nic::In in;
    in.tx_credit = credit.data();
    Inputs<Nic, Nic::Config>("nic", config).change(in, 5000, [&](Nic::In& now) {
      change_one(random, now, config, credit);
    });
  }
  const VcRouter::Config router{.age = true};
  std::vector<Flit> flits(router.num_ports);
  std::vector<std::uint64_t> credit(router.num_ports);
  std::vector<RouteOut> routes(router.num_ports);
  VcRouter::In routed{flits.data(), 0, routes.data(), credit.data(), 0};
  std::vector<std::uint64_t> ways(router.num_ports);
  routed.minimal = ways.data();
  Inputs<VcRouter, VcRouter::PortConfig>("vc_router", {router, true})
      .change(routed, 5000, [&](VcRouter::In& now) {
        const std::uint64_t p = random.below(router.num_ports);
        if (random.below(2) != 0) {
          credit[p] = random.below(4);
        } else {
          now.rx_valid ^= std::uint64_t{1} << p;
          change_flit(random, flits[p], router.num_vc);
          routes[p].port = static_cast<std::uint32_t>(random.below(router.num_ports));
          routes[p].set = static_cast<VcSet>(random.below(kVcSets));
          ways[p] = random() & low_mask(router.num_ports);
        }
      });
  const Crossbar::Config crossbar;
  std::vector<Flit> words(crossbar.num_in);
  std::array<std::uint64_t, 1> valid{}, full{};
  Crossbar::In crossed{words.data(), valid.data(), full.data()};
  Inputs<Crossbar, Crossbar::PortConfig>("crossbar", {crossbar, true})
      .change(crossed, 5000, [&](Crossbar::In&) {
        const std::uint64_t i = random.below(crossbar.num_in);
        if (random.below(2) != 0) {
          full[0] ^= std::uint64_t{1} << random.below(crossbar.num_tx());
        } else {
          valid[0] ^= std::uint64_t{1} << i;
          change_flit(random, words[i], 1);
        }
      });
  BarrierUnit::In pulses;
  Inputs<BarrierUnit, BarrierUnit::Config>("barrier_unit", {})
      .change(pulses, 100, [&](BarrierUnit::In& now) {
        now = {random.below(2) != 0, static_cast<std::uint8_t>(random.below(4)),
               random.below(2) != 0};
      });
}

TEST_CASE("what counts without a change of inputs is not at rest") {
  // A packet of 4 flits and its header, then a gap of 100 packet times.
  RtlNic nic(Nic::Config{}, false);
  Nic::In in;
  rest(nic, in);
  in.desc = {.dst = 1, .len = 4, .gap = 100};
  in.desc_valid = true;
  nic.step(in);
  in.desc_valid = false;
  const unsigned cycles = rest(nic, in);
  CHECK(cycles > 500);
  CHECK(cycles < 520);
  CHECK(nic.idle(in));
  // A release that is held.
  RtlBarrierUnit unit({.num_child = 0, .hold_cycles = 255});
  BarrierUnit::In pulses;
  rest(unit, pulses);
  for (BarrierUnit::In now : {BarrierUnit::In{.enter = true}, BarrierUnit::In{.down = true}}) {
    unit.step(now);
    CHECK_FALSE(unit.idle());
  }
  CHECK(rest(unit, pulses) > 255);
  CHECK(unit.out().count == 1);
}

TEST_CASE("an instance at rest wakes for every change of an input") {
  RandomStream random(2);
  for (const Nic::Config& config : kNics) {
    std::vector<std::uint64_t> credit(config.links());
    RtlNic nic(config, false);
    Nic::In in;
    in.tx_credit = credit.data();
    unsigned woken = 0, left_out = 0;
    for (unsigned round = 0; round < 1000; ++round) {
      in.desc_valid = false;
      std::fill(in.rx.begin(), in.rx.end(), Flit{});
      std::fill(credit.begin(), credit.end(), 0);
      rest(nic, in);
      const bool was_left_out = nic.idle(in);
      const Nic::Out& out = nic.out();
      CHECK(was_left_out == ((out.mem_ren | out.mem_wen | out.rx_credit) == 0 &&
                             std::none_of(out.tx.begin(), out.tx.end(),
                                          [](const Flit& flit) { return flit.valid; })));
      const Nic::In before = in;
      const auto credit_before = credit;
      change_one(random, in, config, credit);
      in.desc.len %= 32;  // A short message: the NIC is soon at rest again.
      in.desc.gap %= 4;
      const bool changed = in.node != before.node || in.desc_valid ||
                           in.tx_full != before.tx_full || in.rx != before.rx ||
                           in.windows != before.windows || credit != credit_before ||
                           !std::equal(in.mem_rdata.begin(), in.mem_rdata.begin() + config.lanes(),
                                       before.mem_rdata.begin());
      if (!changed) continue;
      ++woken;
      left_out += was_left_out;
      CHECK_FALSE(nic.idle(in));
      nic.step(in);
      CHECK_FALSE(nic.at_rest());
    }
    CHECK(woken > 400);
    CHECK(left_out > 40);
  }

  const RouterTileConfig tile;
  const VcRouter::Config& config = tile;
  std::vector<Flit> flits(config.num_ports);
  std::vector<std::uint64_t> credit(config.num_ports);
  const std::vector<RouteOut> routes(config.num_ports);
  RtlRouter router(tile, false, false);
  VcRouter::In in{flits.data(), 0, routes.data(), credit.data(), 0};
  rest(router, in);
  CHECK(router.quiet());
  for (unsigned p = 0; p < config.num_ports; ++p) {
    // The first credit that differs from the last step's wakes it; a constant one is no change.
    credit[p] = 2;
    router.step(in);
    CHECK_FALSE(router.at_rest());
    CHECK_FALSE(router.quiet());
    credit[p] = 0;
    router.step(in);
    CHECK_FALSE(router.at_rest());
    rest(router, in);
    in.rx_valid = 1u << p;
    change_flit(random, flits[p], config.num_vc);
    router.step(in);
    CHECK_FALSE(router.at_rest());
    in.rx_valid = 0;
    router.step(in);
    CHECK_FALSE(router.at_rest());
    rest(router, in);
    CHECK(router.quiet());
  }
}

// An engine that leaves out a block with something on its links would lose it in every cycle.
TEST_CASE("an instance at rest with constant inputs is stepped") {
  // A full queue ignores descriptors; the link is full.
  RtlNic nic(Nic::Config{.queue_depth = 1}, false);
  Nic::In in;
  in.tx_full = in.desc_valid = true;
  rest(nic, in);
  CHECK_FALSE(nic.idle(in));
  in.desc_valid = false;
  CHECK_FALSE(nic.idle(in));
  // The root ignores releases.
  RtlBarrierUnit unit({.is_root = true});
  rest(unit, BarrierUnit::In{.down = true});
  CHECK_FALSE(unit.idle());
  // Through one buffer slot goes the same flit in every cycle.
  RouterTileConfig tile;
  tile.num_vc = tile.depth = tile.local_depth = 1;
  const VcRouter::Config& config = tile;
  std::vector<Flit> flits(config.num_ports);
  std::vector<std::uint64_t> credit(config.num_ports);
  const std::vector<RouteOut> routes(config.num_ports, {config.num_ports - 1});  // To a local port.
  RtlRouter router(tile, false, false);
  flits[0].valid = flits[0].last = true;
  credit.back() = 1;
  rest(router, VcRouter::In{flits.data(), 1, routes.data(), credit.data(), 0});
  CHECK(router.out().tx_valid != 0);
  CHECK_FALSE(router.quiet());
}
