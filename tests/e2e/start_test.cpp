// Start-up over the network (seed 000 [0055]): on every kind of topology each node receives its job
// from rank 0 and runs it; the same in every cycle on all engines.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/processor/processor.hpp"
#include "sim/report/result_json.hpp"
#include "sim/topology/topology.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

constexpr unsigned kJobFlits = (sizeof(Job) + 7) / 8;

// hop_group on a 4 x 4 torus, RV32 processors, as in routers_test.cpp.
Config config_of(const json& change) {
  json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
                   {"router", {{"vcs", 2}, {"vc_depth", 20}}},
                   {"nic", {{"controllers", 4}, {"packet_flits", 19}, {"gap", "hops-1"}}},
                   {"barrier", "hardware"},
                   {"start", "network"},
                   {"workload", {{"collective", "hop_group"}, {"message_flits", 8}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

// Messages that carry a job.
unsigned parts_of(const Config& config) {
  return (kJobFlits + config.nic.packet_flits - 1) / config.nic.packet_flits;
}

// The same configuration with the jobs in the nodes' memories.
Config loaded(const Config& config) {
  json document = to_json(config);
  document["start"] = "loaded";
  // An all-to-all without barriers of its own has none then, and no kind of them.
  const json& workload = document["workload"];
  if (workload["collective"] == "a2a" && workload["sync"] != "barrier") document.erase("barrier");
  return parse_config(document, "test");
}

// What every run must satisfy.
void check_start(const Config& config) {
  CAPTURE(to_json(config).dump());
  const Result there = run_on(loaded(config), "model");
  const Result result = run_on(config, "model");
  CHECK(there.startup_cycles == 0);
  CHECK(result.verified());
  CHECK(result.startup_cycles > kJobFlits);
  CHECK(result.startup_cycles < result.cycles);
  CHECK(result.bound_cycles == there.bound_cycles);
  CHECK(to_json(result)["ratio"].get<double>() * static_cast<double>(result.bound_cycles) ==
        doctest::Approx(result.cycles - result.startup_cycles));
  // To each node but rank 0 its job in as many messages as it takes; without barrier units one to
  // tell rank 0 and one back.
  const std::uint64_t others = build_graph(config).nodes - 1;
  const std::uint64_t parts = parts_of(config);
  const bool hardware = config.barrier == weft::BarrierKind::kHardware;
  CHECK(result.messages == there.messages + others * (parts + (hardware ? 0 : 2)));
  CHECK(result.packets == there.packets + others * (parts + (hardware ? 0 : 2)));
  CHECK(result.flits == there.flits + others * (parts + kJobFlits + (hardware ? 0 : 2)));
  // Barriers of the job alone, by units or messages.
  const auto barriers = [](const Result& of) { return of.barriers ? of.barriers->count : 0; };
  CHECK(barriers(result) == barriers(there));
  CHECK(to_json(result)["ratio"] >= 1);
}

}  // namespace

TEST_CASE("every node receives its job over the network") {
  for (const char* processor : {"rv32", "native"}) {
    for (const char* barrier : {"hardware", "software"}) {
      for (const unsigned packet : {1u, 4u, 128u}) {
        const json common = {{"processor", processor},
                             {"barrier", barrier},
                             {"router", {{"vcs", nullptr}, {"vc_depth", nullptr}}},
                             {"nic", {{"packet_flits", packet}}}};
        const auto check = [&](json topology, json workload, unsigned controllers = 4) {
          topology["dims"] = topology.value("dims", json());
          json change = common;
          change["topology"] = topology;
          change["workload"] = workload;
          change["nic"]["controllers"] = controllers;
          if (workload["collective"] == "a2a") change["nic"]["gap"] = nullptr;
          check_start(config_of(change));
        };
        const auto a2a = [&](const char* sync) {
          return json{
              {"collective", "a2a"}, {"message_flits", std::min(packet, 5u)}, {"sync", sync}};
        };
        const json hop_group = {{"collective", "hop_group"}, {"message_flits", 6}};
        const json torus = {{"kind", "torus"}, {"dims", {4, 4}}};
        const json mesh = {{"kind", "mesh"}, {"dims", {4, 3}}};
        check(torus, hop_group);
        check(torus, a2a("local"));  // With data under tag 3.
        check(torus, a2a("barrier"), 1);
        check(mesh, hop_group);
        check(mesh, a2a("none"));
        check({{"kind", "torus"}, {"dims", {3, 2, 2}}}, hop_group, 6);
        check({{"kind", "full_crossbar"}, {"pes", 5}}, a2a("local"));
        check({{"kind", "hier_crossbar"}, {"dims", {4, 4}}}, a2a("barrier"), 2);
      }
    }
  }
}

TEST_CASE("start-up is the same on all engines") {
  const Result square = agree_on(config_of(json::object()), {"rtl", "cosim"});
  REQUIRE(square.barriers.has_value());
  CHECK(square.barriers->count == 4);  // Of hop_group; that of the start-up is left out.
  // From the node that enters last to the root, and to the deepest, which is 4 links away.
  CHECK(square.barriers->latency >= 4 + 2);
  CHECK(square.barriers->latency <= 2 * 4 + 2);
  CHECK(square.startup_cycles > 0);
  agree_on(config_of({{"barrier", "software"}}), {"cosim"});
  agree_on(config_of({{"topology", {{"kind", "mesh"}, {"dims", {2, 2}}}}}), {"rtl-top"});
}

TEST_CASE("without its job no node does anything") {
  // The first flit into node 3 is the header of its job, which is dropped for its parity.
  for (const char* barrier : {"hardware", "software"}) {
    const Config config = config_of({{"barrier", barrier},
                                     {"nic", {{"controllers", 1}}},
                                     {"link", {{"parity", true}}},
                                     {"faults", {{{"node", 3}, {"cycle", 0}, {"bit", 17}}}}});
    const Result result = run_on(config, "model");
    CHECK_FALSE(result.verified());
    CHECK(result.parity_errors == 1);
    CHECK(result.data_errors == 16 * 16 * 8);  // Nowhere a word of any block.
    CHECK(result.startup_cycles == result.cycles);
    // Fourteen complete jobs, and of the one for node 3 all parts but the first.
    const unsigned parts = parts_of(config), jobs = 14 * parts + parts - 1;
    CHECK(result.messages == (barrier == std::string("hardware") ? jobs : jobs + 14));
  }
}
