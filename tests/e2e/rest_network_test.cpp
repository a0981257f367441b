// Networks whose RTL instances rest: every output equals the model's in every cycle, and a way of
// skipping that ignores state is found.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/any_endpoint.hpp"
#include "sim/engine/flit_loop.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/topology/topology.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_router.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

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

template <class Block, class Instance>
struct Wrong : RtlBlock<Block, Instance> {
  Wrong(const std::string& block, const typename PortTypes<Block>::Config& config)
      : RtlBlock<Block, Instance>(block, config, false) {}
  void step(const typename Block::In& in) { this->edge(in); }
};
template <class Instance>
struct WrongNic : Wrong<Nic, Instance> {
  WrongNic(const Nic::Config& config, bool) : Wrong<Nic, Instance>("nic", config) {}
};
template <class Instance>
struct WrongUnit : Wrong<BarrierUnit, Instance> {
  WrongUnit(const BarrierUnit::Config& config, bool)
      : Wrong<BarrierUnit, Instance>("barrier_unit", config) {}
};
template <class Instance>
struct WrongRouter : Wrong<VcRouter, Instance> {
  WrongRouter(const RouterTileConfig& config, bool parity, bool)
      : Wrong<VcRouter, Instance>("vc_router", {config, parity, config.header.data_w}) {}
};
template <class Instance>
struct WrongCrossbar : Wrong<Crossbar, Instance> {
  WrongCrossbar(const Crossbar::Config& config, bool parity, bool)
      : Wrong<Crossbar, Instance>("crossbar", {config, parity}) {}
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
  template <class Config, class... More>
  explicit Pair(const Config& config, const More&... more)
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
  decltype(auto) out() const { return model.out(); }

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
  RouterPair(const RouterTileConfig& config, bool parity) : tile(config, parity) {}
  VcRouter::Out out() const override { return tile.out(); }
  void step(const RouterTile::In& in) override { tile.step(in); }
  bool quiet() const override { return false; }
  const VcRouter* model() const override { return &tile.router().model; }
  static std::unique_ptr<AnyRouter::Interface> make(const RouterTileConfig& config, bool parity) {
    return std::make_unique<RouterPair>(config, parity);
  }
  RouterTileOf<Pair<VcRouter, Rtl>, TileRoute> tile;
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
  PartArray<AnyEndpoint> any = any_endpoints(endpoints, {0, graph.nodes});
  return run_cycles(EngineInputs{.config = config,
                                 .graph = graph,
                                 .endpoints = endpoints,
                                 .probes = probes,
                                 .share = NetworkShare(graph),
                                 .traffic = std::get_if<TrafficPlan>(&workload),
                                 .stepped = {},
                                 .progress = {}},
                    Fabric<AnyNic, Switch>(
                        graph, make_nics<AnyNic>(config, graph, owns_all, nic),
                        make_switches<Switch>(graph, owns_all, config.link.parity, make_switch),
                        {graph, false, false}),
                    any, {}, AnyUnits{unit, AnyCombineUnit::cosim, make_cosim_link});
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
  document["barrier"] = "hardware";
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

// Changes the receive window in cycle 50 and then rests.
struct Windower : EndpointDefaults {
  static constexpr bool kTimed = true;

  void read_flit(std::uint32_t, std::uint64_t* words) const { *words = 0; }
  void write_flit(std::uint32_t, std::uint32_t, const FlitData&) {}
  void step(const NicStatus&, std::uint64_t cycle, RegionSums&) {
    if (cycle < next) return;
    base = cycle < 50 ? 0 : 7;
    next = cycle < 50 ? 50 : 1000;
  }
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    step(status, cycle, sums);
  }
  std::uint64_t wake() const { return next; }
  bool posted() const { return false; }
  const Descriptor& descriptor() const { return none; }
  bool resting() const { return true; }
  bool done() const { return false; }
  void drive(Nic::In& in) const { in.windows.base[0] = base; }
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
    changes += in.windows.base[0] != base;
    base = in.windows.base[0];
  }
  bool idle(const Nic::In& in) const override { return steps > 0 && in.windows.base[0] == base; }
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
  PartArray<AnyEndpoint> endpoints(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) endpoints.make_at(n, windowers[n]);
  const auto fabric = [&] {
    return Fabric<AnyNic, AnyCrossbar>(
        graph, make_nics<AnyNic>(config, graph, owns_all, WindowNic::make),
        make_switches<AnyCrossbar>(graph, owns_all, false, AnyCrossbar::model),
        {graph, false, false});
  };
  run_cycles(EngineInputs{.config = config,
                          .graph = graph,
                          .endpoints = unused,
                          .probes = probes,
                          .share = NetworkShare(graph),
                          .stepped = {},
                          .progress = {}},
             fabric(), endpoints, {},
             AnyUnits{AnyBarrierUnit::model, AnyCombineUnit::model, make_link_model});
  CHECK(WindowNic::changes == graph.nodes);
  CHECK(WindowNic::steps < 10 * graph.nodes);

  // Buffer-Full of the link out of an interface.
  auto still = fabric();
  CHECK(still.silent(3));
  still.wires().full[3] = 1;
  CHECK_FALSE(still.silent(3));
  still.read_links(3, 0);
  CHECK(still.input(3).tx_full);
  CHECK(still.silent(3));
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
