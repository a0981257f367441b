// Traffic in rounds and from a list: sources of packets other than at random.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
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

Config config_of(const std::vector<std::uint32_t>& dims, const json& workload) {
  json document = {{"topology", {{"kind", "torus"}, {"dims", dims}}}, {"workload", workload}};
  if (workload.at("traffic") != "trace") {
    document["workload"].update({{"warmup", 0}, {"measure", 2000}});
    document["workload"].update(workload);
  }
  return parse_config(document, "test");
}

// A file with this text while it lives.
struct File {
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::filesystem::remove(path); }
  std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("weft_{}.csv", getpid())).string();
};

json trace_of(const File& file) {
  return {{"traffic", "trace"}, {"file", file.path}};
}

std::string refused(const std::vector<std::uint32_t>& dims, const json& workload) {
  try {
    run_of(config_of(dims, workload));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

// Cycles from generation to the last flit on the wire between two nodes side by side: post,
// descriptor to header, two routers, the other flits.
constexpr unsigned latency_of(unsigned flits) {
  return 1 + (flits == 1 ? 4 : 6) + 2 + flits - 1;
}

}  // namespace

TEST_CASE("rounds: none begins before all packets of the previous one have arrived") {
  // The test itself carries the packets, each with a delay of its own, so that they overtake each
  // other. The n-th packet from one node to another is of round n, whatever its header says.
  const Config config = config_of(
      {4, 3}, {{"traffic", "mesh_emulation"}, {"rate", 1}, {"packet_flits", 1}, {"measure", 4000}});
  const Graph graph = build_graph(config);
  const TrafficPlan plan(config, graph);
  const auto& partners = std::get<TrafficRounds>(plan.region(0).source).partners;
  std::vector<TrafficEndpoint> endpoints;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) endpoints.emplace_back(plan, n);
  struct Flying {
    std::uint32_t src, dst;
    std::uint64_t round;
    Flit flit;
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  std::multimap<std::uint64_t, Flying> flying;
  std::map<Pair, std::uint64_t> sent;
  std::map<Pair, std::map<std::uint64_t, bool>> arrived;
  RandomStream random(5);
  RegionSums sums;
  std::uint64_t overtaken = 0, last_round = 0;
  for (std::uint64_t cycle = 0; cycle < 4000; ++cycle) {
    for (auto at = flying.begin(); at != flying.end() && at->first == cycle;
         at = flying.erase(at)) {
      const Flying& f = at->second;
      endpoints[f.dst].arrive(0, f.flit, cycle, sums);
      auto& rounds = arrived[{f.src, f.dst}];
      overtaken += f.round > 0 && !rounds[f.round - 1];
      rounds[f.round] = true;
    }
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      endpoints[n].step({.desc_free = 8}, cycle, sums);
      if (!endpoints[n].posted()) continue;
      const Descriptor& d = endpoints[n].descriptor();
      std::uint32_t dst = 0;
      while (graph.address[dst] != d.dst) ++dst;
      const std::uint64_t round = sent[{n, dst}]++;
      last_round = std::max(last_round, round);
      for (const std::uint32_t partner : partners.of(n)) {
        if (round > 0) REQUIRE(arrived[{partner, n}][round - 1]);
      }
      const Header header = {
          .dst = d.dst, .src = graph.address[n], .off = d.off, .len = 0, .tag = d.tag, .eom = true};
      flying.insert({cycle + 1 + random.below(60),
                     {n, dst, round, {.data = header.pack(), .last = true, .valid = true}}});
    }
  }
  CHECK(overtaken > 50);
  CHECK(last_round > 50);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) CHECK(endpoints[n].rounds() + 10 > last_round);
}

TEST_CASE("rounds follow each other as fast as packets arrive, or at the rate") {
  for (const unsigned flits : {1u, 4u, 20u}) {
    CAPTURE(flits);
    const json workload = {{"traffic", "mesh_emulation"}, {"rate", 1}, {"packet_flits", flits}};
    const Result result = run_of(config_of({2, 1}, workload));
    CHECK(result.verified());
    const unsigned period = latency_of(flits) + 1;
    REQUIRE(result.traffic->rounds.has_value());
    // A round that has begun before the end of the run is completed.
    CHECK(*result.traffic->rounds == (2000 + period - 1) / period);
    CHECK(result.traffic->latency.p50 == latency_of(flits));
    CHECK(to_json(result).at("rounds") == *result.traffic->rounds);
  }
  for (const double rate : {0.01, 0.03, 0.1}) {
    CAPTURE(rate);
    const Result result = run_of(config_of(
        {2, 1},
        {{"traffic", "mesh_emulation"}, {"rate", rate}, {"packet_flits", 4}, {"measure", 60000}}));
    CHECK(result.traffic->offered_rate == doctest::Approx(rate).epsilon(0.002));
    CHECK(result.traffic->accepted_rate == doctest::Approx(rate).epsilon(0.002));
    CHECK_FALSE(result.traffic->saturated);
  }
}

