// RTL instances at rest, which are not evaluated: whenever state or inputs change they are, every
// output equals the model's in every cycle, and a way of skipping that ignores state is found.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/cycle_loop.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

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

// ---- Blocks that decide otherwise whether they are at rest.

// Ignores the state.
struct IgnoresState : RtlInstance {
  using RtlInstance::RtlInstance;
  bool tick_at_rest() {
    tick();
    return true;
  }
};

// Knows only the state that the outputs show.
struct SeesOutputs : RtlInstance {
  using RtlInstance::RtlInstance;
  bool tick_at_rest() {
    const auto before = outputs();
    tick();
    return outputs() == before;
  }
  std::vector<std::uint64_t> outputs() const {
    std::vector<std::uint64_t> words;
    for (const RtlPortInfo& info : library().ports()) {
      if (info.input) continue;
      for (unsigned lsb = 0; lsb < info.width; lsb += 64) {
        words.push_back(port(info.name).bits(lsb, std::min(64u, info.width - lsb)));
      }
    }
    return words;
  }
};

template <class Block, class Config, class Held, class Instance>
struct Wrong : RtlBlock<Block, Config, Held, Instance> {
  Wrong(const std::string& block, const Config& config, Held held)
      : RtlBlock<Block, Config, Held, Instance>(block, config, std::move(held), false) {}
  void step(const typename Block::In& in) { this->edge(in); }
};
template <class Instance>
struct WrongNic : Wrong<Nic, Nic::Config, Nic::Out, Instance> {
  WrongNic(const Nic::Config& config, bool)
      : Wrong<Nic, Nic::Config, Nic::Out, Instance>("nic", config, {}) {}
};
template <class Instance>
struct WrongUnit : Wrong<BarrierUnit, BarrierUnit::Config, BarrierUnit::Out, Instance> {
  WrongUnit(const BarrierUnit::Config& config, bool)
      : Wrong<BarrierUnit, BarrierUnit::Config, BarrierUnit::Out, Instance>("barrier_unit", config,
                                                                            {}) {}
};
template <class Instance>
struct WrongRouter : Wrong<VcRouter, VcRouter::PortConfig, VcRouter::Held, Instance> {
  WrongRouter(const VcRouter::Config& config, bool parity, bool)
      : Wrong<VcRouter, VcRouter::PortConfig, VcRouter::Held, Instance>(
            "vc_router", {config, parity}, VcRouter::Held(config)) {}
};
template <class Instance>
struct WrongCrossbar : Wrong<Crossbar, Crossbar::PortConfig, Crossbar::Held, Instance> {
  WrongCrossbar(const Crossbar::Config& config, bool parity, bool)
      : Wrong<Crossbar, Crossbar::PortConfig, Crossbar::Held, Instance>(
            "crossbar", {config, parity}, Crossbar::Held(config)) {}
};

// ---- Model and RTL side by side.

struct Count {
  std::uint64_t steps = 0, at_rest = 0, left_out = 0;
};

// Whether engine `rtl` leaves out a step with these inputs.
template <class Rtl, class In>
bool leaves_out(const Rtl&, const In&) {
  return false;
}
bool leaves_out(const RtlNic& rtl, const Nic::In& in) {
  return rtl.idle(in);
}
bool leaves_out(const RtlBarrierUnit& rtl, const BarrierUnit::In& in) {
  return rtl.idle() && !in.enter && in.up == 0 && !in.down;
}
// Of up to 64 VCs.
bool leaves_out(const RtlRouter& rtl, const VcRouter::In& in) {
  std::uint64_t any = in.rx_valid;
  for (std::size_t p = 0; p < 5; ++p) any |= in.credit[p];
  return any == 0 && rtl.quiet();
}

