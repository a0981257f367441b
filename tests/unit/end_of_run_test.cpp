// The end of a run: what is noted of source queues, which have no limit.
#include "sim/engine/end_of_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/engine/probes.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

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
  const RunParts parts{.config = config,
                       .graph = graph,
                       .endpoints = unused,
                       .probes = probes,
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
    CHECK(!end.reached(++cycle, graph.nodes, false, counts, [] {}));
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
