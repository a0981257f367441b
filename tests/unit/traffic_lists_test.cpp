// A list of patterns, of which one is drawn for each packet: shares, combinations and errors.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/traffic_plan.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// A torus of 4 x 4 with these patterns, and more keys of the workload and of the root.
Config listed_config(const json& traffic, const json& workload = json::object(),
                     const json& root = json::object()) {
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
      {"workload", {{"traffic", traffic}, {"rate", 0.2}, {"warmup", 100}, {"measure", 2000}}}};
  document.update(root);
  document["workload"].update(workload);
  return parse_config(document, "test");
}

std::string list_refused(const json& traffic, const json& workload = json::object(),
                         const json& root = json::object()) {
  try {
    const Config config = listed_config(traffic, workload, root);
    const TrafficPlan plan(config, build_graph(config));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

Result listed_run(const std::string& engine, const Config& config, unsigned threads = 1) {
  RunOptions options;
  options.engine = engine;
  options.threads = threads;
  return run(config, build_graph(config), options);
}

const json kUniformAndHot = json::array({{{"traffic", "uniform"}, {"weight", 3}},
                                         {{"traffic", "hotspot"}, {"share", 0.5}, {"node", 6}}});

}  // namespace

TEST_CASE("each pattern of a list has its share of the packets, with its own keys") {
  const Config config = listed_config(kUniformAndHot);
  const auto draw = std::get<DrawDestination>(traffic_source(config, build_graph(config)));
  RandomStream random(7);
  constexpr unsigned kDraws = 160'000;
  std::array<unsigned, 16> hits = {};
  for (unsigned i = 0; i < kDraws; ++i) ++hits.at(draw(2, random));
  for (std::uint32_t n = 0; n < 16; ++n) {
    // Three quarters and half of the last quarter to any of 15, the other half of that to node 6.
    const double chance = (n == 2 ? 0 : 0.875 / 15) + (n == 6 ? 0.125 : 0);
    CAPTURE(n);
    CHECK(std::abs(hits[n] - kDraws * chance) <= 5 * std::sqrt(kDraws * chance * (1 - chance)));
  }
}

TEST_CASE("two hot spots: the keys of one pattern do not reach the other") {
  const json two =
      json::array({{{"traffic", "hotspot"}, {"share", 1}, {"node", 1}},
                   {{"traffic", "hotspot"}, {"share", 1}, {"node", 9}, {"weight", 4}}});
  const Result result = listed_run("model", listed_config(two, {{"rate", 0.05}}));
  CHECK(result.verified());
  // All packets go to two nodes, one in five to the first; a link's flits are those of its node.
  std::uint64_t first = 0, second = 0, others = 0;
  const Graph graph = build_graph(result.config);
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const std::uint32_t to = graph.links[l].dst_block;
    if (to >= graph.nodes) continue;
    (to == 1 ? first : to == 9 ? second : others) += result.link_load.at(l);
  }
  CHECK(others == 0);
  const double packets = static_cast<double>(first + second) / 4;
  CHECK(packets > 300);
  CHECK(std::abs(static_cast<double>(first) / 4 - packets / 5) < 5 * std::sqrt(packets * 0.16));
}

TEST_CASE("a list of one pattern is that pattern") {
  const json keys = {{"share", 0.3}, {"node", 5}};
  json element = {{"traffic", "hotspot"}, {"weight", 8}};
  element.update(keys);
  CHECK(listed_run("model", listed_config(json::array({element}))).digest ==
        listed_run("model", listed_config("hotspot", keys)).digest);
}