TEST_CASE("rounds on all sorts of networks and numbers of nodes") {
  for (const json& topology :
       {json{{"kind", "torus"}, {"dims", {4, 4}}}, json{{"kind", "mesh"}, {"dims", {5, 1, 3}}},
        json{{"kind", "hier_crossbar"}, {"dims", {4, 3}}}}) {
    for (const double rate : {0.05, 1.0}) {
      json document = {{"topology", topology},
                       {"workload",
                        {{"traffic", "mesh_emulation"},
                         {"rate", rate},
                         {"packet_flits", 4},
                         {"warmup", 0},
                         {"measure", 1500}}}};
      const Result result = run_of(parse_config(document, "test"));
      CHECK(result.verified());
      CHECK(result.traffic->arrived == result.traffic->packets);
      CHECK(*result.traffic->rounds > (rate == 1 ? 25 : 3));
    }
  }
}

TEST_CASE("rounds that stop because a header was spoiled are an error") {
  const auto errors = [](unsigned bit) {
    json document = {{"topology", {{"kind", "mesh"}, {"dims", {3, 3}}}},
                     {"workload",
                      {{"traffic", "mesh_emulation"},
                       {"rate", 1},
                       {"packet_flits", 1},
                       {"warmup", 0},
                       {"measure", 1000}}},
                     {"faults", {{{"node", 4}, {"cycle", 100}, {"bit", bit}}}}};
    return run_of(parse_config(document, "test")).data_errors;
  };
  CHECK(errors(kHdrTagLsb) == 1);
  CHECK(errors(kHdrTagLsb + 1) == 0);  // This bit has no meaning.
}

TEST_CASE("trace: each packet in its cycle, of its length, to its destination") {
  // Out of order, with blanks; far enough apart not to compete.
  const File file("# a comment\n\n400,1,0,256\r\n 100, 0 ,1,1\n900,0,1,20\n");
  const Config config = config_of({2, 1}, trace_of(file));
  CHECK(config.nic.packet_flits == 255);
  const json resolved = to_json(config);
  CHECK(to_json(parse_config(resolved, "again")) == resolved);
  CHECK(resolved.at("workload") ==
        json{{"traffic", "trace"}, {"file", file.path}, {"reply_flits", 0}});
  for (const unsigned threads : {1u, 2u}) {
    const Result result = run_of(config, threads);
    CHECK(result.verified());
    const TrafficResult& t = *result.traffic;
    CHECK(t.packets == 3);
    CHECK(t.arrived == 3);
    CHECK_FALSE(t.rounds.has_value());
    CHECK(result.cycles == 900 + latency_of(20) + 1);
    CHECK(t.offered_rate == doctest::Approx((1 + 20 + 256) / (2.0 * result.cycles)));
    CHECK(t.accepted_rate == t.offered_rate);
    CHECK(t.latency.p50 == latency_of(20));
    CHECK(t.latency.max == latency_of(256));
    CHECK(t.latency.mean ==
          doctest::Approx((latency_of(1) + latency_of(20) + latency_of(256)) / 3.0));
  }
}

TEST_CASE("trace: several packets in a cycle; it is played to its end and all are measured") {
  // Beyond the range of the time in a header.
  const File file("50,0,1,4\n150,0,1,4\n150,0,2,4\n150,0,0,4\n350,2,1,4\n3000000,1,0,4\n");
  const Config config = config_of({3, 1}, trace_of(file));
  for (const char* engine : {"model", "flit"}) {
    RunOptions options;
    options.engine = engine;
    const Result result = run(config, build_graph(config), options);
    CHECK(result.verified());
    const TrafficResult& t = *result.traffic;
    CHECK(t.packets == 6);
    CHECK(t.arrived == 6);
    CHECK(t.latency.packets == 6);
    CHECK(t.latency.max > latency_of(4));
    CHECK(t.latency.max < 3 * latency_of(4));
    CHECK(result.cycles == 3'000'000 + latency_of(4) + 1);
    CHECK(t.measured_cycles == result.cycles);
    CHECK(t.offered_rate == 24 / (3.0 * static_cast<double>(result.cycles)));
    CHECK(t.accepted_rate == t.offered_rate);
    CHECK_FALSE(t.saturated);
  }
}

