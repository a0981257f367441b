// The end of a run: what is noted of source queues, which have no limit, and when it stands still.
#include "sim/engine/end_of_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/engine/probes.hpp"
#include "sim/share/network_share.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/workload.hpp"

namespace {

using namespace weft;

TEST_CASE("nothing moves: an endpoint that has acted is waited for once more") {
  const Config config =
      parse_config({{"topology", {{"kind", "mesh"}, {"dims", {2, 2}}}}, {"watchdog", 100}}, "test");
  const Graph graph = build_graph(config);
  Endpoints unused;
  const RunOptions options;
  Probes probes(config, graph, options, 0, nullptr, 0);
  const EngineInputs parts{.config = config,
                           .graph = graph,
                           .endpoints = unused,
                           .probes = probes,
                           .share = NetworkShare(graph),
                           .stepped = {},
                           .progress = {},
                           .say = {}};
  EndOfRun end(parts);
  // The cycles in which nothing had moved for too long, and whether an endpoint had acted before.
  std::vector<std::pair<std::uint64_t, bool>> looks;
  std::uint64_t acts_until = 0, cycle = 0;
  const auto pass = [&](std::uint64_t to) {
    for (; cycle < to; ++cycle) {
      CHECK(!end.reached(
          cycle, 4, false, [](std::uint32_t) { return TrafficCounts{}; },
          [&](bool acted) {
            looks.emplace_back(cycle, acted);
            return cycle < acts_until;
          }));
    }
  };
  using Looks = std::vector<std::pair<std::uint64_t, bool>>;
  acts_until = 300;
  pass(600);
  CHECK(looks == Looks{{100, false}, {200, true}, {300, true}, {400, false}, {500, false}});
  looks.clear();
  acts_until = 800;
  pass(750);
  end.moved(750);
  CHECK(end.next(750, false) == 850);
  CHECK(end.still(760) == 10);
  pass(900);
  CHECK(looks == Looks{{600, false}, {700, true}, {850, false}});
}

TEST_CASE("source queues of a gigabyte are noted, at once and in the end") {
  const Config config = parse_config({{"topology", {{"kind", "mesh"}, {"dims", {2, 2}}}},
                                      {"workload", {{"traffic", "uniform"}, {"rate", 0.5}}}},
                                     "test");
  const Graph graph = build_graph(config);
  const TrafficPlan plan(config, graph);
  Endpoints unused;
  const RunOptions options;
  Probes probes(config, graph, options, 0, nullptr, 0);
  std::vector<std::string> said;
  const EngineInputs parts{.config = config,
                           .graph = graph,
                           .endpoints = unused,
                           .probes = probes,
                           .share = NetworkShare(graph),
                           .traffic = &plan,
                           .stepped = {},
                           .progress = {},
                           .say = [&](const std::string& note) { said.push_back(note); }};
  EndOfRun end(parts);
  constexpr std::uint64_t kGigabyte = 1u << 27;  // Packets of 8 bytes.
  std::uint64_t cycle = 0;
  const auto pass = [&](std::uint64_t queued) {
    const auto counts = [&](std::uint32_t) {
      return TrafficCounts{.generated = queued + 1000, .arrived = 1000, .measured = 1};
    };
    CHECK(!end.reached(++cycle, graph.nodes, false, counts, [](bool) { return false; }));
  };
  pass(kGigabyte - 1);
  CHECK(said.empty());
  CHECK(end.note().empty());
  pass(kGigabyte);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("held 134217728 packets at once, 1024 MiB or more") != std::string::npos);
  pass(2 * kGigabyte);
  pass(kGigabyte);
  CHECK(said.size() == 1);
  CHECK(end.note().find("held 268435456 packets at once, 2048 MiB or more") != std::string::npos);
}

}  // namespace
