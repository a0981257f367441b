// Where the patterns of synthetic traffic send, against tables and counts of another making.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;
using RankList = std::vector<std::uint32_t>;

// `keys`: those of the pattern.
Config config_of(const std::string& traffic, const RankList& dims,
                 const json& keys = json::object()) {
  json document = {{"topology", {{"kind", "torus"}, {"dims", dims}}},
                   {"workload",
                    {{"traffic", traffic},
                     {"rate", 0.05},
                     {"packet_flits", 4},
                     {"warmup", 100},
                     {"measure", 1000}}}};
  document["workload"].update(keys);
  return parse_config(document, "test");
}

// Destinations of all nodes, drawn twice from different streams: those of a permutation agree.
RankList all_of(const std::string& traffic, const RankList& dims) {
  const Config config = config_of(traffic, dims);
  const Graph graph = build_graph(config);
  const auto draw = std::get<DrawDestination>(find_traffic(config).build(config, graph));
  RankList result;
  RandomStream one(1), other(2);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    result.push_back(draw(src, one));
    CHECK(draw(src, other) == result.back());
  }
  RankList sorted = result, all(graph.nodes);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  CHECK(sorted == all);
  return result;
}

// How often each node is drawn.
std::vector<unsigned> hits_of(const std::string& traffic, const RankList& dims, std::uint32_t src,
                              unsigned draws, const json& keys = json::object()) {
  const Config config = config_of(traffic, dims, keys);
  const Graph graph = build_graph(config);
  const auto draw = std::get<DrawDestination>(find_traffic(config).build(config, graph));
  RandomStream random(src);
  std::vector<unsigned> hits(graph.nodes);
  for (unsigned i = 0; i < draws; ++i) ++hits.at(draw(src, random));
  return hits;
}

