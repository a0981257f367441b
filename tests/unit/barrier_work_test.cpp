// The check of a barrier by times, the work before it, and its bound.
#include "sim/workload/barrier_work.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/collective_bound.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

Config barrier_of(const nlohmann::json& topology, std::uint64_t seed) {
  return parse_config({{"topology", topology},
                       {"seed", seed},
                       {"workload", {{"collective", "barrier"}, {"spread", 50}}}},
                      "test");
}

}  // namespace

TEST_CASE("work before a barrier: one node has all of it, in some run each") {
  std::set<std::uint32_t> last;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Config config = barrier_of({{"kind", "full_crossbar"}, {"pes", 7}}, seed);
    const Graph graph = build_graph(config);
    const BarrierWork work(config, graph);
    std::uint32_t with_all = 0;
    for (std::uint32_t n = 0; n < 7; ++n) {
      CHECK(work.work_cycles(n) <= 50);
      if (work.work_cycles(n) != 50) continue;
      ++with_all;
      last.insert(n);
    }
    CHECK(with_all == 1);
  }
  CHECK(last.size() == 7);
}

TEST_CASE("a barrier is wrong if a node leaves too early, or takes part before its work is done") {
  const Config config = barrier_of({{"kind", "full_crossbar"}, {"pes", 5}}, 1);
  const Graph graph = build_graph(config);
  const BarrierWork work(config, graph);
  std::uint32_t last = 0;
  std::vector<BarrierNode> nodes(5);
  for (std::uint32_t n = 0; n < 5; ++n) {
    const std::uint64_t start = 1000 + n;
    nodes[n] = {start, start + work.work_cycles(n), 1100};
    if (nodes[n].first_act > nodes[last].first_act) last = n;
  }
  CHECK(work.wrong_with(nodes).empty());
  const std::uint32_t other = last == 0 ? 1 : 0;
  const std::uint64_t entered = *nodes[last].first_act;
  nodes[other].end = entered;
  CHECK(work.wrong_with(nodes).empty());
  nodes[other].end = entered - 1;
  CHECK(work.wrong_with(nodes) ==
        std::vector<std::string>{fmt::format("node {} left in cycle {}, before node {} could enter "
                                             "in {}",
                                             other, entered - 1, last, entered)});
  nodes[other].end = 1100;
  --*nodes[last].first_act;
  CHECK(work.wrong_with(nodes) ==
        std::vector<std::string>{fmt::format("node {} took part in cycle {}, before its work was "
                                             "done in {}",
                                             last, entered - 1, entered)});
  // A node needs no message of its own to be waited for.
  nodes[last].first_act.reset();
  CHECK(work.wrong_with(nodes).empty());
}

TEST_CASE("bound of a barrier: the way from the node that enters last to the farthest") {
  const auto bound = [](const nlohmann::json& topology, const std::vector<std::uint64_t>& entries,
                        const std::vector<unsigned>& depths) {
    return barrier_bound(build_graph(barrier_of(topology, 1)), entries, depths).cycles;
  };
  const nlohmann::json line = {{"kind", "mesh"}, {"dims", {5}}};
  // From a post to the count of the message 8 cycles, and 1 for each router.
  CHECK(bound(line, {0, 0, 0, 0, 0}, {}) == 8 + 5);
  CHECK(bound(line, {90, 0, 0, 0, 0}, {}) == 90 + 8 + 5);
  CHECK(bound(line, {0, 0, 90, 0, 0}, {}) == 90 + 8 + 3);
  CHECK(bound(line, {89, 0, 90, 0, 0}, {}) == 89 + 8 + 5);
  // By the tree: 2 cycles, and 1 for each link up and down.
  CHECK(bound(line, {0, 0, 0, 0, 90}, {2, 1, 0, 1, 2}) == 90 + 2 + 2 + 2);
  CHECK(bound(line, {0, 0, 90, 0, 0}, {2, 1, 0, 1, 2}) == 90 + 2 + 0 + 2);
  // The quicker of both.
  CHECK(bound(line, {90, 0, 0, 0, 0}, {40, 1, 1, 2, 2}) == 90 + 8 + 5);
  // No wire is shorter than the links beside it.
  CHECK(bound(line, {90, 0, 0, 0, 0}, {0, 1, 1, 2, 2}) == 90 + 2 + 4);
}
