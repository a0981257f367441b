// Networks of routers on all engines (seed 004): the same cycles and the same digest, data
// verified.
#include <doctest/doctest.h>

#include <numeric>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

// A2AT on a 5 x 5 torus, RV32 processors, messages of one packet of 20 flits.
Config config_of(const json& change) {
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {5, 5}}}},
      {"router", {{"vcs", 2}, {"vc_depth", 20}}},
      {"nic", {{"controllers", 1}, {"packet_flits", 19}}},
      {"workload", {{"collective", "a2at"}, {"message_flits", 19}, {"sync", "local"}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

Result agree(const json& change, std::initializer_list<const char*> engines) {
  return agree_on(config_of(change), engines);
}

}  // namespace

TEST_CASE("A2AT on a torus with 1, 2 and 4 send controllers") {
  const Result one = agree(json::object(), {"rtl", "cosim"});
  CHECK(one.messages == 25 * 24);
  CHECK(one.bound_cycles == 15 * 20);  // N(N+1)(N-1)/8 packets on every link, seed 004 table 1
  const Result four = agree({{"nic", {{"controllers", 4}}}}, {"cosim"});
  CHECK(four.bound_cycles == one.bound_cycles);
  CHECK(one.injection_bound == 24 * 20);
  CHECK(four.injection_bound == 24 * 20 / 4);
  CHECK(four.flits == one.flits);
  agree({{"nic", {{"controllers", 2}}}}, {"cosim"});
}

TEST_CASE("mesh, uneven torus, three dimensions") {
  agree({{"topology", {{"kind", "mesh"}}},
         {"barrier", "software"},
         {"workload", {{"sync", "barrier"}}}},
        {"cosim"});
  agree({{"topology", {{"dims", {4, 3}}}}, {"link", {{"parity", true}}}}, {"rtl", "cosim"});
  agree({{"topology", {{"dims", {3, 3, 3}}}}, {"workload", {{"collective", "a2and"}}}}, {"cosim"});
  agree({{"topology", {{"kind", "mesh"}, {"dims", {2, 1, 3}}}}}, {"cosim"});
}

TEST_CASE("transfers of many packets on several VCs: packets overtake each other") {
  json transfers;
  for (unsigned k = 0; k < 14; ++k) {
    transfers.push_back(
        {{"from", 1 + k % 8}, {"to", k % 4 == 3 ? 4 : 0}, {"flits", 60 - 4 * k}, {"start", k % 3}});
  }
  // The destination of the 4th transfer is a source as well; none is its own.
  transfers[3]["from"] = transfers[11]["from"] = 2;
  for (const bool torus : {true, false}) {
    const Result result =
        agree({{"topology", {{"kind", torus ? "torus" : "mesh"}, {"dims", {3, 3}}}},
               {"router", {{"vcs", 4}, {"vc_depth", 2}, {"hold", "flit"}}},
               {"nic", {{"packet_flits", 2}}},
               {"workload",
                {{"collective", nullptr},
                 {"message_flits", nullptr},
                 {"sync", nullptr},
                 {"transfers", transfers}}}},
              {"cosim"});
    CHECK(result.messages == transfers.size());
    for (const auto& t : result.transfers) {
      // The run goes on until the last one is in memory.
      REQUIRE(t.end.has_value());
      CHECK(*t.end + 2 < result.cycles);
    }
  }
}

TEST_CASE("hop_group with barrier units, two or three dimensions at the same time") {
  const auto hop_group = [](const json& topology, unsigned flits) {
    return json{
        {"topology", topology},
        {"nic", {{"controllers", 2 * topology.at("dims").size()}, {"gap", "hops-1"}}},
        {"barrier", "hardware"},
        {"workload", {{"collective", "hop_group"}, {"message_flits", flits}, {"sync", "none"}}}};
  };
  const Result square = agree(hop_group({{"dims", {4, 4}}}, 8), {"rtl", "cosim"});
  REQUIRE(square.barriers.has_value());
  CHECK(square.barriers->count == 4);  // 2 rounds of 2 steps
  // All enter at once: up and down the tree of 16, and one cycle each for entering and seeing it.
  CHECK(square.barriers->latency == 2 * 4 + 2);
  CHECK(agree(hop_group({{"dims", {3, 3, 3}}}, 9), {"cosim"}).barriers->count == 3);
  json direct = hop_group({{"dims", {4, 4}}}, 8);
  direct["workload"]["collective"] = "hop_direct";
  CHECK(agree(direct, {"cosim"}).barriers->count == 8);  // 3 x 3 sets of hops but (0, 0)
  // The whole network as one module: a mesh, whose edges are open, of few nodes, as it compiles
  // long.
  agree(hop_group({{"kind", "mesh"}, {"dims", {2, 2}}}, 8), {"rtl-top"});
}

TEST_CASE("hop_group paced by hops: no packet waits for a link, on the RTL neither") {
  json change = {
      {"topology", {{"dims", {4, 4}}}},
      {"router", {{"switching", "store_forward"}, {"vc_depth", 22}}},
      {"nic", {{"controllers", 4}, {"gap", "hops-1"}}},
      {"processor", "native"},
      {"barrier", "hardware"},
      {"workload", {{"collective", "hop_group"}, {"message_flits", 38}, {"sync", "none"}}}};
  const auto waits = [&](const char* engine) {
    const Config config = config_of(change);
    RunOptions options;
    options.engine = engine;
    options.losses = true;
    const Result result = run(config, build_graph(config), options);
    CHECK(result.verified());
    const auto& counted = result.losses->packet_waits;
    return std::accumulate(counted.begin(), counted.end(), std::uint64_t{0});
  };
  agree(change, {"cosim"});
  CHECK(waits("cosim") == 0);
  change["nic"]["gap"] = "none";
  CHECK(waits("model") > 0);
}

TEST_CASE("blocks longer than a packet go in parts where there are two VCs") {
  const auto parts = [](const char* kind, const char* collective, const char* sync,
                        const char* processor) {
    return json{{"topology", {{"kind", kind}, {"dims", {4, 4}}}},
                {"nic", {{"controllers", "auto"}, {"packet_flits", 255}}},
                {"processor", processor},
                {"workload", {{"collective", collective}, {"message_flits", 600}, {"sync", sync}}}};
  };
  for (const char* kind : {"torus", "mesh"}) {
    for (const char* collective : {"a2a", "a2at"}) {
      for (const char* sync : {"none", "local"}) {
        CAPTURE(kind);
        CAPTURE(collective);
        CAPTURE(sync);
        const Result rv32 = agree(parts(kind, collective, sync, "rv32"), {});
        const Result native = agree(parts(kind, collective, sync, "native"), {});
        CHECK(rv32.messages == 3 * 16 * 15);
        CHECK(rv32.flits == rv32.messages * (200 + 1));
        CHECK(native.messages == rv32.messages);
        CHECK(native.flit_hops == rv32.flit_hops);
      }
    }
  }
  agree(parts("torus", "a2and", "barrier", "rv32"), {});
  // With one VC a message is as long as its block.
  json whole = parts("mesh", "a2at", "none", "rv32");
  whole["router"]["vcs"] = 1;
  CHECK(agree(whole, {}).messages == 16 * 15);
  // In slots it must be one packet.
  json slots = parts("torus", "a2at_slots", "none", "rv32");
  slots["topology"]["dims"] = {5, 5};
  slots["nic"]["controllers"] = 4;
  CHECK_THROWS_AS(agree(slots, {}), ConfigError);
}

TEST_CASE("age arbitration, cut-through, store-and-forward, a VC for each destination") {
  const json small = {{"topology", {{"dims", {4, 3}}}}};
  const auto with = [&](json change) {
    change.merge_patch(small);
    return change;
  };
  agree(with({{"router", {{"arbiter", "age"}, {"dateline", "balanced"}}}}), {"cosim"});
  agree(with({{"router", {{"dateline", "crossing"}}}}), {"cosim"});
  agree(with({{"router", {{"switching", "cut_through"}, {"hold", "flit"}}}}), {"cosim"});
  agree(with({{"router", {{"switching", "store_forward"}, {"vc_depth", 22}}}}), {"cosim"});
  agree(with({{"router", {{"vcs", "per_destination"}, {"vc_depth", 2}}}}), {"cosim"});
}

TEST_CASE("a network whose channels wait in a cycle is known before it runs") {
  const auto cycle_of = [](const json& change) {
    return check_routes(build_graph(config_of(change))).cycle;
  };
  CHECK(cycle_of(json::object()).empty());
  CHECK(cycle_of({{"router", {{"vcs", 1}}}}).size() == 5);
  CHECK(cycle_of({{"router", {{"vcs", 1}}}, {"topology", {{"kind", "mesh"}}}}).empty());
  CHECK(cycle_of({{"router", {{"vcs", 1}}}, {"topology", {{"dims", {3, 3}}}}}).empty());
  CHECK(cycle_of({{"router", {{"vcs", "per_destination"}}}}).empty());
}

TEST_CASE("settings that a network of routers cannot have") {
  const auto refused = [](const json& change) {
    CHECK_THROWS_AS(build_graph(config_of(change)), ConfigError);
  };
  refused({{"link", {{"flow_control", "full"}}}});
  refused({{"router", {{"vcs", 0}}}});
  refused({{"router", {{"vcs", "many"}}}});
  refused({{"router", {{"output_depth", 9}}}});
  refused({{"router", {{"switching", "cut_through"}, {"vc_depth", 19}}}});
  refused({{"router", {{"switching", "store_forward"}, {"vc_depth", 21}}}});
  refused({{"nic", {{"controllers", 9}}}});
  refused({{"topology", {{"dims", {1, 1}}}}});
  refused({{"topology", {{"dims", {0, 5}}}}});
  refused({{"topology", {{"dims", {5, 5}}, {"wrap", true}}}});
}