std::string refused(const std::string& traffic, const RankList& dims,
                    const json& keys = json::object()) {
  try {
    const Config config = config_of(traffic, dims, keys);
    find_traffic(config).build(config, build_graph(config));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("permutations, written out") {
  CHECK(all_of("bit_complement", {4, 2}) == RankList{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(all_of("bit_complement", {3, 2}) == RankList{5, 4, 3, 2, 1, 0});
  CHECK(all_of("bit_reversal", {4, 2}) == RankList{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(all_of("shuffle", {4, 2}) == RankList{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(all_of("transpose", {3, 3}) == RankList{0, 3, 6, 1, 4, 7, 2, 5, 8});
  CHECK(all_of("transpose", {8, 2}) ==
        RankList{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  CHECK(all_of("neighbour", {3, 2}) == RankList{4, 5, 3, 1, 2, 0});
  CHECK(all_of("tornado", {5}) == RankList{2, 3, 4, 0, 1});
  CHECK(all_of("tornado", {4, 3}) == RankList{5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0});
}

TEST_CASE("next_group: the nodes of the next group equally often, of the last group the first") {
  for (const std::uint32_t src : {0u, 7u, 8u, 11u}) {
    const auto hits = hits_of("next_group", {4, 3}, src, 16'000);
    for (std::uint32_t n = 0; n < 12; ++n) {
      const bool next = n / 4 == (src / 4 + 1) % 3;
      CHECK(hits[n] <= (next ? 4300u : 0u));
      CHECK(hits[n] >= (next ? 3700u : 0u));
    }
  }
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

TEST_CASE("hotspot: another share, another node") {
  const json keys = {{"share", 0.5}, {"node", 3}};
  const auto hits = hits_of("hotspot", {5, 5}, 7, 48'000, keys);
  for (std::uint32_t n = 0; n < 25; ++n) {
    const double mean = (n == 3 ? 24'000.0 : 0.0) + (n == 7 ? 0.0 : 1'000.0);
    CHECK(std::abs(hits[n] - mean) <= 5 * std::sqrt(mean));
  }
  CHECK(hits_of("hotspot", {5, 5}, 7, 1000, {{"share", 1}, {"node", 7}})[7] == 1000);
}

TEST_CASE("localized: as the exponential distribution between the halves says") {
  // Chance of each length by the distribution function, of each destination by counting all.
  const auto chances = [](const RankList& dims, std::uint32_t src, double fraction) {
    std::vector<double> chance = {1};
    std::uint32_t rest = src;
    for (const std::uint32_t size : dims) {
      const auto own = static_cast<std::int64_t>(rest % size);
      rest /= size;
      const double mean = fraction * (size - 1);
      const auto below = [&](double x) {
        return x <= 0 || mean == 0 ? 0 : 1 - std::exp(-x / mean);
      };
      std::vector<double> line;
      for (std::int64_t x = 0; x < size; ++x) {
        const auto length = static_cast<double>(std::abs(x - own));
        const double both = below(length + 0.5) - below(length - 0.5);
        line.push_back(size == 1 ? 1 : length == 0 ? both : both / 2);
      }
      const double sum = std::accumulate(line.begin(), line.end(), 0.0);
      std::vector<double> next;
      for (const double x : line) {
        for (const double c : chance) next.push_back(c * x / sum);
      }
      // The faster coordinate is the inner one.
      chance = next;
    }
    chance[src] = 0;
    const double sum = std::accumulate(chance.begin(), chance.end(), 0.0);
    for (double& c : chance) c /= sum;
    return chance;
  };
  constexpr unsigned kDraws = 200'000;
  const auto compare = [&](const RankList& dims, std::uint32_t src, double fraction) {
    CAPTURE(src);
    CAPTURE(fraction);
    const auto hits = hits_of("localized", dims, src, kDraws, {{"mean", fraction}});
    const auto wanted = chances(dims, src, fraction);
    REQUIRE(wanted.size() == hits.size());
    for (std::size_t n = 0; n < hits.size(); ++n) {
      const double mean = kDraws * wanted[n];
      CHECK(std::abs(hits[n] - mean) <= 5 * std::sqrt(mean) + 1e-9);
    }
  };
  compare({8, 4}, 0, 0.5);
  compare({8, 4}, 19, 0.5);
  compare({8, 4}, 31, 0.1);
  compare({3, 1, 5}, 7, 1);
  compare({33}, 16, 0.25);
  // Without the key it is half of the largest value.
  CHECK(hits_of("localized", {8, 4}, 5, 1000) ==
        hits_of("localized", {8, 4}, 5, 1000, {{"mean", 0.5}}));
}

TEST_CASE("mesh_emulation: partners are the neighbours on a mesh of the ranks, row by row") {
  const auto partners = [](const RankList& dims, const json& keys) {
    const Config config = config_of("mesh_emulation", dims, keys);
    const Graph graph = build_graph(config);
    const auto rounds = std::get<TrafficRounds>(find_traffic(config).build(config, graph));
    std::vector<std::vector<std::uint32_t>> lists;
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      const auto own = rounds.partners.of(n);
      lists.emplace_back(own.begin(), own.end());
      std::sort(lists.back().begin(), lists.back().end());
    }
    return lists;
  };
  using Lists = std::vector<std::vector<std::uint32_t>>;
  const Lists three_by_two = {{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}};
  CHECK(partners({6}, json::object()) == three_by_two);
  CHECK(partners({2, 3}, {{"dims", {3, 2}}}) == three_by_two);
  CHECK(partners({6}, {{"dims", {2, 3}}}) ==
        Lists{{1, 2}, {0, 3}, {0, 3, 4}, {1, 2, 5}, {2, 5}, {3, 4}});
  CHECK(partners({5}, {{"dims", "square"}}) == Lists{{1}, {0, 2}, {1, 3}, {2, 4}, {3}});
  CHECK(partners({3, 3}, json::object())[4] == std::vector<std::uint32_t>{1, 3, 5, 7});
  // 1,024 nodes: 32 x 32.
  CHECK(partners({8, 8, 16}, json::object())[33] == std::vector<std::uint32_t>{1, 32, 34, 65});
}

TEST_CASE("keys of a pattern: resolved with their defaults, refused where it has none") {
  const auto resolved = [](const char* traffic, const json& keys) {
    const Config config = config_of(traffic, {4, 4}, keys);
    CHECK(to_json(parse_config(to_json(config), "again")) == to_json(config));
    return to_json(config).at("workload");
  };
  const json hotspot = resolved("hotspot", json::object());
  CHECK(hotspot.at("share") == 0.05);
  CHECK(hotspot.at("node") == "middle");
  CHECK(resolved("hotspot", {{"node", 5}}).at("node") == 5);
  CHECK(resolved("localized", json::object()).at("mean") == 0.5);
  CHECK(resolved("mesh_emulation", {{"dims", {8, 2}}}).at("dims") == json{8, 2});
  CHECK(resolved("uniform", json::object()).size() == 9);
  const auto says = [](const std::string& message, const char* text) {
    CHECK_MESSAGE(message.find(text) != std::string::npos, message);
  };
  says(refused("uniform", {4, 4}, {{"share", 0.1}}),
       "test: /workload/share: unknown key, value 0.1: expected: the keys traffic, rate");
  says(refused("hotspot", {4, 4}, {{"mean", 0.1}}), "/workload/mean: unknown key, value 0.1");
  says(refused("hotspot", {4, 4}, {{"share", 0}}),
       "/workload/share: value 0: expected: a number above 0 and up to 1");
  says(refused("hotspot", {4, 4}, {{"node", 16}}),
       "/workload/node: value 16: expected: \"middle\", or a rank from 0 to 15");
  says(refused("hotspot", {4, 4}, {{"node", "last"}}),
       "/workload/node: value \"last\": expected: \"middle\", or 0 to 1048575");
  says(refused("localized", {4, 4}, {{"mean", 1.5}}), "/workload/mean: value 1.5: expected: a num");
  says(refused("localized", {5, 2}, {{"mean", 0.05}}),
       "/workload/mean: value 0.05: expected: 0.0625 to 1 on this network, whose largest coordin");
  says(refused("mesh_emulation", {4, 4}, {{"dims", {4, 5}}}),
       "/workload/dims: value [4,5]: expected: \"square\", or two sizes that make 16 nodes");
  says(refused("mesh_emulation", {4, 4}, {{"dims", 16}}),
       "/workload/dims: value 16: expected: \"square\", or a list of 2 numbers, each 1 to 1048575");
}

TEST_CASE("patterns name the networks that they need") {
  for (const char* traffic : {"bit_reversal", "shuffle"}) {
    CHECK(refused(traffic, {4, 4}) == "");
    CHECK(refused(traffic, {4, 3}).find("expected: on networks of 2, 4, 8, ... nodes; this one") !=
          std::string::npos);
  }
  CHECK(refused("transpose", {4, 3}).find("expected: on networks of 4, 9, 16") !=
        std::string::npos);
  CHECK(refused("partition4", {4}).find("expected: on networks of 8, 12, 16") != std::string::npos);
  CHECK(refused("partition4", {5, 2}).find("expected") != std::string::npos);
}

TEST_CASE("all patterns run and deliver what they send") {
  for (const TrafficPattern& pattern : traffic_patterns()) {
    if (pattern.longest_packet) continue;  // This pattern needs a list of packets.
    CAPTURE(pattern.name);
    const Config config = config_of(pattern.name, {4, 4});
    const Result result = run(config, build_graph(config), {});
    CHECK(result.verified());
    REQUIRE(result.traffic.has_value());
    CHECK(result.traffic->arrived == result.traffic->packets);
    CHECK(result.traffic->packets > 0);
  }
}
