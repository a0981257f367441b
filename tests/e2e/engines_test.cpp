// The engines against each other: the same cycles and the same digest, on real RTL and real
// programs.
#include "tests/e2e/engines.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

Config config_of(const json& change) {
  json document = {{"topology", {{"kind", "hier_crossbar"}, {"dims", {4, 4}}}},
                   {"workload", {{"collective", "a2a"}, {"message_flits", 16}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

Result agree(const json& change, std::initializer_list<const char*> engines) {
  return agree_on(config_of(change), engines);
}

}  // namespace

TEST_CASE("16 processors, all engines, RV32 and native") {
  const json parity = {{"link", {{"parity", true}}}};
  const Result rv32 = agree(parity, {"rtl", "cosim", "rtl-top"});
  json native = parity;
  native["processor"] = "native";
  const Result fast = agree(native, {"rtl", "cosim", "rtl-top"});
  CHECK(fast.cycles < rv32.cycles);  // no instruction time
  CHECK(fast.flits == rv32.flits);
  CHECK(run_on(config_of(parity), "rtl", 2).digest == rv32.digest);
  CHECK(run_on(config_of(parity), "cosim", 2).digest == rv32.digest);
}

TEST_CASE("three dimensions of odd sizes, several controllers, gaps, cut messages") {
  agree({{"topology", {{"dims", {3, 2, 2}}}},
         {"nic", {{"controllers", 2}, {"packet_flits", 5}, {"gap", 1}, {"queue_depth", 2}}},
         {"workload", {{"message_flits", 13}, {"sync", "local"}}}},
        {"rtl", "cosim", "rtl-top"});
}

TEST_CASE("headers for addresses of 20 bits, as networks of many nodes have them") {
  const json routers = {{"topology", {{"kind", "mesh"}, {"dims", {2, 2}}}},
                        {"router", {{"vcs", 1}}},
                        {"workload", {{"message_flits", 5}}}};
  const json crossbars = {{"topology", {{"dims", {2, 2}}}}, {"workload", {{"message_flits", 5}}}};
  for (const json& change : {routers, crossbars}) {
    const Config config = config_of(change);
    CAPTURE(to_json(config.topology).dump());
    Graph graph = build_graph(config);
    graph.header.addr_w = kMaxAddrW;
    for (auto& shape : graph.shapes) shape.header = graph.header;
    for (auto& shape : graph.router_shapes) shape.header = graph.header;
    RunOptions options;
    const Result model = run(config, graph, options);
    CHECK(model.verified());
    CHECK(model.cycles == run_on(config, "model").cycles);
    CHECK(model.digest != run_on(config, "model").digest);  // Other headers are on the links.
    for (const char* engine : {"rtl", "cosim", "rtl-top"}) {
      CAPTURE(engine);
      options.engine = engine;
      const Result other = run(config, graph, options);
      CHECK(other.verified());
      CHECK(other.cycles == model.cycles);
      CHECK(other.digest == model.digest);
    }
  }
}

TEST_CASE("addresses of 17 bits, all of which routes decode") {
  const json far = {
      {"topology", {{"kind", "mesh"}, {"dims", {5, 5, 5, 5, 5, 3}}}},
      {"router", {{"vcs", 1}}},
      {"workload",
       {{"collective", nullptr},
        {"message_flits", nullptr},
        {"transfers",
         {{{"from", 0}, {"to", 9374}, {"flits", 1}}, {{"from", 9374}, {"to", 1}, {"flits", 2}}}}}}};
  agree(far, {"rtl"});
}

TEST_CASE("one crossbar, and the prior art with three-port switches") {
  agree({{"topology", {{"kind", "full_crossbar"}, {"dims", nullptr}, {"pes", 5}}},
         {"link", {{"parity", true}}}},
        {"rtl", "cosim"});
  agree({{"topology", {{"kind", "crossbar_2d"}, {"dims", {3, 2}}}}, {"link", {{"parity", true}}}},
        {"rtl", "cosim"});
}

TEST_CASE("256 processors on the model, for any number of threads") {
  const Config config = config_of({{"topology", {{"dims", {64, 4}}}}, {"processor", "native"}});
  const Result one = run_on(config, "model");
  CHECK(one.verified());
  CHECK(one.messages == 256 * 255);
  CHECK(one.cycles >= one.bound_cycles);
  for (const unsigned threads : {2u, 3u}) {
    const Result many = run_on(config, "model", threads);
    CHECK(many.digest == one.digest);
    CHECK(many.cycles == one.cycles);
  }
}

TEST_CASE("a parity error on a link is counted and reported, and its packet is not delivered") {
  for (const char* engine : {"model", "rtl", "cosim"}) {
    CAPTURE(engine);
    const Config config = config_of(
        {{"link", {{"parity", true}}}, {"faults", {{{"node", 3}, {"cycle", 200}, {"bit", 17}}}}});
    const Result result = run_on(config, engine);
    CHECK_FALSE(result.verified());
    CHECK(result.parity_errors == 1);
    CHECK(result.messages == 16 * 15 - 1);
    CHECK(result.data_errors > 0);
    CHECK(result.data_errors <= 16);
  }
  // Without parity no block notices, but the comparison of the memories does. Bit 17 of a
  // body word: a header's would change the packet's source.
  const Result silent =
      run_on(config_of({{"faults", {{{"node", 3}, {"cycle", 203}, {"bit", 17}}}}}), "model");
  CHECK(silent.parity_errors == 0);
  CHECK(silent.data_errors <= 1);
}

TEST_CASE("a wrong word of traffic is found on all engines, though both sides of cosim get it") {
  const json change = {{"workload",
                        {{"collective", nullptr},
                         {"message_flits", nullptr},
                         {"traffic", "uniform"},
                         {"rate", 0.5},
                         {"warmup", 0},
                         {"measure", 300}}}};
  for (const char* engine : {"model", "rtl", "cosim"}) {
    CAPTURE(engine);
    CHECK(run_on(config_of(change), engine).verified());
    // In a header the bit is of the generation time, in another flit of the hash: wrong in either.
    json wrong = change;
    wrong["faults"] = {{{"node", 3}, {"cycle", 200}, {"bit", 35}}};
    CHECK(run_on(config_of(wrong), engine).data_errors > 0);
  }
}

TEST_CASE("a gap of g packet times is seen as exactly that on the wire, by RTL and model alike") {
  // One message of eight packets of 1 + 4 flits, alone in the network: post to wire 7 cycles,
  // crossbar of two stages 10. A gap of a packet time or more covers the crossbar's grants.
  for (const unsigned gap : {1u, 3u, 255u}) {
    const Config config =
        config_of({{"nic", {{"packet_flits", 4}}},
                   {"workload",
                    {{"collective", nullptr},
                     {"message_flits", nullptr},
                     {"transfers", {{{"from", 0}, {"to", 1}, {"flits", 32}, {"gap", gap}}}}}}});
    for (const char* engine : {"model", "cosim"}) {
      CAPTURE(engine);
      CHECK(run_on(config, engine).transfers[0].end == 7 + 10 + 8 * 5 - 1 + 7 * gap * 5);
    }
  }
}

TEST_CASE("patterns of a list and replies: the endpoints answer alike on all engines") {
  const json patterns = {{{"traffic", "uniform"}, {"weight", 2}},
                         {{"traffic", "hotspot"}, {"share", 1}, {"node", 3}}};
  const Result result = agree({{"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
                               {"router", {{"vc_depth", 4}}},
                               {"workload",
                                {{"collective", nullptr},
                                 {"message_flits", nullptr},
                                 {"traffic", patterns},
                                 {"rate", 0.1},
                                 {"packet_flits", {{{"flits", 1}}, {{"flits", 6}}}},
                                 {"reply_flits", 4},
                                 {"warmup", 100},
                                 {"measure", 1000}}}},
                              {"rtl", "cosim"});
  CHECK(result.traffic->arrived == result.traffic->packets);
  CHECK(result.traffic->round_trip->packets == result.traffic->latency.packets);
}

TEST_CASE("synthetic traffic on a torus") {
  const Result result = agree({{"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
                               {"router", {{"vc_depth", 4}}},
                               {"workload",
                                {{"collective", nullptr},
                                 {"message_flits", nullptr},
                                 {"traffic", "uniform"},
                                 {"rate", 0.3},
                                 {"packet_flits", 4},
                                 {"warmup", 100},
                                 {"measure", 1000}}}},
                              {"rtl", "cosim"});
  CHECK(result.traffic->arrived == result.traffic->packets);
}

TEST_CASE("traffic in rounds and from a file on a torus") {
  const auto torus = [](json workload) {
    workload.update({{"collective", nullptr}, {"message_flits", nullptr}});
    return json{{"topology", {{"kind", "torus"}, {"dims", {3, 3}}}},
                {"router", {{"vc_depth", 4}}},
                {"workload", workload}};
  };
  const json rounds = torus({{"traffic", "mesh_emulation"},
                             {"rate", 1},
                             {"packet_flits", 4},
                             {"warmup", 20},
                             {"measure", 400}});
  const Result result = agree(rounds, {"rtl", "cosim"});
  CHECK(result.traffic->arrived == result.traffic->packets);
  CHECK(*result.traffic->rounds > 5);
  CHECK(run_on(config_of(rounds), "rtl").traffic->rounds == result.traffic->rounds);

  // Packets of 1 to 39 flits, three in most cycles.
  const auto file = std::filesystem::temp_directory_path() / fmt::format("weft_{}.csv", getpid());
  std::ofstream lines(file);
  for (unsigned i = 0; i < 200; ++i) {
    lines << fmt::format("{},{},{},{}\n", i / 3, i * 5 % 9, i * 7 % 9 * i % 9, 1 + i * i % 39);
  }
  lines.close();
  const Result timed =
      agree(torus({{"traffic", "trace"}, {"file", file.string()}}), {"rtl", "cosim"});
  CHECK(timed.packets == 200);
  CHECK(timed.traffic->packets == 200);
  CHECK(timed.traffic->arrived == timed.traffic->packets);
  std::filesystem::remove(file);
}

TEST_CASE("work that cannot be done on this network") {
  CHECK_THROWS_AS(run_on(config_of({{"workload", {{"collective", "nothing"}}}}), "model"),
                  ConfigError);
  CHECK_THROWS_AS(run_on(config_of({{"workload", {{"message_flits", 1 << 19}}}}), "model"),
                  ConfigError);
  CHECK_THROWS_AS(run_on(config_of({}), "model", 1000), ConfigError);
  CHECK_THROWS_AS(run_on(config_of({}), "verilog"), ConfigError);
}
