// Barriers in the result of a run, by either kind, against times that are known.
#include "sim/fabric/barrier_times.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

Result run_with(const std::string& barrier, const std::string& processor) {
  const json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
                         {"processor", processor},
                         {"barrier", barrier},
                         {"workload", {{"collective", "hop_group"}, {"message_flits", 4}}}};
  const Config config = parse_config(document, "test");
  RunOptions options;
  options.losses = true;
  return run(config, build_graph(config), options);
}

TEST_CASE("two nodes, three barriers, the last of which one node does not leave") {
  BarrierTimes times(2);
  CHECK(times.sums(NodeSet(0, 2)).result().count == 0);
  CHECK(times.sums(NodeSet(0, 2)).result().latency == 0);
  times.enter(0, 10);
  CHECK(times.inside(0));
  CHECK_FALSE(times.inside(1));
  times.enter(1, 14);
  times.leave(0, 20);
  times.leave(1, 21);
  times.enter(1, 30);
  times.enter(0, 33);
  times.leave(0, 38);
  times.leave(1, 38);
  CHECK(times.sums(NodeSet(0, 2)).result().count == 2);
  CHECK(times.sums(NodeSet(0, 2)).result().latency == 5);  // 33 to 38
  CHECK(times.sums(NodeSet(0, 2)).result().mean_wait == (10 + 7 + 8 + 5) / 4.0);
  times.enter(0, 50);
  times.enter(1, 50);
  times.leave(1, 60);
  CHECK(times.sums(NodeSet(0, 2)).result().count == 2);
  CHECK(times.sums(NodeSet(0, 2)).result().mean_wait ==
        (7 + 8 + 10) / 3.0);  // Of node 1, which waits for nothing.
}

TEST_CASE("barriers by messages are counted and timed as those of barrier units are") {
  for (const std::string processor : {"native", "rv32"}) {
    CAPTURE(processor);
    const Result units = run_with("hardware", processor);
    const Result messages = run_with("software", processor);
    REQUIRE(units.barriers.has_value());
    REQUIRE(messages.barriers.has_value());
    CHECK(units.barriers->count == 2 * 2);  // 2 rounds of 2 steps
    CHECK(messages.barriers->count == units.barriers->count);
    // A barrier by messages of 12 nodes takes three rounds, each at least a message's way: out of
    // one NIC, through a router and into the other.
    CHECK(messages.barriers->latency >= 3 * 3);
    CHECK(messages.barriers->latency > units.barriers->latency);
    for (const bool hardware : {true, false}) {
      const Result& result = hardware ? units : messages;
      CHECK(result.barriers->mean_wait >= result.barriers->latency);
      const auto waits = static_cast<double>(result.losses->causes[LossSums::kBarrier]);
      CHECK(waits > 0);
      // No more than all links of all nodes over all waits. The end of a barrier by messages
      // shows only when the driver does something else.
      const double until_next = hardware ? 0 : 50;
      CHECK(waits <= static_cast<double>(result.losses->links * result.barriers->count) *
                         (result.barriers->mean_wait + until_next));
    }
    // From a cycle after a node has entered to the release no node has anything left to send.
    CHECK(static_cast<double>(units.losses->causes[LossSums::kBarrier]) ==
          doctest::Approx(48 * 4 * (units.barriers->mean_wait - 1)));
  }
  const json a2a = {{"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
                    {"processor", "native"},
                    {"workload", {{"collective", "a2a"}, {"message_flits", 4}}}};
  const Config config = parse_config(a2a, "test");
  CHECK_FALSE(run(config, build_graph(config), {}).barriers.has_value());
}

}  // namespace
}  // namespace weft
