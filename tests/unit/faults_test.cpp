// Faults on wires: which links they name, how often and where random ones strike, how long single
// ones last. What they do to a run is in tests/e2e/cli_faults.sh.
#include "sim/engine/faults.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/topology/fault_links.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// Links whose words do not depend on the faults of other cycles, and what faults have changed.
class ListedLinks final : public FaultyLinks {
 public:
  explicit ListedLinks(bool busy) : busy_(busy) {}

  void begin_faults() override { ends_.clear(); }
  Faulty faulty(std::uint32_t link) override {
    const auto [found, is_new] = ends_.try_emplace(link);
    Ends& ends = found->second;
    if (is_new) {
      ends.word.flit.valid = busy_;
      ends.word.flit.data = 0x0123456789abcdefu + cycle;
      ends.before = ends.word;
      ends.back.assign(2, 0);
    }
    return {ends.word, ends.back};
  }
  void end_faults() override {
    for (const auto& [link, ends] : ends_) note(link, ends);
  }

  std::uint64_t cycle = 0, changed = 0, backs = 0;
  std::map<int, unsigned> data;                             // By bit of the data: changes.
  std::map<std::uint32_t, std::set<std::uint64_t>> cycles;  // By link: when it was changed.

 private:
  struct Ends {
    LinkWord word, before;
    std::vector<std::uint64_t> back;
  };
  void note(std::uint32_t link, const Ends& ends) {
    const Flit &now = ends.word.flit, &was = ends.before.flit;
    unsigned bits = static_cast<unsigned>(
        std::popcount(now.data ^ was.data) + (now.last != was.last) + (now.valid != was.valid) +
        (now.parity != was.parity) + std::popcount(static_cast<unsigned>(now.vc ^ was.vc)) +
        std::popcount(static_cast<unsigned>(now.stamp ^ was.stamp)) + std::popcount(ends.back[0]) +
        std::popcount(ends.back[1]));
    if (bits == 0) return;
    changed += bits;
    if (now.data != was.data) ++data[std::countr_zero(now.data ^ was.data)];
    backs += static_cast<unsigned>(std::popcount(ends.back[0]));
    cycles[link].insert(cycle);
  }

  bool busy_;
  std::map<std::uint32_t, Ends> ends_;
};

// Protected links whose words have right check codes until a fault strikes.
class SealedLinks final : public FaultyLinks {
 public:
  explicit SealedLinks(const Graph& graph) : graph_(graph), random_(1) {}

  void begin_faults() override { ends_.clear(); }
  Faulty faulty(std::uint32_t link) override {
    const auto [found, is_new] = ends_.try_emplace(link);
    if (is_new) seal(link, found->second);
    return {found->second.word, found->second.back};
  }
  void end_faults() override {}

 private:
  struct Ends {
    LinkWord word;
    std::vector<std::uint64_t> back;
  };
  void seal(std::uint32_t link, Ends& ends) {
    ends.word.flit.valid = true;
    ends.word.flit.data = random_();
    const LinkChain chain = link_chain(graph_, link, true);
    const auto form = [&](const auto& block) {
      using Form = std::decay_t<decltype(block.config)>;
      if constexpr (std::is_base_of_v<LinkForm, Form> || std::is_base_of_v<GuardForm, Form>) {
        const Form& c = block.config;
        ends.word.check = c.check_of(ends.word.flit, random_.below(2));
        ends.back.assign(c.back().words(), 0);
        c.back().seal(ends.back.data());
      }
    };
    std::visit(form, chain.blocks[chain.wire - 1]);
  }

  const Graph& graph_;
  RandomStream random_;
  std::map<std::uint32_t, Ends> ends_;
};

Config faulty_config(const json& faults, const json& link = json::object()) {
  return parse_config(
      {{"topology", {{"kind", "torus"}, {"dims", {5}}}}, {"link", link}, {"faults", faults}},
      "test");
}

// The cycles in which a single fault on one link changes something.
std::set<std::uint64_t> struck_cycles(const json& fault, bool busy) {
  const Config config = faulty_config(json::array({fault}));
  const Graph graph = build_graph(config);
  check_faults(config, graph);
  FaultInjector injector(config, graph, owns_all);
  ListedLinks links(busy);
  for (; links.cycle < 100; ++links.cycle) injector.put(links.cycle, links);
  if (links.cycles.empty()) {
    CHECK(injector.counts().struck == 0);
    return {};
  }
  CHECK(injector.counts().struck == 1);
  CHECK(links.cycles.size() == 1);
  CHECK(injector.counts().put == links.cycles.begin()->second.size());
  return links.cycles.begin()->second;
}