// The model is stepped in every cycle, the RTL as engine `rtl` does, and all outputs are compared.
template <class Model, class Rtl>
struct Pair {
  template <class... More>
  explicit Pair(const typename Model::Config& config, const More&... more)
      : model(config), rtl(config, more..., false) {
    rtl.check(model.out());
  }
  void step(const typename Model::In& in) {
    const bool leave_out = leaves_out(rtl, in);
    model.step(in);
    if (!leave_out) rtl.step(in);
    rtl.check(model.out());
    ++count.steps;
    count.at_rest += rtl.at_rest();
    count.left_out += leave_out;
  }

  Model model;
  Rtl rtl;
  static inline Count count;
};

template <class Rtl>
struct NicPair final : AnyNic::Interface {
  explicit NicPair(const Nic::Config& config) : pair(config) {}
  const Nic::Out& out() const override { return pair.model.out(); }
  void step(const Nic::In& in) override { pair.step(in); }
  bool idle(const Nic::In&) const override { return false; }
  static std::unique_ptr<AnyNic::Interface> make(const Nic::Config& config) {
    return std::make_unique<NicPair>(config);
  }
  Pair<Nic, Rtl> pair;
};

template <class Rtl>
struct RouterPair final : AnyRouter::Interface {
  RouterPair(const VcRouter::Config& config, bool parity) : pair(config, parity) {}
  VcRouter::Out out() const override { return pair.model.out(); }
  void step(const VcRouter::In& in) override { pair.step(in); }
  bool quiet() const override { return false; }
  const VcRouter* model() const override { return &pair.model; }
  static std::unique_ptr<AnyRouter::Interface> make(const VcRouter::Config& config, bool parity) {
    return std::make_unique<RouterPair>(config, parity);
  }
  Pair<VcRouter, Rtl> pair;
};

template <class Rtl>
struct CrossbarPair final : AnyCrossbar::Interface {
  CrossbarPair(const Crossbar::Config& config, bool parity) : pair(config, parity) {}
  Crossbar::Out out() const override { return pair.model.out(); }
  void step(const Crossbar::In& in) override { pair.step(in); }
  static std::unique_ptr<AnyCrossbar::Interface> make(const Crossbar::Config& config, bool parity) {
    return std::make_unique<CrossbarPair>(config, parity);
  }
  Pair<Crossbar, Rtl> pair;
};

template <class Rtl>
struct UnitPair final : AnyBarrierUnit::Interface {
  explicit UnitPair(const BarrierUnit::Config& config) : pair(config) {}
  const BarrierUnit::Out& out() const override { return pair.model.out(); }
  void step(const BarrierUnit::In& in) override { pair.step(in); }
  bool idle() const override { return false; }
  static std::unique_ptr<AnyBarrierUnit::Interface> make(const BarrierUnit::Config& config) {
    return std::make_unique<UnitPair>(config);
  }
  Pair<BarrierUnit, Rtl> pair;
};

// Runs a configuration on a fabric of pairs; throws DifferenceAt.
template <class Switch>
Outcome run_pairs(const Config& config, AnyNic::Make nic, typename Switch::Make make_switch,
                  AnyBarrierUnit::Make unit) {
  const Graph graph = build_graph(config);
  const Workload workload = make_workload(config, graph);
  Endpoints endpoints = make_endpoints(config, graph, workload);
  const RunOptions options;
  Probes probes(config, graph, options, 0, nullptr, 0);
  std::vector<AnyEndpoint> any = any_endpoints(endpoints);
  return run_cycles(
      RunParts{.config = config,
               .graph = graph,
               .endpoints = endpoints,
               .probes = probes,
               .traffic = std::get_if<TrafficPlan>(&workload),
               .progress = {}},
      Fabric<AnyNic, Switch>(graph, make_nics<AnyNic>(config, graph, nic),
                             make_switches<Switch>(graph, config.link.parity, make_switch), false),
      any, unit);
}
Outcome routers(const Config& config, AnyNic::Make nic = NicPair<RtlNic>::make,
                AnyRouter::Make router = RouterPair<RtlRouter>::make,
                AnyBarrierUnit::Make unit = UnitPair<RtlBarrierUnit>::make) {
  return run_pairs<AnyRouter>(config, nic, router, unit);
}
Outcome crossbars(const Config& config, AnyNic::Make nic = NicPair<RtlNic>::make,
                  AnyCrossbar::Make crossbar = CrossbarPair<RtlCrossbar>::make,
                  AnyBarrierUnit::Make unit = UnitPair<RtlBarrierUnit>::make) {
  return run_pairs<AnyCrossbar>(config, nic, crossbar, unit);
}

