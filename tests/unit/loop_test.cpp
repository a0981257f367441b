// The cycle loop on several threads: an error on any of them ends the run with that error.
#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "sim/engine/flit_loop.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/workload.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kCycle = 5;

// An endpoint that never finishes; one of them fails.
struct FailingEndpoint : EndpointDefaults {
  bool fails = false;

  void read_flit(std::uint32_t, std::uint64_t* words) const { *words = 0; }
  void write_flit(std::uint32_t, std::uint32_t, const FlitData&) {}
  void step(const NicStatus&, std::uint64_t cycle, RegionSums&) {
    if (fails && cycle == kCycle) throw CheckError("as it should");
  }
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    step(status, cycle, sums);
  }
  bool posted() const { return false; }
  const Descriptor& descriptor() const { return none; }
  bool resting() const { return false; }
  bool done() const { return false; }
  void drive(Nic::In&) const {}
  NodeView view() const { return {}; }
  std::string describe() const { return ""; }

  Descriptor none;
};

// A fabric that fails when a range with node `fails` drives its outputs.
struct FailingFabric : Fabric<Nic, RouterTile> {
  using Base = Fabric<Nic, RouterTile>;
  FailingFabric(Base base, std::uint32_t node) : Base(std::move(base)), fails(node) {}
  void publish(const BlockRange& range, std::uint64_t cycle, Counters& counters) {
    if (cycle == kCycle && range.first_node <= fails && fails < range.end_node) {
      throw CheckError("no publishing");
    }
    Base::publish(range, cycle, counters);
  }
  std::uint32_t fails;
};

// The error of a run in which one endpoint fails, or the fabric at one node.
std::string error_of(unsigned threads, std::uint32_t endpoint, std::uint32_t node) {
  const Config config = parse_config({{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}}, "test");
  const Graph graph = build_graph(config);
  Endpoints unused;
  RunOptions options;
  Probes probes(config, graph, options, 0, nullptr, 0);
  const NetworkShare whole(graph, threads);
  const EngineInputs parts{.config = config,
                           .graph = graph,
                           .endpoints = unused,
                           .probes = probes,
                           .share = whole,
                           .threads = threads,
                           .stepped = {},
                           .progress = {}};
  PartArray<FailingEndpoint> endpoints(graph.nodes);
  endpoints.make(0, graph.nodes);
  if (endpoint < graph.nodes) endpoints[endpoint].fails = true;
  FailingFabric fabric({graph,
                        make_nics<Nic>(config, graph, owns_all),
                        make_switches<RouterTile>(graph, owns_all),
                        {graph, false, false}},
                       node);
  try {
    FlitLoop<FailingFabric, FailingEndpoint>(parts, fabric, endpoints).run();
  } catch (const CheckError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an error on any thread ends the run with that error") {
  constexpr std::uint32_t kNone = 16;
  alarm(120);  // Ends threads that wait for each other for ever.
  for (unsigned threads = 1; threads <= 4; ++threads) {
    for (const std::uint32_t node : {0u, 7u, 15u}) {
      CAPTURE(threads);
      CAPTURE(node);
      CHECK(error_of(threads, node, kNone) == fmt::format("node {}, cycle 5: as it should", node));
      CHECK(error_of(threads, kNone, node) == "no publishing");
    }
  }
  alarm(0);
}

}  // namespace weft