TEST_CASE("trace: packets that wait long at their source have the latency that they have") {
  // 255 flits of a body take 256 cycles: the last of n packets leaves after 256 n.
  const auto last = [](unsigned packets) {
    std::string lines;
    for (unsigned i = 0; i < packets; ++i) lines += "5,0,1,256\n";
    const File file(lines);
    return run_of(config_of({2, 1}, trace_of(file)), 1);
  };
  const Result some = last(400), many = last(3000);
  CHECK(some.traffic->latency.max == doctest::Approx(400 * 256).epsilon(0.03));
  CHECK_FALSE(some.traffic->beyond_headers);
  CHECK(some.traffic->latency.mean ==
        doctest::Approx(some.traffic->latency.max / 2.0).epsilon(0.01));
  CHECK(many.verified());
  CHECK(many.traffic->arrived == 3000);
  CHECK(many.cycles == doctest::Approx(3000 * 256).epsilon(0.03));
  CHECK(many.traffic->beyond_headers);
  CHECK(many.traffic->latency.mean == doctest::Approx(many.cycles / 2.0).epsilon(0.01));
  CHECK(many.notes.back().find("longer on their way than headers tell (524287 cycles)") !=
        std::string::npos);
}

TEST_CASE("trace: packets that wait long in the interface have the latency that they have") {
  // A packet in 256 * 256 cycles: the last of 24 is in the descriptor queue longer than a header
  // can tell.
  std::string lines;
  for (unsigned i = 0; i < 24; ++i) lines += "5,0,1,256\n";
  const File file(lines);
  json document = to_json(config_of({2, 1}, trace_of(file)));
  document["nic"]["gap"] = 255;
  document["nic"]["queue_depth"] = 15;
  const Result result = run_of(parse_config(document, "test"), 1);
  CHECK(result.cycles == doctest::Approx(23 * 65'536).epsilon(0.01));
  CHECK(result.traffic->arrived == 24);
  CHECK(result.traffic->beyond_headers);
  // The mean of an arithmetic progression, from the first packet, which waits for none.
  CHECK(result.traffic->latency.mean ==
        doctest::Approx((latency_of(256) + result.cycles) / 2.0).epsilon(0.01));
}

TEST_CASE("trace: a file for the whole network, beside a region with a rate, is refused") {
  const File file("5,0,1,4\n");
  json work = trace_of(file);
  work["regions"] = json::array({json{{"traffic", "uniform"}, {"rate", 0.1}}});
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}, {"partition", {1}}, {"workload", work}};
  CHECK_THROWS_WITH_AS(
      run_of(parse_config(document, "test")),
      doctest::Contains("/workload/regions/0/traffic: value \"uniform\": expected: traffic from a "
                        "file, as that of the workload"),
      ConfigError);
}

TEST_CASE("trace: a line that is none is named with its number and what is expected") {
  const char* const expected = "expected: cycle,src,dst,flits: cycle 0 to 2147483647, src and dst ";
  for (const char* line : {"1,0,1", "1,0,1,4,5", "1,0,1,", "1,0,1,0", "1,0,1,257", "-1,0,1,4",
                           "2147483648,0,1,4", "1,0,one,4", "1;0;1;4", "1,0,1,4 # late",
                           "1 0,0,1,4", "1,0,99999999999,4", "0x1,0,1,4", "1.5,0,1,4"}) {
    CAPTURE(line);
    const File file(fmt::format("0,0,1,4\n\n{}\n", line));
    const std::string message = refused({2, 2}, trace_of(file));
    const std::string wanted = fmt::format("{}:3: value \"{}\": {}", file.path, line, expected);
    CHECK_MESSAGE(message.starts_with(wanted), message);
  }
  const File strange("0,0,1,4\n7,0,4,4\n");
  CHECK(refused({2, 2}, trace_of(strange))
            .starts_with(strange.path + ":2: value \"7,0,4,4\": expected"));
  CHECK(refused({2, 2}, trace_of(strange)).find("src and dst 0 to 3") != std::string::npos);
  const File empty("# nothing\n");
  CHECK(refused({2, 2}, trace_of(empty)).find("it has no such line") != std::string::npos);
  const auto says = [](const json& workload, const char* text) {
    const std::string message = refused({2, 2}, workload);
    CHECK_MESSAGE(message.find(text) != std::string::npos, message);
  };
  says({{"traffic", "trace"}}, "test: /workload/file: missing: expected: the path of a file");
  says({{"traffic", "trace"}, {"file", 3}},
       "/workload/file: value 3: expected: the path of a file");
  says({{"traffic", "trace"}, {"file", "/nowhere.csv"}},
       "/workload/file: value \"/nowhere.csv\": expected: the path of a file with lines "
       "cycle,src,dst,flits: cannot be read: No such file or directory");
  says({{"traffic", "trace"}, {"file", "/"}}, "cannot be read: it is a folder");
  for (const char* key : {"rate", "packet_flits"}) {
    json workload = trace_of(strange);
    workload[key] = 1;
    says(workload,
         "value 1: expected: no such key with trace traffic; it is for traffic with a rate");
  }
}
