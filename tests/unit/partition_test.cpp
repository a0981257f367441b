// Partitions: regions of a network that do not interfere (seed 001 3.4).
#include "sim/analysis/partition.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

struct Case {
  json topology;
  std::vector<unsigned> cuts;
  std::uint32_t regions;
  unsigned controllers = 1;
};

const std::vector<Case> kCases = {
    {{{"kind", "mdce"}, {"n", 2}, {"B", 1}, {"C", 1}}, {0, 1, 1}, 4},
    {{{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 0}}, {0, 3}, 8},
    {{{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 2}}, {0, 2}, 4},
    {{{"kind", "torus"}, {"dims", {4, 4}}}, {1, 1}, 4},
    {{{"kind", "mesh"}, {"dims", {6, 4}}}, {1}, 2},
    {{{"kind", "fat_tree"}, {"levels", 4}}, {2}, 4},
    {{{"kind", "omega"}, {"levels", 4}}, {2}, 4},
    // Further send controllers have their own links, in staged networks their own network.
    {{{"kind", "mesh"}, {"dims", {4, 3}}}, {1}, 2, 2},
    {{{"kind", "fat_tree"}, {"levels", 3}}, {1}, 2, 2},
    {{{"kind", "omega"}, {"levels", 3}}, {1}, 2, 3},
};

json document(const Case& c, const json& regions) {
  json workload = {{"traffic", "uniform"}, {"rate", 0.3},    {"packet_flits", 4},
                   {"warmup", 50},         {"measure", 300}, {"drain", 0}};
  if (!regions.is_null()) workload["regions"] = regions;
  return {{"topology", c.topology},
          {"nic", {{"controllers", c.controllers}}},
          {"partition", c.cuts},
          {"workload", workload}};
}

Result run_of(const json& configuration, unsigned threads = 1, const char* engine = "model") {
  const Config config = parse_config(configuration, "test");
  const Graph graph = build_graph(config);
  RunOptions options;
  options.engine = engine;
  options.threads = threads;
  const Result result = run(config, graph, options);
  CHECK((result.verified() || result.stopped));
  return result;
}

const json kIdle = {{"rate", 0}};

}  // namespace

TEST_CASE("a region's digest is the same whatever runs in the others") {
  for (const Case& c : kCases) {
    CAPTURE(c.topology.dump());
    const Result all = run_of(document(c, nullptr));
    REQUIRE(all.regions.size() == c.regions);
    std::set<std::uint64_t> digests;
    for (std::uint32_t r = 0; r < c.regions; ++r) {
      digests.insert(all.regions[r].digest);
      // The region alone is all of the run.
      json changes(c.regions, kIdle);
      changes[r] = json::object();
      const Result alone = run_of(document(c, changes));
      CHECK(alone.digest == all.regions[r].digest);
      CHECK(alone.regions[r].digest == all.regions[r].digest);
      CHECK(alone.flit_hops > 0);
      CHECK(alone.flit_hops < all.flit_hops);
      CHECK(alone.regions[r].traffic.latency.mean == all.regions[r].traffic.latency.mean);
      CHECK(alone.regions[(r + 1) % c.regions].traffic.packets == 0);
      // With others of a higher rate and another pattern, the region's result is the same.
      json busy(c.regions, json{{"traffic", "hotspot"}, {"rate", 0.9}});
      busy[r] = json::object();
      const Result beside = run_of(document(c, busy), &c == &kCases.front() && r == 0 ? 2 : 1);
      CHECK(beside.regions[r].digest == all.regions[r].digest);
      CHECK(beside.regions[(r + 1) % c.regions].digest != all.regions[(r + 1) % c.regions].digest);
    }
    CHECK(digests.size() == c.regions);
  }
}