Config config_of(const json& document) {
  return parse_config(document, "test");
}
json torus(const json& workload) {
  return {{"topology", {{"kind", "torus"}, {"dims", {3, 3}}}},
          {"router", {{"vcs", 2}, {"vc_depth", 4}}},
          {"workload", workload}};
}
json xbar(const json& workload) {
  return {{"topology", {{"kind", "hier_crossbar"}, {"dims", {4, 4}}}}, {"workload", workload}};
}
json uniform(double rate) {
  return {{"traffic", "uniform"},
          {"rate", rate},
          {"packet_flits", 8},
          {"warmup", 100},
          {"measure", 2000}};
}
// Messages with pauses between their packets, and hardware barriers.
json paced(json document) {
  document["processor"] = "native";
  document["nic"] = {{"packet_flits", 5}, {"gap", 9}};
  document["workload"] = {{"collective", "a2a"}, {"message_flits", 10}, {"sync", "barrier"}};
  return document;
}

// The shares of steps at rest, and of those that engine `rtl` leaves out, since the last call.
struct Shares {
  double at_rest, left_out;
};
template <class Model, class Rtl>
Shares shares() {
  const Count count = std::exchange(Pair<Model, Rtl>::count, {});
  REQUIRE(count.steps > 0);
  const auto of_all = [&](std::uint64_t part) {
    return static_cast<double>(part) / static_cast<double>(count.steps);
  };
  return {of_all(count.at_rest), of_all(count.left_out)};
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

RouteConfig torus_of_nine() {
  RouteConfig route;
  route.max_coords = {2, 2};
  return route;
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
      in.mem_rdata[random.below(config.lanes())] = random();
      break;
    case 4:
      change_flit(random, in.rx[random.below(config.links())], 1);
      break;
    case 5:
      in.rx[random.below(config.links())] = {};
      break;
    case 6:
      in.rx_base = word(kMemAddrW);
      in.rx_size = word(kMemAddrW);
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

}  // namespace

TEST_CASE("an instance is at rest only while all of its state stays") {
  // The output shows nothing of the counter, which stands in a module that is not inlined, until
  // it stops.
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
  for (const Nic::Config& config :
       {Nic::Config{.parity = true, .reduce = true},
        Nic::Config{.num_ctrl = 3, .packet_flits = 19, .credit = true, .num_vc = 2}}) {
    std::vector<std::uint64_t> credit(config.links());
    Nic::In in;
    in.tx_credit = credit.data();
    Inputs<Nic, Nic::Config>("nic", config).change(in, 5000, [&](Nic::In& now) {
      change_one(random, now, config, credit);
    });
  }
  const VcRouter::Config router{.age = true, .route = torus_of_nine()};
  std::vector<Flit> flits(router.num_ports);
  std::vector<std::uint64_t> credit(router.num_ports);
  VcRouter::In routed{flits.data(), 0, credit.data(), 0};
  Inputs<VcRouter, VcRouter::PortConfig>("vc_router", {router, true})
      .change(routed, 5000, [&](VcRouter::In& now) {
        const std::uint64_t p = random.below(router.num_ports);
        if (random.below(2) != 0) {
          credit[p] = random.below(4);
        } else {
          now.rx_valid ^= std::uint64_t{1} << p;
          change_flit(random, flits[p], router.num_vc);
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
  for (const Nic::Config& config :
       {Nic::Config{.parity = true, .reduce = true},
        Nic::Config{.num_ctrl = 3, .packet_flits = 19, .credit = true, .num_vc = 2}}) {
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
      in.desc.len %= 32;  // It is soon at rest again.
      in.desc.gap %= 4;
      const bool changed = in.node != before.node || in.desc_valid ||
                           in.tx_full != before.tx_full || in.rx != before.rx ||
                           in.rx_base != before.rx_base || in.rx_size != before.rx_size ||
                           credit != credit_before ||
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

  const VcRouter::Config config{.route = torus_of_nine()};
  std::vector<Flit> flits(config.num_ports);
  std::vector<std::uint64_t> credit(config.num_ports);
  RtlRouter router(config, false, false);
  VcRouter::In in{flits.data(), 0, credit.data(), 0};
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
  VcRouter::Config config{.num_vc = 1, .depth = 1, .local_depth = 1, .route = torus_of_nine()};
  std::vector<Flit> flits(config.num_ports);
  std::vector<std::uint64_t> credit(config.num_ports);
  RtlRouter router(config, false, false);
  flits[0].valid = flits[0].last = true;
  credit.back() = 1;
  rest(router, VcRouter::In{flits.data(), 1, credit.data(), 0});
  CHECK(router.out().tx_valid != 0);
  CHECK_FALSE(router.quiet());
}

namespace {

// Changes the receive window in cycle 50 and in cycle 60.
struct Windower : EndpointDefaults {
  static constexpr bool kTimed = true;

  std::uint64_t read_flit(std::uint32_t) const { return 0; }
  void write_flit(std::uint32_t, std::uint32_t, std::uint64_t) {}
  void step(const NicStatus&, std::uint64_t cycle, RegionSums&) {
    if (cycle < next) return;
    base = cycle < 50 ? 0 : cycle < 60 ? 7 : 0;
    next = cycle < 50 ? 50 : cycle < 60 ? 60 : 1000;
  }
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    step(status, cycle, sums);
  }
  std::uint64_t wake() const { return next; }
  bool posted() const { return false; }
  const Descriptor& descriptor() const { return none; }
  bool resting() const { return true; }
  bool done() const { return false; }
  void drive(Nic::In& in) const { in.rx_base = base; }
  NodeView view() const { return {}; }
  std::string describe() const { return ""; }

  Descriptor none;
  std::uint32_t base = 0;
  std::uint64_t next = 0;
};

// Rests while the receive window stays, and counts its steps.
struct WindowNic final : AnyNic::Interface {
  const Nic::Out& out() const override { return nothing; }
  void step(const Nic::In& in) override {
    ++steps;
    changes += in.rx_base != base;
    base = in.rx_base;
  }
  bool idle(const Nic::In& in) const override { return steps > 0 && in.rx_base == base; }
  static std::unique_ptr<AnyNic::Interface> make(const Nic::Config&) {
    return std::make_unique<WindowNic>();
  }
  Nic::Out nothing;
  std::uint32_t base = 0;
  static inline std::uint64_t steps = 0, changes = 0;
};

}  // namespace

TEST_CASE("an input that changes without a flit reaches an interface at rest") {
  json document = xbar(uniform(0.01));
  document["max_cycles"] = 100;
  const Config config = config_of(document);
  const Graph graph = build_graph(config);
  Endpoints unused;
  const RunOptions options;
  Probes probes(config, graph, options, 0, nullptr, 0);
  std::vector<Windower> windowers(graph.nodes);
  std::vector<AnyEndpoint> endpoints(windowers.begin(), windowers.end());
  const auto fabric = [&] {
    return Fabric<AnyNic, AnyCrossbar>(graph, make_nics<AnyNic>(config, graph, WindowNic::make),
                                       make_switches<AnyCrossbar>(graph, false, AnyCrossbar::model),
                                       false);
  };
  run_cycles(
      RunParts{
          .config = config, .graph = graph, .endpoints = unused, .probes = probes, .progress = {}},
      fabric(), endpoints, AnyBarrierUnit::model);
  CHECK(WindowNic::changes == 2 * graph.nodes);
  CHECK(WindowNic::steps < 10 * graph.nodes);

  // Buffer-Full of the link out of an interface.
  auto still = fabric();
  CHECK(still.silent(3, std::false_type{}));
  still.wires().full[3] = 1;
  CHECK_FALSE(still.silent(3, std::false_type{}));
  still.read_links(3, 0, std::false_type{});
  CHECK(still.input(3).tx_full);
  CHECK(still.silent(3, std::false_type{}));
}

TEST_CASE("most instances rest, and every output equals the model's in every cycle") {
  for (const double rate : {0.01, 0.1, 0.5}) {
    CAPTURE(rate);
    const Outcome outcome = routers(config_of(torus(uniform(rate))));
    CHECK(outcome.counters.flit_hops > 0);
    crossbars(config_of(xbar(uniform(rate))));
    const Shares router = shares<VcRouter, RtlRouter>(), nic = shares<Nic, RtlNic>();
    const Shares crossbar = shares<Crossbar, RtlCrossbar>();
    if (rate > 0.05) continue;
    CHECK(router.left_out > 0.5);
    CHECK(nic.left_out > 0.7);
    CHECK(crossbar.at_rest > 0.2);
  }
  // Age arbitration counts cycles in every block: none rests.
  json aged = torus(uniform(0.02));
  aged["router"]["arbiter"] = "age";
  routers(config_of(aged));
  CHECK(shares<VcRouter, RtlRouter>().at_rest == 0);
  CHECK(shares<Nic, RtlNic>().at_rest == 0);
  // Pauses between packets are counted, and releases held.
  for (const bool routed : {true, false}) {
    routed ? routers(config_of(paced(torus({})))) : crossbars(config_of(paced(xbar({}))));
    CHECK(shares<BarrierUnit, RtlBarrierUnit>().left_out > 0.5);
  }
}

TEST_CASE("skipping that ignores state differs from the model") {
  const Config busy = config_of(torus(uniform(0.4))), calm = config_of(paced(torus({})));
  const Config crossed = config_of(xbar(uniform(0.1)));
  const Config crossed_calm = config_of(paced(xbar({})));
  const auto nic = NicPair<RtlNic>::make;
  const auto router = RouterPair<RtlRouter>::make;
  CHECK_THROWS_AS(routers(busy, NicPair<WrongNic<IgnoresState>>::make), DifferenceAt);
  CHECK_THROWS_AS(routers(busy, nic, RouterPair<WrongRouter<IgnoresState>>::make), DifferenceAt);
  CHECK_THROWS_AS(routers(calm, nic, router, UnitPair<WrongUnit<IgnoresState>>::make),
                  DifferenceAt);
  CHECK_THROWS_AS(crossbars(crossed, nic, CrossbarPair<WrongCrossbar<IgnoresState>>::make),
                  DifferenceAt);
  CHECK_THROWS_AS(crossbars(crossed_calm, NicPair<WrongNic<IgnoresState>>::make), DifferenceAt);
  // State that no output shows: counted pauses between packets, held releases, words on their way.
  CHECK_THROWS_AS(routers(calm, NicPair<WrongNic<SeesOutputs>>::make), DifferenceAt);
  CHECK_THROWS_AS(routers(calm, nic, router, UnitPair<WrongUnit<SeesOutputs>>::make), DifferenceAt);
  CHECK_THROWS_AS(crossbars(crossed, nic, CrossbarPair<WrongCrossbar<SeesOutputs>>::make),
                  DifferenceAt);
}

TEST_CASE("networks that are mostly at rest, on all engines") {
  for (const json& document :
       {torus(uniform(0.01)), xbar(uniform(0.01)), paced(torus({})), paced(xbar({}))}) {
    const Config config = config_of(document);
    const Result model = agree_on(config, {"flit", "rtl", "cosim"});
    CHECK(run_on(config, "rtl", 2).digest == model.digest);
  }
}
