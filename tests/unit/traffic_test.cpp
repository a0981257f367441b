// Synthetic traffic: where packets go, how many, how long they take, and that it depends on nothing
// else.
#include "sim/traffic/traffic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/report/result_json.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/traffic_endpoint.hpp"
#include "tests/unit/traffic_runs.hpp"

namespace {

using namespace weft;
using nlohmann::json;

Config config_of(const json& change) {
  json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
                   {"workload",
                    {{"traffic", "uniform"},
                     {"rate", 0.1},
                     {"packet_flits", 4},
                     {"warmup", 100},
                     {"measure", 2000}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

}  // namespace

TEST_CASE("uniform: every other node equally often, never the node itself") {
  const Config config = config_of(json::object());
  const Graph graph = build_graph(config);
  const auto draw = std::get<DrawDestination>(find_traffic(config).build(config, graph));
  constexpr unsigned kDraws = 110'000;
  for (const std::uint32_t src : {0u, 5u, 11u}) {
    RandomStream random(src);
    std::vector<unsigned> hits(graph.nodes);
    for (unsigned i = 0; i < kDraws; ++i) ++hits.at(draw(src, random));
    CHECK(hits[src] == 0);
    // Eleven others; five standard deviations.
    const double mean = kDraws / 11.0, most = 5 * std::sqrt(mean);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      if (n != src) CHECK(std::abs(hits[n] - mean) < most);
    }
  }
}

TEST_CASE("gaps are those of a coin thrown in every cycle") {
  for (const double chance : {1.0, 0.5, 0.025, 0.001}) {
    CAPTURE(chance);
    const PacketGaps gaps(chance);
    RandomStream random(7);
    constexpr unsigned kDraws = 100'000;
    double sum = 0, ones = 0;
    for (unsigned i = 0; i < kDraws; ++i) {
      const std::uint32_t gap = gaps.draw(random);
      CHECK(gap >= 1);
      sum += gap;
      ones += gap == 1;
    }
    const double deviation = std::sqrt(1 - chance) / chance / std::sqrt(kDraws);
    CHECK(std::abs(sum / kDraws - 1 / chance) <= 5 * deviation);
    CHECK(std::abs(ones / kDraws - chance) <= 5 * std::sqrt(chance * (1 - chance) / kDraws));
  }
}

TEST_CASE("body words tell source, destination, generated_at and offset apart") {
  TrafficMemory from(3, 4, 1);
  from.put(9, 1000, 3);
  std::array<std::uint64_t, 3> body = {};
  from.read_flits(from.address(), 2, body.data());
  from.read_flits(from.address() + 2, 1, &body[2]);
  // Errors at node `at` that gets a body of three words under that header, in pieces or at once.
  const auto errors = [&](Header header, std::array<std::uint64_t, 3> words, std::uint32_t at = 9) {
    std::set<std::uint64_t> found;
    for (const std::uint32_t piece : {1u, 2u, 3u}) {
      TrafficMemory to(at, 4, 2);
      to.expect(1, header.pack());
      for (std::uint32_t k = 0; k < 3; k += piece) {
        to.write_flits(1, header.off + k, std::min(piece, 3 - k), &words[k], {});
      }
      CHECK(to.words() == 3);
      found.insert(to.errors());
    }
    REQUIRE(found.size() == 1);
    return *found.begin();
  };
  const Header header = {.dst = 9, .src = 3, .off = 1000, .len = 3};
  CHECK(errors(header, body) == 0);
  // Any bit of a word.
  for (const unsigned bit : {0u, 35u, 36u, 43u, 44u, 63u}) {
    auto other = body;
    other[1] ^= std::uint64_t{1} << bit;
    CHECK(errors(header, other) == 1);
  }
  // The body of another packet, though its words agree among themselves.
  CHECK(errors({.dst = 9, .src = 4, .off = 1000, .len = 3}, body) == 3);
  CHECK(errors({.dst = 9, .src = 3, .off = 1001, .len = 3}, body) == 3);
  CHECK(errors(header, body, 10) == 3);
  CHECK(errors(header, {body[1], body[0], body[2]}) == 2);

  // At another address than the header says, without a header, and a word too many.
  TrafficMemory to(9, 4, 1);
  to.write_flits(0, 1000, 1, &body[0], {});
  CHECK(to.errors() == 1);
  to.expect(0, header.pack());
  to.write_flits(0, 1000, 1, &body[0], {});
  CHECK(to.errors() == 1);
  to.write_flits(0, 1002, 1, &body[1], {});
  CHECK(to.errors() == 2);
  to.write_flits(0, 1002, 1, &body[2], {});
  to.write_flits(0, 1003, 1, &body[2], {});
  CHECK(to.errors() == 3);
}

TEST_CASE("a body that is never written is an error, also where the next packet looks the same") {
  TrafficMemory from(3, 4, 1);
  from.put(9, 1000, 3);
  const Header header = {.dst = 9, .src = 3, .off = 1000, .len = 3};
  // The first packet, of another source, is never written; the second one's words arrive instead.
  TrafficMemory to(9, 4, 1);
  to.expect(0, Header{.dst = 9, .src = 7, .off = 1000, .len = 3}.pack());
  to.expect(0, header.pack());
  std::array<std::uint64_t, 3> body = {};
  from.read_flits(from.address(), 3, body.data());
  to.write_flits(0, 1000, 3, body.data(), {});
  CHECK(to.errors() == 3);
  // None is ever written.
  TrafficMemory none(9, 4, 1);
  for (unsigned packets = 0; packets < 20; ++packets) none.expect(0, header.pack());
  CHECK(none.errors() >= 10);
}

TEST_CASE("the words of a packet stay as long as they are not read, however many overtake it") {
  TrafficMemory memory(3, 3, 1);
  const auto read = [&](std::uint32_t address) {
    std::uint64_t word = 0;
    memory.read_flits(address, 1, &word);
    return word;
  };
  memory.put(9, 1000, 4);
  const std::uint32_t blocked = memory.address();
  const std::uint64_t first = read(blocked);
  for (std::uint32_t generated_at = 1001; generated_at < 1100; ++generated_at) {
    memory.put(5, generated_at, generated_at % 3);
    CHECK(memory.address() != blocked);
    for (std::uint32_t k = 0; k < generated_at % 3; ++k) {
      CHECK(read(memory.address() + k) == TrafficMemory::word(3, 5, generated_at, k));
    }
  }
  CHECK(first == TrafficMemory::word(3, 9, 1000, 0));
  for (std::uint32_t k = 1; k < 4; ++k) {
    CHECK(read(blocked + k) == TrafficMemory::word(3, 9, 1000, k));
  }
  // At most three are in flight.
  for (std::uint32_t generated_at = 0; generated_at < 3; ++generated_at)
    memory.put(5, generated_at, 1);
  CHECK_THROWS_AS(memory.put(5, 3, 1), std::logic_error);
}

TEST_CASE("several controllers near saturation: no controller gets another packet's words") {
  for (const unsigned controllers : {2u, 3u, 8u}) {
    CAPTURE(controllers);
    const Result result = run_of(config_of({{"topology", {{"dims", {8}}}},
                                            {"nic", {{"controllers", controllers}}},
                                            {"workload", {{"rate", 1}, {"measure", 3000}}}}));
    CHECK(result.verified());
  }
}

TEST_CASE("faults are counted: those that were put, and those that no flit arrived for") {
  const json change = {
      {"workload", {{"measure", 500}}},
      {"faults",
       {{{"node", 5}, {"cycle", 200}, {"bit", 7}}, {{"node", 5}, {"cycle", 1000000}, {"bit", 7}}}}};
  const Result result = run_of(config_of(change));
  REQUIRE(result.faults);
  CHECK(result.faults->put == 1);
  CHECK(result.faults->missed == 1);
  CHECK(to_json(result).at("faults") ==
        json{{"put", 1}, {"missed", 1}, {"hits", 1}, {"seen", 0}, {"repaired", 0}, {"passed", 1}});
  CHECK_FALSE(to_json(run_of(config_of(json::object()))).contains("faults"));
}

TEST_CASE("offered is what was asked for, and below saturation accepted is what was offered") {
  const Result result = run_of(config_of({{"workload", {{"measure", 20000}}}}));
  REQUIRE(result.traffic);
  CHECK(result.verified());
  CHECK_FALSE(result.traffic->saturated);
  CHECK(result.traffic->arrived == result.traffic->packets);
  CHECK(std::abs(result.traffic->offered_rate - 0.1) < 0.004);
  CHECK(std::abs(result.traffic->accepted_rate - 0.1) < 0.004);
  CHECK(result.bound_cycles == 0);
}

TEST_CASE("a lone packet takes as long as the pipeline says") {
  // Two nodes side by side: generation and post in cycle t, descriptor written in t + 1, header on
  // the link to the router six cycles later (four without a body), one cycle for each router, and
  // the other flits after it.
  for (const unsigned flits : {1u, 4u, 256u}) {
    CAPTURE(flits);
    const Result result = run_of(config_of(
        {{"topology", {{"dims", {2, 1}}}},
         {"workload",
          {{"rate", flits * 1e-5}, {"packet_flits", flits}, {"warmup", 0}, {"measure", 200000}}}}));
    REQUIRE(result.traffic->arrived > 0);
    const unsigned post = 1, header = flits == 1 ? 4 : 6, routers = 2;
    CHECK(result.traffic->latency.p50 == post + header + routers + flits - 1);
  }
}

TEST_CASE("traffic beyond what the network carries is reported as saturated") {
  // A ring of 64 carries at most 1/8 of this; the drain is too short for the rest.
  const Result result =
      run_of(config_of({{"topology", {{"dims", {64}}}},
                        {"workload", {{"rate", 1}, {"measure", 300}, {"drain", 3000}}}}));
  CHECK(result.verified());
  CHECK(result.traffic->saturated);
  CHECK(result.traffic->accepted_rate < 0.125);
  CHECK(result.cycles == 100 + 300 + 10 * 300);
}

TEST_CASE("rates are those of the cycles that were run, and max_cycles is no saturation") {
  const json ring = {{"topology", {{"dims", {64}}}}};
  for (const double rate : {0.05, 1.0}) {
    CAPTURE(rate);
    json change = ring;
    change["workload"] = {{"rate", rate}, {"measure", 4000}};
    const Result whole = run_of(config_of(change));
    CHECK_FALSE(whole.traffic->cut);
    CHECK(whole.traffic->measured_cycles == 4000);
    // A quarter of the measuring phase; the same packets are generated in it.
    change["max_cycles"] = 1100;
    const Result part = run_of(config_of(change));
    const TrafficResult& t = *part.traffic;
    CHECK(part.stopped);
    CHECK(t.cut);
    CHECK(t.measured_cycles == 1000);
    CHECK(t.packets < whole.traffic->packets);
    CHECK(t.arrived < t.packets);
    CHECK(t.saturated == (rate == 1.0));
    CHECK(t.saturated == whole.traffic->saturated);
    CHECK(std::abs(t.offered_rate / rate - 1) < 0.1);
    CHECK(std::abs(t.accepted_rate / whole.traffic->accepted_rate - 1) < 0.1);
    CHECK(to_json(part).at("cut") == true);
  }
  // Stopped after the measuring phase, with packets in flight: not cut short, nor saturated.
  json change = ring;
  change["workload"] = {{"rate", 0.05}, {"measure", 4000}};
  change["max_cycles"] = 4101;
  const Result drained = run_of(config_of(change));
  CHECK(drained.stopped);
  CHECK_FALSE(drained.traffic->cut);
  CHECK(drained.traffic->arrived < drained.traffic->packets);
  CHECK_FALSE(drained.traffic->saturated);
  // Stopped before it: no rates.
  change["max_cycles"] = 100;
  const json none = to_json(run_of(config_of(change)));
  CHECK(none.at("measured_cycles") == 0);
  CHECK(none.at("offered_rate").is_null());
  CHECK(none.at("accepted_rate").is_null());
  CHECK(none.at("saturated") == false);
}

TEST_CASE("without a drain a run ends with its measuring phase") {
  const Config whole = config_of(json::object());
  json document = to_json(whole);
  document["workload"]["drain"] = 0;
  const Result cut = run_of(parse_config(document, "test")), drained = run_of(whole);
  const WorkloadConfig& workload = whole.workload;
  CHECK(cut.verified());
  CHECK(cut.cycles == workload.warmup + workload.measure);
  CHECK(drained.cycles > cut.cycles);
  CHECK(cut.traffic->accepted_rate == drained.traffic->accepted_rate);
  CHECK(cut.traffic->packets == drained.traffic->packets);
  // Some were still in flight, which is no sign of saturation.
  CHECK(cut.traffic->arrived < cut.traffic->packets);
  CHECK(drained.traffic->arrived == drained.traffic->packets);
  CHECK(!cut.traffic->saturated);
}

TEST_CASE("a run that is surely saturated does not drain, unless it is told to") {
  json change = {{"topology", {{"dims", {8, 8}}}},
                 {"workload", {{"rate", 0.9}, {"warmup", 200}, {"measure", 1000}}}};
  const Result stopped = run_of(config_of(change));
  CHECK(stopped.cycles == 1200);
  CHECK(stopped.traffic->saturated);
  CHECK(stopped.traffic->arrived < stopped.traffic->packets);
  change["workload"]["drain"] = 10000;
  const Result drained = run_of(config_of(change));
  CHECK(drained.cycles > 1200);
  CHECK(drained.traffic->saturated);
  CHECK(drained.traffic->arrived > stopped.traffic->arrived);
  CHECK(stopped.traffic->accepted_rate == drained.traffic->accepted_rate);
  CHECK(stopped.traffic->offered_rate == drained.traffic->offered_rate);
  // A region that is not saturated drains, whatever the others do.
  change["workload"].erase("drain");
  change["topology"]["dims"] = {16, 16};
  change["partition"] = {1};
  change["workload"]["regions"] = json::array({json{{"rate", 0.01}}});
  const Result mixed = run_of(config_of(change));
  CHECK(mixed.cycles > 1200);
  CHECK(mixed.regions[0].traffic.arrived == mixed.regions[0].traffic.packets);
  CHECK(mixed.regions[1].traffic.saturated);
}

TEST_CASE("less than 95 % accepted at the end is saturated, though all packets arrive in the end") {
  const Config config = config_of(json::object());
  const Graph graph = build_graph(config);
  const TrafficPlan plan(config, graph);
  for (const auto& [flits, saturated] : {std::pair(949u, true), std::pair(951u, false)}) {
    const auto says = [&](const TrafficSums& sums, std::uint64_t cycles, std::uint64_t lost = 0) {
      return traffic_result(sums, graph.nodes, plan, cycles, lost).saturated;
    };
    TrafficSums sums;
    sums.measured = sums.measured_arrived = 500'000;
    sums.measured_flits = 2'000'000;
    sums.late_measured_flits = 1'000'000;
    sums.late_arrived_flits = 1000 * flits;
    CHECK(says(sums, plan.end() + 100) == saturated);
    // What links have lost cannot be accepted.
    CHECK_FALSE(says(sums, plan.end() + 100, 1000));
    // Of a run that was cut all that it has measured counts, against 80 %.
    for (const auto& [all, behind] : {std::pair(799u, true), std::pair(801u, false)}) {
      sums.arrived_flits = 2000 * all;
      CHECK(says(sums, plan.end() - 100) == behind);
    }
    // A packet that never arrived counts only in a run that lasted to its limit.
    --sums.measured_arrived;
    CHECK(says(sums, plan.limit() - 1) == saturated);
    CHECK(says(sums, plan.limit()));
    // So many of so few packets may lack by chance.
    sums = {};
    sums.measured = sums.measured_arrived = 500;
    sums.measured_flits = 2000;
    sums.late_measured_flits = 1000;
    sums.late_arrived_flits = flits;
    CHECK_FALSE(says(sums, plan.end() + 100));
  }
}

TEST_CASE("the result does not depend on the number of threads") {
  for (const json& change :
       {json::object(), json{{"topology", {{"kind", "mesh"}, {"dims", {5, 3, 2}}}}},
        json{{"router", {{"vcs", 12}}}, {"workload", {{"rate", 0.6}}}},
        json{{"topology", {{"kind", "hier_crossbar"}, {"dims", {4, 4}}}}},
        json{{"workload", {{"traffic", "localized"}}}},
        json{{"workload", {{"traffic", "mesh_emulation"}, {"rate", 1}}}}}) {
    const Config config = config_of(change);
    const json one = to_json(run_of(config));
    for (const unsigned threads : {2u, 3u}) {
      const json many = to_json(run_of(config, threads));
      for (const char* key : {"cycles", "digest", "messages", "flit_hops", "offered_rate",
                              "accepted_rate", "latency", "saturated"}) {
        CHECK(many.at(key) == one.at(key));
      }
    }
  }
}

TEST_CASE("a pattern that does not exist") {
  CHECK_THROWS_WITH_AS(config_of({{"workload", {{"traffic", "rush_hour"}}}}),
                       doctest::Contains("/workload/traffic: value \"rush_hour\": expected: "),
                       ConfigError);
}