TEST_CASE("lists of patterns with lengths, bursts, regions and threads: engines agree") {
  const json lengths = {{{"flits", 1}, {"weight", 3}}, {{"flits", 9}}};
  const json regions = json::array(
      {json::object(), {{"traffic", {{{"traffic", "tornado"}}, {{"traffic", "uniform"}}}}}});
  for (const auto& keys_of : std::vector<std::pair<json, json>>{
           {{{"packet_flits", lengths}}, json::object()},
           {{{"burst_cycles", 40}, {"burst_rate", 0.8}, {"packet_flits", lengths}}, json::object()},
           {{{"regions", regions}}, {{"partition", {1, 0}}}},
           {{{"rate", 0.9}}, {{"router", {{"arbiter", "age"}}}}}}) {
    const auto& [workload, root] = keys_of;
    CAPTURE(keys_of.first.dump());
    json patterns = kUniformAndHot;
    patterns.push_back({{"traffic", "neighbour"}, {"weight", 2}});
    const Config config = listed_config(patterns, workload, root);
    const Result model = listed_run("model", config), flit = listed_run("flit", config);
    CHECK(model.verified());
    CHECK(model.cycles == flit.cycles);
    CHECK(model.digest == flit.digest);
    CHECK(listed_run("model", config, 2).digest == flit.digest);
    // What is written reads as the same workload.
    const Config again = parse_config(to_json(config), "again");
    CHECK(to_json(again) == to_json(config));
    CHECK(listed_run("model", again).digest == flit.digest);
  }
}

TEST_CASE("a region's list stands in place of the pattern of all") {
  const json regions = json::array(
      {{{"traffic", {{{"traffic", "hotspot"}, {"share", 1}, {"node", 2}}}}}, {{"rate", 0}}});
  const json root = {{"partition", {1, 0}}};
  const Result listed = listed_run("model", listed_config("tornado", {{"regions", regions}}, root));
  json named = regions;
  named[0] = {{"traffic", "hotspot"}, {"share", 1}, {"node", 2}};
  CHECK(listed.digest ==
        listed_run("model", listed_config("tornado", {{"regions", named}}, root)).digest);
  CHECK(listed.traffic->packets > 0);
}

TEST_CASE("errors name the element of the list") {
  const auto second = [](const json& element) {
    return json::array({{{"traffic", "uniform"}}, element});
  };
  const json halves = {{"partition", {1, 0}}};
  CHECK(list_refused(second({{"traffic", "hotspot"}, {"node", 16}})) ==
        "test: /workload/traffic/1/node: value 16: expected: \"middle\", or a rank from 0 to 15");
  CHECK(list_refused(second({{"traffic", "hotspot"}, {"mean", 1}})) ==
        "test: /workload/traffic/1/mean: unknown key, value 1: expected: the keys traffic, weight, "
        "share, node");
  CHECK(list_refused(second({{"traffic", "uniform"}, {"weight", 0}})) ==
        "test: /workload/traffic/1/weight: value 0: expected: a number above 0 and up to 1000000");
  CHECK(list_refused(second({{"weight", 1}})) ==
        "test: /workload/traffic/1/traffic: missing: expected: a name of `weft list traffic`");
  CHECK(list_refused(second({{"traffic", "mesh_emulation"}})) ==
        "test: /workload/traffic/1/traffic: value \"mesh_emulation\": expected: a pattern that "
        "draws destinations, in a list of patterns");
  CHECK(list_refused(second({{"traffic", "trace"}, {"file", "packets.csv"}})) ==
        "test: /workload/traffic/1/traffic: value \"trace\": expected: a pattern whose packets are "
        "generated at a rate, in a list of patterns");
  CHECK(list_refused(second({{"traffic", "transpose"}}), json::object(), halves) ==
        "test: /workload/traffic/1/traffic: value \"transpose\": expected: on regions of 4, 9, 16, "
        "... nodes; this one has 8");
  const json regions =
      json::array({json::object(), {{"traffic", second({{"traffic", "hotspot"}, {"node", 8}})}}});
  CHECK(list_refused("uniform", {{"regions", regions}}, halves) ==
        "test: /workload/regions/1/traffic/1/node: value 8: expected: \"middle\", or a rank within "
        "a region from 0 to 7");
  CHECK(list_refused(json::array())
            .starts_with("test: /workload/traffic: value []: expected: a name of `weft list "
                         "traffic`, or a list"));
  CHECK(list_refused("uniform").empty());
}
