// Networks under load: whether packets that one send controller sends to one destination arrive in
// the order of sending, as `Graph::keeps_order` says.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// Packets of random lengths from every node to two others.
Config loaded(const json& topology, const json& router) {
  json document = {
      {"topology", topology},
      {"router", router},
      {"nic", {{"controllers", 1}, {"in_order", true}, {"packet_flits", 8}}},
      {"workload", {{"transfers", json::array({{{"from", 0}, {"to", 1}, {"flits", 1}}})}}}};
  const std::uint32_t nodes = build_graph(parse_config(document, "test")).nodes;
  RandomStream random(7);
  json transfers = json::array();
  for (std::uint32_t from = 0; from < nodes; ++from) {
    const auto other = [&] { return (from + 1 + random.below(nodes - 1)) % nodes; };
    const std::uint64_t to[] = {other(), other()};
    for (unsigned packet = 0; packet < 40; ++packet) {
      const std::uint64_t flits = 1 + random.below(8);
      transfers.push_back({{"from", from}, {"to", to[random.below(2)]}, {"flits", flits}});
    }
  }
  document["workload"]["transfers"] = transfers;
  return parse_config(document, "test");
}

// Packets that arrived before one that the same node had sent to the same destination earlier.
unsigned overtaken(const Result& result) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last;
  unsigned count = 0;
  for (const TransferResult& t : result.transfers) {
    REQUIRE(t.end.has_value());
    std::uint64_t& end = last[{t.from, t.to}];
    count += *t.end < end ? 1 : 0;
    end = std::max(end, *t.end);
  }
  return count;
}

}  // namespace

TEST_CASE(
    "packets of one controller to one destination arrive in order where the network keeps it") {
  const json torus = {{"kind", "torus"}, {"dims", {4, 3}}},
             boards = {{"kind", "board"}, {"dims", {3, 1, 2, 4}}, {"mains", 3}, {"aggregators", 2}};
  const auto check = [](const json& topology, const json& router, bool keeps) {
    CAPTURE(topology.dump());
    CAPTURE(router.dump());
    const Config config = loaded(topology, router);
    const Graph graph = build_graph(config);
    CHECK(graph.keeps_order() == keeps);
    const Result result = run(config, graph, {});
    CHECK(result.verified());
    // Some packets overtake others wherever they can: the load is enough.
    CHECK((overtaken(result) == 0) == keeps);
  };
  check(torus, {{"vcs", 2}}, true);
  check(torus, {{"vcs", 4}}, false);
  check(torus, {{"vcs", 2}, {"dateline", "balanced"}}, false);
  check(torus, {{"vcs", 2}, {"dateline", "crossing"}}, true);
  check(boards, {{"vcs", 2}}, true);
  check(boards, {{"vcs", 2}, {"hold", "flit"}, {"arbiter", "age"}}, true);
  check(boards, {{"vcs", 3}}, false);
  check(boards, {{"vcs", 4}}, false);
}

}  // namespace weft
