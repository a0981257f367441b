// Packets that move as spans (sim/spans) on several threads: the result is the same.
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/engine/thread_barrier.hpp"
#include "sim/report/result_json.hpp"
#include "sim/run/run.hpp"
#include "sim/spans/reserved_array.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// A result as text, or the error; without what depends on the engine and on the time it took.
std::string outcome_of(const json& configuration, const char* engine, unsigned threads) {
  const Config config = parse_config(configuration, "test");
  RunOptions options;
  options.engine = engine;
  options.threads = threads;
  try {
    json result = to_json(run(config, build_graph(config), options));
    for (const char* key : {"engine", "wall_s", "flit_hops_per_s"}) result.erase(key);
    return result.dump(1);
  } catch (const CheckError& error) {
    return error.what();
  } catch (const NoProgressError& error) {
    return error.what();
  }
}

const json kTorus = {{"kind", "torus"}, {"dims", {6, 5}}};

json traffic(double rate, unsigned flits) {
  return {{"traffic", "uniform"},
          {"rate", rate},
          {"warmup", 30},
          {"measure", 200},
          {"packet_flits", flits}};
}

struct ThreadsCase {
  const char* name;
  json config;
};

const std::vector<ThreadsCase>& cases() {
  const json collective = {{"collective", "a2at"}, {"message_flits", 7}};
  static const std::vector<ThreadsCase> all = {
      {"stalls", {{"topology", kTorus}, {"workload", traffic(0.9, 4)}}},
      {"long packets",
       {{"topology", {{"kind", "torus"}, {"dims", {12, 3}}}},
        {"workload", traffic(0.2, 100)},
        {"router", {{"vc_depth", 3}}}}},
      {"long packets, in whole buffers",
       {{"topology", {{"kind", "mesh"}, {"dims", {12, 2}}}},
        {"workload", traffic(0.2, 100)},
        {"router", {{"vc_depth", 150}, {"vcs", 4}}}}},
      {"cut through",
       {{"topology", kTorus},
        {"workload", traffic(0.7, 5)},
        {"router", {{"switching", "cut_through"}, {"vc_depth", 8}}}}},
      {"store and forward",
       {{"topology", kTorus},
        {"workload", traffic(0.7, 5)},
        {"router", {{"switching", "store_forward"}, {"vc_depth", 8}}}}},
      {"age",
       {{"topology", kTorus}, {"workload", traffic(0.8, 4)}, {"router", {{"arbiter", "age"}}}}},
      {"a VC for each destination",
       {{"topology", {{"kind", "mesh"}, {"dims", {6, 3}}}},
        {"workload", traffic(0.5, 6)},
        {"router", {{"vcs", "per_destination"}, {"vc_depth", 2}}}}},
      {"many VCs",
       {{"topology", kTorus}, {"workload", traffic(0.9, 9)}, {"router", {{"vcs", 16}}}}},
      {"parity",
       {{"topology", kTorus}, {"workload", traffic(0.9, 9)}, {"link", {{"parity", true}}}}},
      {"links of an interface to several parts",
       {{"topology", {{"kind", "omega"}, {"levels", 4}}},
        {"workload", traffic(0.8, 4)},
        {"nic", {{"controllers", 2}}}}},
      {"a fat tree",
       {{"topology", {{"kind", "fat_tree"}, {"levels", 3}}}, {"workload", traffic(0.9, 20)}}},
      {"rings and planes",
       {{"topology", {{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 1}, {"P", 1}}},
        {"workload", traffic(0.6, 12)}}},
      {"a run that is stopped",
       {{"topology", kTorus}, {"workload", traffic(0.9, 30)}, {"max_cycles", 217}}},
      {"a pause that is longer than the watchdog's time",
       {{"topology", {{"kind", "torus"}, {"dims", {8}}}},
        {"workload",
         {{"transfers", json::array({{{"from", 0}, {"to", 7}, {"flits", 40}, {"start", 2500}}})}}},
        {"watchdog", 500}}},
      {"transfers",
       {{"topology", kTorus},
        {"workload",
         {{"transfers", json::array({{{"from", 0}, {"to", 29}, {"flits", 300}},
                                     {{"from", 29}, {"to", 0}, {"flits", 130}, {"start", 40}},
                                     {{"from", 3}, {"to", 26}, {"flits", 0}},
                                     {{"from", 14}, {"to", 16}, {"flits", 7}, {"gap", 2}}})}}}}},
      {"native", {{"topology", kTorus}, {"workload", collective}, {"processor", "native"}}},
      {"hardware barriers",
       {{"topology", kTorus},
        {"workload", {{"collective", "a2a"}, {"message_flits", 7}, {"sync", "barrier"}}},
        {"barrier", "hardware"},
        {"processor", "rv32"}}},
      {"software barriers",
       {{"topology", kTorus},
        {"workload", {{"collective", "a2a"}, {"message_flits", 7}, {"sync", "barrier"}}},
        {"barrier", "software"},
        {"nic", {{"controllers", 2}}},
        {"processor", "native"}}},
      {"reduction on boards",
       {{"topology", {{"kind", "board"}, {"dims", {2, 2, 1, 2}}, {"mains", 2}, {"aggregators", 1}}},
        {"workload",
         {{"collective", "allreduce_nested"}, {"bytes", 2056}, {"op", "mean"}, {"type", "fp32"}}},
        {"nic", {{"packet_flits", 16}}},
        {"processor", "native"}}},
  };
  return all;
}

}  // namespace

TEST_CASE("packets as spans: the result does not depend on the number of threads") {
  alarm(300);  // Ends threads that wait for each other for ever.
  for (const ThreadsCase& one : cases()) {
    CAPTURE(one.name);
    const std::string expected = outcome_of(one.config, "model", 1);
    // A result, of packets that moved as spans, or an error.
    REQUIRE((expected.find("\"stepped\"") == std::string::npos ||
             expected.find("\"stepped\": \"\"") != std::string::npos));
    for (const unsigned threads : {2u, 3u}) {
      CAPTURE(threads);
      CHECK(outcome_of(one.config, "model", threads) == expected);
    }
  }
  alarm(0);
}

TEST_CASE("between arrival and opening, one thread has all data to itself") {
  alarm(120);
  for (const unsigned others : {1u, 2u, 5u}) {
    ThreadBarrier barrier(others);
    std::vector<std::uint64_t> sums(others);
    std::uint64_t add = 0, expected = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < others; ++i) {
      threads.emplace_back([&, i] {
        barrier.pass();
        while (add != 0) {
          sums[i] += add;
          barrier.pass();
        }
      });
    }
    barrier.await();
    for (unsigned turn = 1; turn <= 500; ++turn) {
      add = turn;
      expected += turn;
      barrier.open();
      // Some of the others fall asleep.
      if (turn % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      barrier.await();
      for (const std::uint64_t sum : sums) REQUIRE(sum == expected);
    }
    add = 0;
    barrier.open();
  }
  alarm(0);
}

TEST_CASE("a reserved array does not move, and is as large as the system lets it be") {
  const ReservedArray<std::uint64_t> words(std::size_t{1} << 60);
  CHECK(words.size() >= 1 << 12);
  CHECK((words.size() & (words.size() - 1)) == 0);
  CHECK(words.data()[words.size() - 1] == 0);
  words.data()[words.size() / 2] = 5;
  CHECK(words.data()[words.size() / 2] == 5);
}

}  // namespace weft