TEST_CASE(
    "a region's digest is the same when flits are stepped, also in runs that go on or end early") {
  for (const Case& c : kCases) {
    CAPTURE(c.topology.dump());
    json configuration = document(c, json::array({{{"rate", 0.7}}, {{"packet_flits", 40}}}));
    for (const std::uint64_t most : {100'000, 211}) {
      configuration["workload"]["drain"] = 400;
      configuration["max_cycles"] = most;
      const Result runs = run_of(configuration), flits = run_of(configuration, 1, "flit");
      CHECK(runs.notes == flits.notes);
      CHECK(runs.stepped.empty());
      CHECK(runs.cycles == flits.cycles);
      CHECK(runs.cycles > (most == 211 ? 210 : 351));
      CHECK(runs.digest == flits.digest);
      for (std::uint32_t r = 0; r < c.regions; ++r) {
        CHECK(runs.regions[r].digest == flits.regions[r].digest);
      }
    }
  }
}

TEST_CASE("regions have the nodes whose digits are in one part, in order") {
  const Config config = parse_config(document(kCases[4], nullptr), "test");  // mesh 6 x 4
  const Graph graph = build_graph(config);
  const Partition partition(config, graph);
  CHECK(partition.dims() == std::vector<std::uint32_t>{3, 4});
  CHECK(partition.members(1) ==
        std::vector<std::uint32_t>{3, 4, 5, 9, 10, 11, 15, 16, 17, 21, 22, 23});
  CHECK(partition.region_of(16) == 1);
  CHECK(partition.rank_within(16) == 7);
}

TEST_CASE("partitions that do not divide are refused") {
  const auto refused = [](json configuration, const char* message) {
    CAPTURE(configuration.dump());
    CHECK_THROWS_WITH_AS(run_of(configuration), doctest::Contains(message), ConfigError);
  };
  json torus = document({{{"kind", "torus"}, {"dims", {12, 4}}}, {3}, 8}, nullptr);
  refused(torus, "/partition/0: value 3: expected: 0 to 2: 2^m equal parts of 12");
  torus["partition"] = {0, 0, 1};
  refused(torus, "/partition: value [0,0,1]: expected: up to 2 numbers");
  torus["topology"]["dims"] = {4};
  torus["partition"] = {2};
  refused(torus, "regions of 2 nodes or more");
  torus["topology"]["dims"] = {4, 4};
  torus["partition"] = {1};
  torus["workload"]["regions"] = json(3, kIdle);
  refused(torus, "/workload/regions");
  torus["workload"]["regions"] = json::array({{{"traffic", "tornado"}, {"warmup", 3}}});
  refused(torus, "/workload/regions/0/warmup: value 3: expected: no such key");
  torus["workload"]["regions"] = json::array({{{"rate", 2}}});
  refused(torus, "/workload/regions/0/rate: value 2");
  // Rings cannot be cut: their packets pass through all columns.
  json rings = document(kCases[0], nullptr);
  rings["partition"] = {1};
  refused(rings, "regions that share no link: link r_");
  // This holds where there are many nodes, too, and where there are too many to check all routes.
  rings["topology"] = {{"kind", "dce"}, {"n", 14}, {"y_bits", 10}, {"delta", 1}};
  rings["partition"] = {1, 10};
  refused(rings, "regions that share no link: link r_");
  torus["topology"]["dims"] = {256, 256};
  torus["workload"].erase("regions");
  refused(torus, "/partition: value [1]: expected: regions of up to 4096 nodes");
  json collective = document(kCases[0], nullptr);
  collective["workload"] = {{"collective", "a2a"}};
  refused(collective,
          "/partition: value [0,1,1]: expected: no such key with a2a; it is for traffic");
}

TEST_CASE("every link of a region has its region, in large networks too") {
  const Case mesh = {{{"kind", "mesh"}, {"dims", {96, 64}}}, {5, 6}, 2048};
  const Config config = parse_config(document(mesh, nullptr), "test");
  const Graph graph = build_graph(config);
  const Partition partition(config, graph);
  // Of three nodes in a row: two links each way between them, one each way to each of them.
  std::vector<unsigned> links(partition.regions());
  for (const std::uint32_t region : partition.region_of_link()) {
    if (region != kOpen) ++links[region];
  }
  CHECK(links == std::vector<unsigned>(2048, 2 * 2 + 3 * 2));
}

TEST_CASE("the resolved configuration of a partition reads back as itself") {
  json changes(2, kIdle);
  changes[1] = {{"traffic", "hotspot"}, {"share", 0.2}};
  const Config config = parse_config(document(kCases[0], changes), "test");
  CHECK(to_json(parse_config(to_json(config), "again")) == to_json(config));
  REQUIRE(config.workload.regions.size() == 2);
  CHECK(config.workload.regions[0].rate == 0);
  CHECK(config.workload.regions[1].rate == 0.3);
  CHECK(config.workload.regions[1].parameters.to_json().at("share") == 0.2);
}
