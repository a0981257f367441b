// The search for a saturation rate: on queues and networks whose saturation is known by
// calculation.
#include "sim/run/saturation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// A queue that serves a flit each time a counter passes 1, `capacity` of them a cycle; flits come
// with probability `rate`.
TrafficResult queue_run(double rate, double capacity, unsigned number, unsigned cycles) {
  RandomStream random(number + 17);
  std::uint64_t waiting = 0, came = 0, left = 0;
  double service = 0;
  for (unsigned cycle = 0; cycle < 2 * cycles; ++cycle) {
    const bool measured = cycle >= cycles, comes = random.chance(rate);
    waiting += comes;
    if (service < 1) service += capacity;
    const bool leaves = waiting > 0 && service >= 1;
    waiting -= leaves;
    service -= leaves;
    came += measured && comes;
    left += measured && leaves;
  }
  TrafficResult result;
  result.offered_rate = static_cast<double>(came) / cycles;
  result.accepted_rate = static_cast<double>(left) / cycles;
  result.arrived = left;
  result.latency.mean = 1;
  result.saturated = result.accepted_rate < 0.95 * result.offered_rate;
  return result;
}

Config saturable(const json& workload, const json& root = json::object()) {
  json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
                   {"workload", {{"warmup", 6000}, {"measure", 6000}}}};
  document.update(root);
  document["workload"].update(workload);
  return parse_config(document, "test");
}

Saturation saturation_of(const Config& config, double width) {
  return find_saturation(config, {}, width, [](double, unsigned) {});
}

std::string saturation_refused(const Config& config) {
  try {
    saturation_of(config, 0.1);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

// Whether an interval of that width is within 3 % of a rate.
void check_near(const Saturation& found, double rate, double width) {
  REQUIRE(found.high.has_value());
  CHECK(*found.high - found.low <= width);
  CHECK(found.low < rate * 1.03);
  CHECK(*found.high > rate * 0.97);
}

}  // namespace

TEST_CASE("the saturation of a queue is its capacity") {
  for (const double capacity : {0.07, 0.3, 0.82}) {
    CAPTURE(capacity);
    const Saturation found = bisect_saturation(1, 0.004, [&](double rate, unsigned number) {
      return queue_run(rate, capacity, number, 20'000);
    });
    check_near(found, capacity, 0.004);
    for (const RatePoint& point : found.runs) {
      CAPTURE(point.rate);
      // What is far from the capacity is never mistaken.
      if (point.rate < 0.97 * capacity) CHECK(point.sustained);
      if (point.rate > 1.03 * capacity) CHECK_FALSE(point.sustained);
      CHECK(point.seeds % kSampleSeeds == 0);
    }
  }
}

TEST_CASE("a network that accepts all has no saturation rate") {
  const Saturation found = bisect_saturation(
      0.8, 0.01, [](double rate, unsigned number) { return queue_run(rate, 1, number, 2000); });
  CHECK_FALSE(found.high.has_value());
  CHECK_FALSE(found.rate().has_value());
  CHECK(found.low == 0.8);
  CHECK(found.runs.size() == 1);
}

TEST_CASE("a rate whose runs scatter too widely is refused, and one without packets") {
  unsigned runs = 0;
  CHECK_THROWS_WITH_AS(bisect_saturation(1, 0.01,
                                         [&](double rate, unsigned number) {
                                           ++runs;
                                           TrafficResult result;
                                           result.offered_rate = rate;
                                           result.accepted_rate = rate + (number % 2 ? 0.2 : -0.2);
                                           return result;
                                         }),
                       "--saturation: value 0.01: expected: a wider interval, or a longer "
                       "workload.measure: at rate 1 what is accepted is known to 0.065 either way "
                       "with 40 seeds",
                       ConfigError);
  CHECK(runs == kMostSeeds);
  CHECK_THROWS_WITH_AS(bisect_saturation(1, 0.01, [](double, unsigned) { return TrafficResult(); }),
                       "--saturation: value 0.01: expected: a wider interval, or a longer "
                       "workload.measure: at rate 1 no packet was generated with 5 seeds",
                       ConfigError);
}

TEST_CASE("a hot spot saturates when its interface's link is busy") {
  // Every node of 16 sends all its packets to node 3, itself included: 16 times the rate is 1.
  const json hot = {{"traffic", "hotspot"}, {"share", 1}, {"node", 3}};
  const Saturation all = saturation_of(saturable(hot), 0.002);
  check_near(all, 1.0 / 16, 0.002);
  CHECK(saturation_of(saturable(hot), 0.002).runs.size() == all.runs.size());
  CHECK(saturation_of(saturable(hot), 0.002).low == all.low);
  // Half of all packets and, of the others, those of one neighbour: 8.5 times the rate.
  const json half = {{"traffic", {hot, {{"traffic", "neighbour"}}}}};
  check_near(saturation_of(saturable(half), 0.004), 1 / 8.5, 0.004);
  // In regions of 8 nodes, one of which is silent: 8 times the rate.
  const json regions = {{"traffic", "hotspot"},
                        {"share", 1},
                        {"node", 3},
                        {"regions", {json::object(), {{"rate", 0}}}}};
  check_near(saturation_of(saturable(regions, {{"partition", {1, 0}}}), 0.004), 1.0 / 8, 0.004);
}

TEST_CASE("a ring saturates below the rate at which a link would be busy") {
  // Each of 8 nodes sends 3 hops in one direction: three flows on every link.
  const Saturation found = saturation_of(
      saturable({{"traffic", "tornado"}},
                {{"topology", {{"kind", "torus"}, {"dims", {8}}}}, {"router", {{"vcs", 4}}}}),
      0.02);
  REQUIRE(found.high.has_value());
  CHECK(found.low <= 1.0 / 3);
  CHECK(found.low > 0.1);
}

TEST_CASE("with bursts the highest rate leaves a pause of one cycle") {
  const Config config = saturable(
      {{"traffic", "uniform"}, {"burst_cycles", 9}, {"burst_rate", 0.5}, {"measure", 3000}});
  const Saturation found = saturation_of(config, 0.1);
  CHECK(found.runs.front().rate == doctest::Approx(0.45));
  CHECK_FALSE(found.high.has_value());
}

TEST_CASE("work that is not offered at the workload's rate has no saturation rate") {
  const json halves = {{"partition", {1, 0}}};
  CHECK(saturation_refused(saturable({{"traffic", "mesh_emulation"}})) ==
        "test: /workload/traffic: value \"mesh_emulation\": expected: with --saturation a pattern "
        "whose packets are generated at workload.rate, whatever the network delivers");
  CHECK(
      saturation_refused(saturable({{"traffic", "uniform"},
                                    {"regions", {json::object(), {{"traffic", "mesh_emulation"}}}}},
                                   halves))
          .starts_with("test: /workload/regions/1/traffic: value \"mesh_emulation\": expected"));
  CHECK(saturation_refused(
            saturable({{"traffic", "uniform"}, {"regions", {{{"rate", 0.2}}}}}, halves)) ==
        "test: /workload/regions/0/rate: value 0.2: expected: 0, or none of the region's own with "
        "--saturation, which varies workload.rate");
  CHECK(saturation_refused(saturable({{"traffic", "uniform"}}, {{"max_cycles", 900}})) ==
        "test: /max_cycles: value 900: expected: 0 with --saturation, where each run ends with its "
        "drain");
  const json message = {{"transfers", {{{"from", 0}, {"to", 1}, {"flits", 2}}}}};
  json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}, {"workload", message}};
  CHECK(saturation_refused(parse_config(document, "test"))
            .ends_with("expected: a workload of traffic"));
}