TEST_CASE("the links of a fault") {
  const Config config = faulty_config({{{"link", "r_0 out 0"}},
                                       {{"link", "r_0 out 0 -> r_1 in 0"}},
                                       {{"node", 3}},
                                       {{"link", "all"}, {"rate", 0.1}},
                                       {{"link", "interface"}, {"rate", 0.1}},
                                       {{"link", "dimension 0"}, {"rate", 0.1}},
                                       {{"link", "r_0 -> r_1"}},
                                       {{"link", "nic_2 -> r_2"}, {"rate", 0.1}}});
  const Graph graph = build_graph(config);
  CHECK(fault_links(config, graph, 0) == fault_links(config, graph, 1));
  const std::uint32_t link = fault_links(config, graph, 0).front();
  CHECK(graph.link_name(link) == "r_0 out 0 -> r_1 in 0");
  CHECK(fault_links(config, graph, 2) == std::vector<std::uint32_t>{3});
  CHECK(fault_links(config, graph, 3).size() == 20);
  CHECK(fault_links(config, graph, 4).size() == 10);
  CHECK(fault_links(config, graph, 5).size() == 10);
  CHECK(fault_links(config, graph, 6) == std::vector<std::uint32_t>{link});
  REQUIRE(fault_links(config, graph, 7).size() == 1);
  CHECK(graph.link_name(fault_links(config, graph, 7).front()).substr(0, 5) == "nic_2");
  // In a ring of two both links lead to the same neighbour.
  const Config two = parse_config({{"topology", {{"kind", "torus"}, {"dims", {2}}}},
                                   {"faults", {{{"link", "r_0 -> r_1"}, {"rate", 0.1}}}}},
                                  "test");
  CHECK(fault_links(two, build_graph(two), 0).size() == 2);
  const Config single = parse_config(
      {{"topology", {{"kind", "torus"}, {"dims", {2}}}}, {"faults", {{{"link", "r_0 -> r_1"}}}}},
      "test");
  CHECK_THROWS_WITH_AS(build_graph(single),
                       "test: /faults/0/link: value \"r_0 -> r_1\": expected: one link, as \"r_0 "
                       "out 0 -> r_1 in 0\"; several only with rate",
                       ConfigError);
  const Config unknown = faulty_config({{{"link", "dimension 7"}, {"rate", 0.1}}});
  CHECK_THROWS_WITH_AS(build_graph(unknown),
                       doctest::Contains("/faults/0/link: value \"dimension 7\": expected: a link"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(build_graph(unknown),
                       doctest::Contains("or with rate a class of links: \"all\", "
                                         "\"dimension 0\", \"interface\""),
                       ConfigError);
}

TEST_CASE("a single fault begins when it changes something, and lasts") {
  using Cycles = std::set<std::uint64_t>;
  const json link = {{"link", "r_2 out 1"}, {"cycle", 7}};
  const auto with = [&](const json& more) {
    json fault = link;
    fault.update(more);
    return fault;
  };
  CHECK(struck_cycles(with({{"bit", 63}}), true) == Cycles{7});
  CHECK(struck_cycles(with({{"bit", 5}, {"cycles", 3}}), true) == Cycles{7, 8, 9});
  CHECK(struck_cycles(with({{"bit", 5}}), false).empty());
  CHECK(struck_cycles(with({{"field", "valid"}}), false) == Cycles{7});
  CHECK(struck_cycles(with({{"field", "valid"}, {"effect", "clear"}}), false).empty());
  CHECK(struck_cycles(with({{"field", "valid"}, {"effect", "clear"}, {"cycles", 2}}), true) ==
        Cycles{7, 8});
  CHECK(struck_cycles(with({{"field", "credit"}, {"effect", "set"}, {"bit", 1}}), false) ==
        Cycles{7});
  // The lowest two bits of the data count: the lower one is set in cycles 0, 2, 4 ...
  CHECK(struck_cycles(with({{"bit", 0}, {"effect", "set"}, {"cycles", 4}}), true) == Cycles{7, 9});
}

TEST_CASE("a burst is wrong bits within so many wires of one word") {
  const Config config = faulty_config({{{"link", "r_2 out 1"}, {"rate", 0.2}, {"burst", 12}},
                                       {{"link", "r_3 out 0"}, {"rate", 0.2}}});
  const Graph graph = build_graph(config);
  FaultInjector injector(config, graph, owns_all);
  ListedLinks links(true);
  double bits = 0;
  for (; links.cycle < 20000; ++links.cycle) {
    const std::uint64_t before = links.changed;
    injector.put(links.cycle, links);
    bits += static_cast<double>(links.changed - before);
  }
  // Of the data's 64 wires 53 have 11 more above them, the others 10 to 0; half of these are wrong.
  double hits = 0, bursts = 0;
  for (const auto& [link, cycles] : links.cycles) {
    hits += static_cast<double>(cycles.size());
    if (graph.link_name(link).substr(0, 3) == "r_2") bursts = static_cast<double>(cycles.size());
  }
  CHECK(injector.counts().put == hits);
  const double more = bursts * (53 * 11 + 55) / 64 / 2;
  CHECK(std::abs(bits - hits - more) < 5 * std::sqrt(more));
}

TEST_CASE("wrong words that a check accepts have passed, and no others") {
  // CRC finds every burst of up to 16 bits of the data, interleaved parity every one of up to 8.
  const auto passed = [](const char* protection, unsigned burst, const char* field) {
    const Config config =
        faulty_config({{{"link", "all"}, {"field", field}, {"rate", 0.5}, {"burst", burst}}},
                      {{"protection", protection}, {"parity", true}});
    const Graph graph = build_graph(config);
    FaultInjector injector(config, graph, owns_all);
    SealedLinks links(graph);
    for (std::uint64_t cycle = 0; cycle < 20000; ++cycle) injector.put(cycle, links);
    CHECK(injector.counts().put > 100000);
    return static_cast<double>(injector.counts().passed) /
           static_cast<double>(injector.counts().put);
  };
  CHECK(passed("retry", 0, "any") == 0);
  CHECK(passed("retry", 16, "data") == 0);
  CHECK(passed("parity", 8, "data") == 0);
  // In `check` the code is above what it protects: there bursts with bits of both may pass.
  const double across = passed("parity", 8, "check");
  CHECK(across > 0.0005);
  CHECK(across < 0.01);
  // Of wide bursts one in 2^8 and one in 2^16 passes: with 200,000 words at most 5 standard
  // deviations from that.
  const double parity = passed("parity", 65, "data"), crc = passed("retry", 65, "data");
  CHECK(parity > 0.001);
  CHECK(parity < 0.01);
  CHECK(crc < 1.0 / 65536 + 5 * std::sqrt(1.0 / 65536 / 200000));
}

TEST_CASE("a word that a second fault has put right has not passed a check") {
  for (const std::string protection : {"parity", "retry"}) {
    for (const std::string field : {"data", "check", "credit"}) {
      CAPTURE(protection);
      CAPTURE(field);
      const json fault = {{"link", "r_2 out 1"}, {"field", field}, {"bit", 1}, {"cycle", 7}};
      const json other = {{"link", "r_3 out 0"}, {"field", field}, {"bit", 1}, {"cycle", 7}};
      const Config config = faulty_config(json::array({fault, other, fault}),
                                          {{"protection", protection}, {"parity", true}});
      const Graph graph = build_graph(config);
      FaultInjector injector(config, graph, owns_all);
      SealedLinks links(graph);
      for (std::uint64_t cycle = 0; cycle < 10; ++cycle) injector.put(cycle, links);
      CHECK(injector.counts().put == 3);
      CHECK(injector.counts().passed == 0);
    }
  }
}

TEST_CASE("random faults strike as often as they should, in all wires alike, and each link anew") {
  constexpr double kRate = 0.02;
  constexpr std::uint64_t kCycles = 20000;
  const Config config =
      faulty_config({{{"link", "all"}, {"field", "any"}, {"rate", kRate}, {"cycle", 100}}});
  const Graph graph = build_graph(config);
  FaultInjector injector(config, graph, owns_all);
  ListedLinks links(true);
  for (; links.cycle < kCycles; ++links.cycle) injector.put(links.cycle, links);
  CHECK(injector.counts().random == std::vector<std::uint8_t>{1});
  CHECK(injector.counts().put == links.changed);
  // Each link: binomial, within five standard deviations.
  const double mean = kRate * (kCycles - 100), sigma = std::sqrt(mean * (1 - kRate));
  CHECK(links.cycles.size() == 20);
  std::set<std::set<std::uint64_t>> different;
  for (const auto& [link, cycles] : links.cycles) {
    CHECK(std::abs(static_cast<double>(cycles.size()) - mean) < 5 * sigma);
    CHECK(*cycles.begin() >= 100);
    different.insert(cycles);
  }
  CHECK(different.size() == 20);
  // Between routers 64 data bits of 64 + 1 + 1 + 1 + 16 + 2 wires.
  CHECK(links.data.size() == 64);
  const double all = static_cast<double>(links.changed);
  for (const auto& [bit, count] : links.data) {
    CHECK(std::abs(count - all / 85) < 5 * std::sqrt(all / 85));
  }
  CHECK(links.backs > 0);
}

}  // namespace
