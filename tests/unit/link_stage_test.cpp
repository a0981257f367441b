// Links with registers: the model against a queue of what entered; which links of a network have
// how many; the least cycles between nodes against a search over all ways.
#include "sim/link/link_stage.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "sim/analysis/latency.hpp"
#include "sim/base/random.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

using namespace weft;

namespace {

Graph graph_of(const nlohmann::json& topology, const nlohmann::json& stages) {
  const nlohmann::json document = {{"topology", topology}, {"link", {{"stages", stages}}}};
  const Config config = parse_config(document, Source("test"), full_registry());
  return build_graph(config);
}

// Registers by the names of the blocks at the ends.
std::vector<unsigned> stages_between(const Graph& graph, const std::string& a,
                                     const std::string& b) {
  std::vector<unsigned> found;
  for (const Link& link : graph.links) {
    if (link.src_block == kOpen) continue;
    if (graph.blocks[link.src_block].name == a && graph.blocks[link.dst_block].name == b) {
      found.push_back(link.stages);
    }
  }
  return found;
}

std::string refusal(const nlohmann::json& topology, const nlohmann::json& stages) {
  try {
    graph_of(topology, stages);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what enters a link leaves it after its stages, both ways") {
  RandomStream random(3);
  for (const LinkStage::Config config : {LinkStage::Config{1, false, 1},
                                         {2, true, 64},
                                         {5, false, 65},
                                         {255, true, 130},
                                         {4, true, 2, 64, 24, 70}}) {
    CAPTURE(config.stages);
    LinkStage link(config);
    const unsigned words = LinkStage::words(config);
    std::deque<Flit> flits(config.stages);
    std::deque<std::uint32_t> checks(config.stages);
    std::deque<std::vector<std::uint64_t>> backs(config.stages, std::vector<std::uint64_t>(words));
    for (unsigned cycle = 0; cycle < 5 * config.stages + 100; ++cycle) {
      std::vector<std::uint64_t> back(words);
      Flit flit;
      std::uint32_t check = 0;
      if (cycle < 3 * config.stages + 50 && random.chance(0.5)) {
        flit = {.data = random(), .last = random.chance(0.5), .parity = false, .valid = true};
        back.back() = random.chance(0.5) ? 1 : 0;
        if (config.checked()) {
          // Words without a flit, too: of the check alone, of the other fields alone.
          flit.valid = random.chance(0.5);
          if (random.chance(0.5)) flit = {};
          check = static_cast<std::uint32_t>(random() & low_mask(config.check_w));
          if (random.chance(0.5)) check = 0;
        }
      }
      const bool silent =
          std::all_of(flits.begin(), flits.end(), [](auto& f) { return f == Flit{}; }) &&
          std::all_of(checks.begin(), checks.end(), [](auto c) { return c == 0; });
      const bool none = std::all_of(backs.begin(), backs.end(), [](auto& b) {
        return std::accumulate(b.begin(), b.end(), std::uint64_t{0}) == 0;
      });
      // The link may say late that nothing is in it, never early.
      if (link.quiet()) CHECK((silent && none));
      CHECK(link.out().tx == flits.front());
      CHECK(link.out().check == checks.front());
      for (unsigned w = 0; w < words; ++w) CHECK(link.out().back[w] == backs.front()[w]);
      link.step({flit, back.data(), check});
      checks.pop_front();
      checks.push_back(check);
      flits.pop_front();
      flits.push_back(flit);
      backs.pop_front();
      backs.push_back(back);
    }
    CHECK(link.quiet());
  }
  CHECK_THROWS_AS(LinkStage({0, false, 1}), ConfigError);
  CHECK_THROWS_AS(LinkStage({256, false, 1}), ConfigError);
  CHECK_THROWS_AS(LinkStage({1, false, 1, 64, 0}), ConfigError);
  CHECK_THROWS_AS(LinkStage({1, false, 1, 64, 33}), ConfigError);
}

TEST_CASE("links have the registers of their class") {
  const Graph torus = graph_of({{"kind", "torus"}, {"dims", {3, 4}}}, {2, 5});
  CHECK(stages_between(torus, "r_0", "r_1") == std::vector<unsigned>{2});
  CHECK(stages_between(torus, "r_0", "r_3") == std::vector<unsigned>{5});
  CHECK(stages_between(torus, "r_9", "r_0") == std::vector<unsigned>{5});
  CHECK(stages_between(torus, "nic_0", "r_0").front() == 0);
  CHECK(torus.full_rate_depth() == 12);

  const nlohmann::json boards = {
      {"kind", "board"}, {"dims", {2, 2, 1, 1}}, {"mains", 2}, {"aggregators", 1}};
  const Graph board = graph_of(boards, {1, 7, 3, 0, 0});
  CHECK(stages_between(board, "r_0", "r_2") == std::vector<unsigned>{1});     // on the board
  CHECK(stages_between(board, "r_2", "r_5") == std::vector<unsigned>{7, 7});  // W: aggregators
  CHECK(stages_between(board, "r_0", "r_6") == std::vector<unsigned>{3, 3});  // X: mains

  const Graph tree = graph_of({{"kind", "fat_tree"}, {"levels", 3}}, {4, 9});
  CHECK(stages_between(tree, "s_0_1_0", "s_0_2_0") == std::vector<unsigned>{4});
  CHECK(stages_between(tree, "s_0_3_0", "s_0_2_0") == std::vector<unsigned>{9});

  const Graph mdce = graph_of({{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 0}}, {2, 6});
  for (const Link& link : mdce.links) {
    if (!mdce.between_switches(link)) continue;
    const bool ring = (link.src_block - mdce.nodes) / 3 == (link.dst_block - mdce.nodes) / 3;
    CHECK(link.stages == (ring ? 2 : 6));
  }
}

TEST_CASE("registers that no link has are refused") {
  CHECK(refusal({{"kind", "torus"}, {"dims", {3, 4}}}, {1, 2, 3})
            .find("/link/stages: value [1,2,3]: expected: one number, or a list of 2, one for each "
                  "class "
                  "of links: dimension 0, dimension 1") != std::string::npos);
  CHECK(refusal({{"kind", "torus"}, {"dims", {3, 4}}}, nlohmann::json::array({1}))
            .find("/link/stages: value [1]: expected: one number, or a list of 2") !=
        std::string::npos);
  CHECK(refusal({{"kind", "torus"}, {"dims", {3}}}, nlohmann::json::array({1})) == "accepted");
  CHECK(refusal({{"kind", "torus"}, {"dims", {3, 1}}}, {1, 2})
            .find("expected: 0 for dimension 1: the network has no such links") !=
        std::string::npos);
  CHECK(refusal({{"kind", "fat_tree"}, {"levels", 1}}, 4)
            .find("expected: 0: the network has no links between routers") != std::string::npos);
  CHECK(refusal({{"kind", "torus"}, {"dims", {3, 4}}}, -1).find("/link/stages: value -1") !=
        std::string::npos);
  CHECK(refusal({{"kind", "torus"}, {"dims", {3, 4}}}, 10'000'000)
            .find("/link/stages: value 10000000: expected: 0 to 255, or a list") !=
        std::string::npos);
}

TEST_CASE("least cycles are those of the quickest way, not of the shortest") {
  // A ring of 5 whose registers are set by hand: two hops one way take longer than three the other.
  Graph graph = graph_of({{"kind", "torus"}, {"dims", {5}}}, 1);
  RandomStream random(8);
  for (unsigned round = 0; round < 20; ++round) {
    for (Link& link : graph.links) {
      if (graph.between_switches(link)) link.stages = static_cast<std::uint16_t>(random.below(9));
    }
    const auto up = [&](std::uint32_t r) {
      return stages_between(graph, "r_" + std::to_string(r % 5), "r_" + std::to_string((r + 1) % 5))
          .front();
    };
    const auto down = [&](std::uint32_t r) {
      return stages_between(graph, "r_" + std::to_string((r + 1) % 5), "r_" + std::to_string(r % 5))
          .front();
    };
    for (std::uint32_t src = 0; src < 5; ++src) {
      const auto there = least_ways(graph, src, false).cycles;
      const auto back = least_ways(graph, src, true).cycles;
      for (std::uint32_t far = 1; far < 5; ++far) {
        std::uint64_t right = far + 1, left = 5 - far + 1, right_back = right, left_back = left;
        for (std::uint32_t i = 0; i < far; ++i) {
          right += up(src + i);
          right_back += down(src + i);
        }
        for (std::uint32_t i = far; i < 5; ++i) {
          left += down(src + i);
          left_back += up(src + i);
        }
        CHECK(there[(src + far) % 5] == std::min(right, left));
        CHECK(back[(src + far) % 5] == std::min(right_back, left_back));
      }
    }
  }
}
