// Where the patterns of synthetic traffic send, against tables and counts of another making.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/network/run.hpp"
#include "sim/traffic/traffic.hpp"

namespace {

using namespace weft;
using nlohmann::json;
using Ranks = std::vector<std::uint32_t>;

Config config_of(const std::string& traffic, const Ranks& dims) {
  return parse_config({{"topology", {{"kind", "torus"}, {"dims", dims}}},
                       {"workload",
                        {{"traffic", traffic},
                         {"rate", 0.05},
                         {"packet_flits", 4},
                         {"warmup", 100},
                         {"measure", 1000}}}},
                      "test");
}

// Destinations of all nodes, drawn twice from different streams: those of a permutation agree.
Ranks all_of(const std::string& traffic, const Ranks& dims) {
  const Config config = config_of(traffic, dims);
  const Graph graph = build_graph(config);
  const DrawDestination draw = find_traffic(config).build(config, graph);
  Ranks result;
  RandomStream one(1), other(2);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    result.push_back(draw(src, one));
    CHECK(draw(src, other) == result.back());
  }
  Ranks sorted = result, all(graph.nodes);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  CHECK(sorted == all);
  return result;
}

// How often each node is drawn.
std::vector<unsigned> hits_of(const std::string& traffic, const Ranks& dims, std::uint32_t src,
                              unsigned draws) {
  const Config config = config_of(traffic, dims);
  const Graph graph = build_graph(config);
  const DrawDestination draw = find_traffic(config).build(config, graph);
  RandomStream random(src);
  std::vector<unsigned> hits(graph.nodes);
  for (unsigned i = 0; i < draws; ++i) ++hits.at(draw(src, random));
  return hits;
}

std::string refused(const std::string& traffic, const Ranks& dims) {
  try {
    const Config config = config_of(traffic, dims);
    find_traffic(config).build(config, build_graph(config));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("permutations, written out") {
  CHECK(all_of("bit_complement", {4, 2}) == Ranks{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(all_of("bit_complement", {3, 2}) == Ranks{5, 4, 3, 2, 1, 0});
  CHECK(all_of("bit_reversal", {4, 2}) == Ranks{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(all_of("shuffle", {4, 2}) == Ranks{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(all_of("transpose", {3, 3}) == Ranks{0, 3, 6, 1, 4, 7, 2, 5, 8});
  CHECK(all_of("transpose", {8, 2}) == Ranks{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  CHECK(all_of("neighbour", {3, 2}) == Ranks{4, 5, 3, 1, 2, 0});
  CHECK(all_of("tornado", {5}) == Ranks{2, 3, 4, 0, 1});
  CHECK(all_of("tornado", {4, 3}) == Ranks{5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0});
}

TEST_CASE("partition4: every other node of the own quarter equally often") {
  for (const std::uint32_t src : {0u, 6u, 15u}) {
    const auto hits = hits_of("partition4", {4, 4}, src, 30'000);
    for (std::uint32_t n = 0; n < 16; ++n) {
      const bool wanted = n / 4 == src / 4 && n != src;
      CHECK(std::abs(hits[n] - (wanted ? 10'000.0 : 0.0)) <= (wanted ? 500 : 0));
    }
  }
}

TEST_CASE("hotspot: one packet in twenty goes to the middle, besides its share of the others") {
  for (const std::uint32_t src : {0u, 12u, 24u}) {
    const auto hits = hits_of("hotspot", {5, 5}, src, 240'000);
    for (std::uint32_t n = 0; n < 25; ++n) {
      const double mean = (n == 12 ? 12'000.0 : 0.0) + (n == src ? 0.0 : 9'500.0);
      CHECK(std::abs(hits[n] - mean) <= 5 * std::sqrt(mean));
    }
  }
}

TEST_CASE("patterns say what networks they are for") {
  for (const char* traffic : {"bit_reversal", "shuffle"}) {
    CHECK(refused(traffic, {4, 4}) == "");
    CHECK(refused(traffic, {4, 3}).find("accepted: on networks of 2, 4, 8, ... nodes; this one") !=
          std::string::npos);
  }
  CHECK(refused("transpose", {4, 3}).find("accepted: on networks of 4, 9, 16") !=
        std::string::npos);
  CHECK(refused("partition4", {4}).find("accepted: on networks of 8, 12, 16") != std::string::npos);
  CHECK(refused("partition4", {5, 2}).find("accepted") != std::string::npos);
}

TEST_CASE("all patterns run and deliver what they send") {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    CAPTURE(pattern.name);
    const Config config = config_of(pattern.name, {4, 4});
    const Result result = run(config, build_graph(config), {});
    CHECK(result.verified());
    REQUIRE(result.traffic.has_value());
    CHECK(result.traffic->arrived == result.traffic->packets);
    CHECK(result.traffic->packets > 0);
  }
}
