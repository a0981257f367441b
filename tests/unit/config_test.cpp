// Configuration: defaults, every refusal with its message, changes by --set, the resolved form.
#include "sim/config/config.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

#include "sim/base/error.hpp"
#include "sim/config/document.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/workload/registry.hpp"

namespace {

using nlohmann::json;
using weft::Config;
using weft::parse_config;

// A small valid document with `change` merged into it (a null removes a key).
json document(const char* change = "{}") {
  json base = json::parse(R"({"topology": {"kind": "hier_crossbar", "dims": [4, 4]},
                              "workload": {"collective": "a2a"}})");
  base.merge_patch(json::parse(change));
  return base;
}

// Message of the error, or "" when nothing is refused.
template <class Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const weft::ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string refused(const char* change) {
  return refusal([&] { parse_config(document(change), "net.json"); });
}

// A file for one test.
struct File {
  explicit File(const std::string& text)
      : path(std::filesystem::temp_directory_path() / "weft_config_test.json") {
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
  std::filesystem::path path;
};

Config loaded(const std::vector<std::string>& sets) {
  const File file(document().dump());
  return weft::load_config(file.path, sets);
}

std::string set_refused(const std::string& set) {
  return refusal([&] { loaded({set}); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what is left out has its default") {
  const Config c = parse_config(document(), "net.json");
  CHECK(c.link.width_bits == 64);
  CHECK(c.link.flow_control == weft::FlowControl::kFull);
  const json torus = {{"kind", "torus"}, {"dims", {4}}};
  CHECK(parse_config({{"topology", torus}}, "net.json").link.flow_control ==
        weft::FlowControl::kCredit);
  CHECK_FALSE(c.link.parity);
  CHECK(c.router.vc_depth == 8);
  CHECK(c.nic.controllers == 1);
  CHECK(c.processor == weft::ProcessorKind::kRv32);
  CHECK(c.workload.message_flits == 16);
  CHECK(c.source.file() == "net.json");
  CHECK(c.has_work());
  CHECK_FALSE(parse_config(document(R"({"workload": null})"), "net.json").has_work());
}

TEST_CASE("every value is stored in its member") {
  const Config c = parse_config(
      document(R"({"link": {"parity": true}, "router": {"vc_depth": 3, "output_depth": 7},
                   "nic": {"controllers": "auto", "gap": 5, "packet_flits": 255, "queue_depth": 15},
                   "processor": "native", "faults": [{"node": 3, "cycle": 17, "bit": 64}],
                   "workload": {"message_flits": 1048575, "sync": "local"},
                   "seed": 9223372036854775807, "max_cycles": 12, "watchdog": 34})"),
      "net.json");
  CHECK(c.link.parity);
  CHECK(c.router.vc_depth == 3);
  CHECK(c.router.output_depth == 7);
  CHECK(c.nic.controllers == 1);
  CHECK(c.nic.gap == 5);
  CHECK(c.nic.packet_flits == 255);
  CHECK(c.nic.queue_depth == 15);
  CHECK(c.processor == weft::ProcessorKind::kNative);
  REQUIRE(c.faults.size() == 1);
  CHECK(c.faults[0].node == 3);
  CHECK(c.faults[0].cycle == 17);
  CHECK(c.faults[0].bit == 64);
  CHECK(c.workload.message_flits == 1048575);
  CHECK(c.workload.sync == weft::Sync::kLocal);
  CHECK(c.seed == 9223372036854775807u);
  CHECK(c.max_cycles == 12);
  CHECK(c.watchdog == 34);
  const Config t = parse_config(document(R"({"workload": {"collective": null, "transfers": [
          {"from": 1, "to": 2, "flits": 0},
          {"from": 3, "to": 4, "flits": 5, "start": 6, "gap": 7}]}})"),
                                "net.json");
  REQUIRE(t.workload.transfers.size() == 2);
  CHECK(t.workload.transfers[0].start == 0);
  CHECK(t.workload.transfers[1].from == 3);
  CHECK(t.workload.transfers[1].to == 4);
  CHECK(t.workload.transfers[1].flits == 5);
  CHECK(t.workload.transfers[1].start == 6);
  CHECK(t.workload.transfers[1].gap == 7);
}

TEST_CASE("each bad value is refused with file, key, value and what is expected") {
  struct Bad {
    const char* change;
    const char* message;
  };
  const Bad cases[] = {
      {R"({"linc": 1})", "/linc: unknown key, value 1: expected: the keys topology, link"},
      {R"({"a/b~": 1})", "/a~1b~0: unknown key"},
      {R"({"topology": null})", "/topology: missing: expected: an object with the key kind"},
      {R"({"topology": 5})", "/topology: value 5: expected: an object"},
      {R"({"topology": {"kind": null}})", "/topology/kind: missing: expected: a name of"},
      {R"({"topology": {"kind": 4}})", "/topology/kind: value 4: expected: a name of"},
      {R"({"link": []})", "/link: value []: expected: an object with the keys width_bits"},
      {R"({"link": {"width": 64}})", "/link/width: unknown key, value 64"},
      {R"({"link": {"width_bits": 32}})",
       "/link/width_bits: value 32: expected: a power of two from 64 to 512"},
      {R"({"link": {"width_bits": 96}})",
       "/link/width_bits: value 96: expected: a power of two from 64 to 512"},
      {R"({"link": {"protection": "crc"}})",
       "/link/protection: value \"crc\": expected: \"none\", \"parity\", \"retry\""},
      {R"({"link": {"protection": "parity", "parity": false}})",
       "/link/parity: value false: expected: true with protection \"parity\""},
      {R"({"link": {"flow_control": "credit"}})",
       "/link/flow_control: value \"credit\": expected: \"full\""},
      {R"({"link": {"parity": 1}})", "/link/parity: value 1: expected: true or false"},
      {R"({"router": {"vcs": 2}})", "/router/vcs: value 2: expected: 1"},
      {R"({"router": {"arbiter": "age"}})", "expected: \"round_robin\" on topology"},
      {R"({"router": {"hold": "flit"}})", "expected: \"packet\" on topology"},
      {R"({"router": {"switching": "cut_through"}})", "expected: \"wormhole\" on topology"},
      {R"({"router": {"vc_depth": 2}})",
       "/router/vc_depth: value 2: expected: a whole number from 3 to 1000"},
      {R"({"router": {"vc_depth": 1001}})", "value 1001"},
      {R"({"router": {"vc_depth": -4}})", "/router/vc_depth: value -4: expected"},
      {R"({"router": {"vc_depth": 4.0}})", "/router/vc_depth: value 4.0: expected: a whole number"},
      {R"({"router": {"vc_depth": "4"}})", "/router/vc_depth: value \"4\": expected"},
      {R"({"router": {"vc_depth": [4]}})", "/router/vc_depth: value [4]: expected"},
      {R"({"router": {"output_depth": 0}})", "/router/output_depth: value 0: expected"},
      {R"({"nic": {"controllers": 5}})",
       "/nic/controllers: value 5: expected: \"auto\", or 1 to 4"},
      {R"({"nic": {"controllers": 0}})", "/nic/controllers: value 0"},
      {R"({"nic": {"gap": "hops-1"}})",
       "/nic/gap: value \"hops-1\": expected: \"none\", or 0 to 255"},
      {R"({"barrier": "tree"})", "/barrier: value \"tree\": expected: \"software\", \"hardware\""},
      {R"({"start": "late"})", "/start: value \"late\": expected: \"loaded\", \"network\""},
      {R"({"nic": {"gap": 256}})", "/nic/gap: value 256: expected: \"none\", or 0 to 255"},
      {R"({"nic": {"packet_flits": 0}})", "expected: a whole number from 1 to 255"},
      {R"({"nic": {"queue_depth": 16}})", "expected: a whole number from 1 to 15"},
      {R"({"processor": "arm"})", "/processor: value \"arm\": expected: \"rv32\", \"native\""},
      {R"({"workload": 1})", "/workload: value 1: expected: an object with either"},
      {R"({"workload": {"collective": null}})", "/workload: value {}: expected: an object with"},
      {R"({"workload": {"transfers": []}})", "expected: an object with either"},
      {R"({"workload": {"collective": ""}})", "/workload/collective: value \"\""},
      {R"({"workload": {"message_flits": 0}})",
       "value 0: expected: a whole number from 1 to 1048575"},
      {R"({"workload": {"message_flits": 1048576}})", "expected: a whole number from 1 to 1048575"},
      {R"({"workload": {"sync": "global"}})", "expected: \"none\", \"local\", \"barrier\""},
      {R"({"workload": {"rate": 1}})",
       "/workload/rate: value 1: expected: no such key with a2a; it is for traffic with a rate"},
      {R"({"workload": {"program": 7}})",
       "expected: the path of a program that `weft cc` has made"},
      {R"({"workload": {"collective": "program"}})",
       "/workload/program: missing: expected: the path of a program"},
      {R"({"workload": {"collective": null, "transfers": []}})",
       "/workload/transfers: value []: expected: a list of 1 to"},
      {R"({"workload": {"collective": null, "transfers": [{"from": 1, "to": 2}]}})",
       "/workload/transfers/0/flits: missing"},
      {R"({"workload": {"collective": null,
                        "transfers": [{"from": 1048576, "to": 2, "flits": 1}]}})",
       "/workload/transfers/0/from: value 1048576"},
      {R"({"workload": {"collective": null,
           "transfers": [{"from": 1, "to": 2, "flits": 1, "start": 9223372036854775808}]}})",
       "/workload/transfers/0/start: value 9223372036854775808: expected"},
      {R"({"workload": {"collective": null, "traffic": "uniform", "packet_flits": []}})",
       "/workload/packet_flits: value []: expected: a whole number from 1 to 256, or a list of 1 "
       "to 256 objects with the keys flits, weight"},
      {R"({"workload": {"collective": null, "traffic": "uniform", "packet_flits": {"flits": 1}}})",
       "/workload/packet_flits: value {\"flits\":1}: expected: a whole number from 1 to 256, or a"},
      {R"({"workload": {"collective": null, "traffic": "uniform",
           "packet_flits": [{"flits": 1}, {"flits": 257}]}})",
       "/workload/packet_flits/1/flits: value 257: expected: a whole number from 1 to 256"},
      {R"({"workload": {"collective": null, "traffic": "uniform", "packet_flits": [{}]}})",
       "/workload/packet_flits/0/flits: missing"},
      {R"({"workload": {"collective": null, "traffic": "uniform",
           "packet_flits": [{"flits": 1, "weight": 0}]}})",
       "/workload/packet_flits/0/weight: value 0: expected: a number above 0 and up to 1000000"},
      {R"({"workload": {"collective": null, "traffic": "uniform",
           "packet_flits": [{"flits": 1, "length": 2}]}})",
       "/workload/packet_flits/0/length"},
      {R"({"faults": {}})", "/faults: value {}: expected: a list"},
      {R"({"faults": [{"node": 0, "effect": "lose"}]})",
       "/faults/0/effect: value \"lose\": expected: \"invert\", \"clear\", \"set\""},
      {R"({"topology": {"kind": "mesh", "dims": [2]}, "faults": [{"bit": 6}]})",
       "/faults/0/link: missing"},
      {R"({"seed": -1})", "/seed: value -1: expected"},
      {R"({"seed": 9223372036854775808})", "/seed: value 9223372036854775808: expected"},
      {R"({"seed": 123456789012345678901234567890})", "/seed: value 1.2345678901"},
      {R"({"watchdog": 0})", "/watchdog: value 0: expected: a whole number from 1"},
      {R"({"max_cycles": true})", "/max_cycles: value true"},
  };
  for (const Bad& bad : cases) {
    const std::string message = refused(bad.change);
    CAPTURE(message);
    CHECK(message.rfind("net.json: /", 0) == 0);
    CHECK_MESSAGE(contains(message, bad.message), bad.change);
  }
  CHECK(contains(refusal([] { parse_config(json(3), "net.json"); }), "net.json: /: value 3"));
}

TEST_CASE("keys that traffic has no use for are refused, not left unused") {
  const char* const traffic = R"("workload": {"collective": null, "traffic": "uniform"})";
  CHECK(refused(fmt::format("{{{}}}", traffic).c_str()).empty());
  CHECK(contains(refused(fmt::format(R"({{{}, "processor": "native"}})", traffic).c_str()),
                 "net.json: /processor: value \"native\": expected: no such key with uniform "
                 "traffic; it is for collectives"));
  CHECK(contains(refused(fmt::format(R"({{{}, "nic": {{"packet_flits": 128}}}})", traffic).c_str()),
                 "net.json: /nic/packet_flits: value 128: expected: no such key with uniform "
                 "traffic; it is for collectives, transfers"));
}

TEST_CASE("only a collective is started over the network, with hardware barriers by their units") {
  const char* const transfers = R"("workload": {"collective": null,
                                    "transfers": [{"from": 1, "to": 2, "flits": 1}]})";
  for (const char* work :
       {R"("workload": {"collective": null, "traffic": "uniform"})", transfers}) {
    for (const char* start : {"loaded", "network"}) {
      const std::string message =
          refused(fmt::format(R"({{{}, "start": "{}"}})", work, start).c_str());
      CHECK(contains(message, "net.json: /start: value"));
      CHECK(contains(message, "expected: no such key with"));
    }
  }
  const auto config = [](const json& change) {
    json d = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
              {"workload", {{"collective", "a2a"}}}};
    d.merge_patch(change);
    return parse_config(d, "net.json");
  };
  CHECK_FALSE(config(json::object()).derived.barrier_units);
  CHECK(config({{"start", "network"}, {"barrier", "hardware"}}).derived.barrier_units);
  CHECK_FALSE(config({{"start", "network"}}).derived.barrier_units);
  CHECK_FALSE(config({{"start", "network"}, {"workload", nullptr}}).derived.barrier_units);
  CHECK(to_json(config({{"start", "network"}}))["start"] == "network");
}

TEST_CASE("auto: as many send controllers as the collective needs") {
  const auto controllers = [](const std::string& kind, const json& change) {
    json d = {{"topology", {{"kind", kind}, {"dims", {5, 5}}}},
              {"workload", {{"collective", "a2at"}}}};
    d.merge_patch(change);
    const Config c = parse_config(d, "net.json");
    CHECK(to_json(c)["nic"]["controllers"] == c.nic.controllers);
    return c.nic.controllers;
  };
  const json automatic = {{"nic", {{"controllers", "auto"}}}};
  for (const json& change : {json::object(), automatic, json{{"nic", {{"gap", 1}}}}}) {
    CHECK(controllers("torus", change) == 4);
    CHECK(controllers("mesh", change) == 2);
    CHECK(controllers("hier_crossbar", change) == 1);
  }
  // By links between routers, as far as these have ports.
  for (const auto& [topology, number] :
       {std::pair(json{{"kind", "hyperx"}, {"dims", {8}}}, 7u),
        std::pair(json{{"kind", "hyperx"}, {"dims", {4, 4}}}, 6u),
        std::pair(json{{"kind", "hyperx"}, {"dims", {4, 4}}, {"nodes_per_router", 4}}, 6u),
        std::pair(json{{"kind", "hyperx"}, {"dims", {20}}}, 8u),
        std::pair(json{{"kind", "hyperx"}, {"dims", {32}}, {"nodes_per_router", 16}}, 2u),
        std::pair(json{{"kind", "dragonfly"}, {"p", 2}, {"a", 4}, {"h", 2}}, 5u),
        std::pair(json{{"kind", "tree"}, {"radix", 4}, {"levels", 2}}, 4u),
        std::pair(json{{"kind", "ring"}, {"nodes", 5}}, 2u),
        std::pair(json{{"kind", "hypercube"}, {"dimensions", 4}}, 4u)}) {
    for (const char* name : {"a2at", "a2a_scheduled", "allreduce_ring"}) {
      json d = {{"topology", topology}, {"workload", {{"collective", name}}}};
      if (std::string(name) == "allreduce_ring") d["workload"]["bytes"] = 64;
      CAPTURE(d.dump());
      CHECK(parse_config(d, "net.json").nic.controllers == number);
    }
  }
  for (const char* name : {"a2a", "a2and"}) {
    CHECK(controllers("torus", {{"workload", {{"collective", name}}}}) == 1);
  }
  CHECK(controllers("torus", {{"workload", {{"collective", "a2at_slots"}}}}) == 4);
  CHECK(controllers("torus", {{"workload", {{"collective", nullptr}, {"traffic", "uniform"}}}}) ==
        1);
  CHECK(controllers("torus", {{"workload", nullptr}}) == 1);
  CHECK(controllers("torus", {{"nic", {{"controllers", 2}}}}) == 2);
}

TEST_CASE("a message names the option that set the value, or else the file") {
  CHECK(contains(set_refused("router={\"vc_depth\":2}"),
                 "--set router={\"vc_depth\":2}: /router/vc_depth: value 2: expected"));
  const File file(document(R"({"nic": {"gap": 256}})").dump());
  const auto load = [&](const std::vector<std::string>& sets) {
    return refusal([&] { weft::load_config(file.path, sets); });
  };
  const std::string in_file = file.path.string() + ": /nic/gap: value 256: expected";
  CHECK(load({}).starts_with(in_file));
  CHECK(load({"nic.queue_depth=4", "seed=2"}).starts_with(in_file));
  CHECK(load({"nic.gap=300", "nic.gap=400"}).starts_with("--set nic.gap=400: /nic/gap: value 400"));
  CHECK(load({"nic.ga=3"}).starts_with("--set nic.ga=3: /nic/ga: unknown key"));
  CHECK(load({"nic.gap=null"}).empty());
  CHECK(load({"seed=" + std::string(500, '9')}).size() < 250);
}

TEST_CASE("a long value is cut in the message") {
  const std::string message =
      refused(("{\"processor\": \"" + std::string(5000, 'x') + "\"}").c_str());
  CHECK(message.size() < 200);
  CHECK(contains(message, "xxx...: expected"));
}

TEST_CASE("--set changes and adds values") {
  CHECK(loaded({"router.vc_depth=4"}).router.vc_depth == 4);
  CHECK(loaded({"router.vc_depth=4", "router.vc_depth=5"}).router.vc_depth == 5);
  CHECK(loaded({"processor=native"}).processor == weft::ProcessorKind::kNative);
  CHECK(loaded({"processor=native", "processor=null"}).processor == weft::ProcessorKind::kRv32);
  CHECK(loaded({"nic.gap=null"}).nic.gap == 0);
  CHECK(to_json(loaded({"topology.dims.1=8"}).topology)["dims"] == json({4, 8}));
  CHECK(to_json(loaded({"topology.dims.2=2"}).topology)["dims"] == json({4, 4, 2}));
  CHECK(to_json(loaded({"topology.dims=[2,3]"}).topology)["dims"] == json({2, 3}));
  CHECK(loaded({"workload={\"transfers\":[{\"from\":0,\"to\":1,\"flits\":2}]}",
                "workload.transfers.0.flits=9"})
            .workload.transfers.at(0)
            .flits == 9);
}

TEST_CASE("bad --set names itself") {
  CHECK(contains(set_refused("router.vc_depth"), "--set router.vc_depth: expected: path=value"));
  CHECK(contains(set_refused("=4"), "--set =4: expected: path=value"));
  CHECK(contains(set_refused("faults[].rate=0.1"),
                 "--set faults[].rate=0.1: expected: the number of an element of the list in place "
                 "of [], as faults.0, or the whole list, as faults=[{...}]"));
  CHECK(contains(set_refused("router..vc_depth=4"),
                 "expected: keys joined by single dots, none of them empty"));
  CHECK(contains(set_refused("router.=4"),
                 "expected: keys joined by single dots, none of them empty"));
  CHECK(contains(set_refused("topology.dims.3=4"),
                 "expected: an index from 0 to 2 into the list at /topology/dims"));
  CHECK(contains(set_refused("topology.dims.x=4"),
                 "expected: an index from 0 to 2 into the list at /topology/dims"));
  CHECK(contains(set_refused("topology.dims.1x=4"),
                 "expected: an index from 0 to 2 into the list at /topology/dims"));
  CHECK(contains(set_refused("topology.dims.-1=4"),
                 "expected: an index from 0 to 2 into the list at /topology/dims"));
  CHECK(contains(set_refused("topology.kind.x=4"),
                 "the end of the path at /topology/kind, whose value \"hier_crossbar\" has no"));
  CHECK(contains(set_refused("nic.size=4"), "/nic/size: unknown key, value 4"));
  CHECK(contains(set_refused("nic.gap=nine"), "/nic/gap: value \"nine\": expected"));
  CHECK(contains(set_refused("nic.gap="), "/nic/gap: value \"\": expected"));
  CHECK(contains(set_refused("nic.gap=999"), "--set nic.gap=999: /nic/gap: value 999"));
}

TEST_CASE("the resolved configuration reads back as itself") {
  CHECK(rc::check([] {
    Config c;
    const json topology = {{"kind", "hier_crossbar"}, {"dims", {4, *rc::gen::inRange(1, 9)}}};
    c.topology = parse_config({{"topology", topology}}, "").topology;
    c.link.parity = *rc::gen::arbitrary<bool>();
    c.router.vc_depth = *rc::gen::inRange(3u, 1001u);
    c.router.output_depth = *rc::gen::inRange(1u, 1001u);
    c.nic = {.controllers = *rc::gen::inRange(1u, 5u),
             .gap = *rc::gen::inRange(0u, 256u),
             .packet_flits = *rc::gen::inRange(1u, 256u),
             .queue_depth = *rc::gen::inRange(1u, 16u),
             .in_order = {}};
    c.processor = *rc::gen::element(weft::ProcessorKind::kRv32, weft::ProcessorKind::kNative);
    c.seed = *rc::gen::arbitrary<std::uint64_t>() >> 1;
    c.max_cycles = *rc::gen::arbitrary<std::uint32_t>();
    c.watchdog = 1 + *rc::gen::arbitrary<std::uint32_t>();
    const auto faults = *rc::gen::inRange(0, 4);
    for (int i = 0; i < faults; ++i) {
      weft::Fault fault;
      fault.node = *rc::gen::inRange(0u, 65536u);
      fault.cycle = *rc::gen::arbitrary<std::uint32_t>();
      fault.bit = *rc::gen::inRange(0u, c.link.parity ? 65u : 64u);
      c.faults.push_back(fault);
    }
    if (*rc::gen::arbitrary<bool>()) {
      c.workload.kind = weft::kAllToAll;
      c.workload.collective = *rc::gen::element<std::string>("a2a", "a2at");
      c.workload.message_flits = *rc::gen::inRange(1u, 1048576u);
      c.workload.sync = *rc::gen::element(weft::Sync::kNone, weft::Sync::kLocal);
      if (c.processor == weft::ProcessorKind::kRv32) {
        c.workload.program = *rc::gen::element<std::string>("", "own.elf");
      }
    } else if (*rc::gen::arbitrary<bool>()) {
      c.workload.kind = weft::kTraffic;
      c.workload.traffic = "uniform";
      c.workload.rate = *rc::gen::inRange(1, 9) / 8.0;
      c.workload.packet_flits.one = *rc::gen::inRange(1u, 257u);
      const auto lengths = *rc::gen::inRange(0, 4);
      for (int i = 0; i < lengths; ++i) {
        c.workload.packet_flits.list.push_back(
            {*rc::gen::inRange(1u, 257u), *rc::gen::inRange(1, 9) / 4.0});
      }
    } else {
      const auto transfers = *rc::gen::inRange(0, 5);
      c.workload.kind = transfers == 0 ? 0 : std::uint32_t{weft::kTransfers};
      for (int i = 0; i < transfers; ++i) {
        c.nic.gap = 0;  // Each has its own.
        c.workload.transfers.push_back(
            {*rc::gen::inRange(0u, 65536u), *rc::gen::inRange(0u, 65536u),
             *rc::gen::inRange(0u, 1048576u), *rc::gen::arbitrary<std::uint32_t>(),
             *rc::gen::inRange(0u, 256u)});
      }
    }
    const json resolved = to_json(c);
    const Config again = parse_config(json::parse(resolved.dump()), "resolved");
    RC_ASSERT(to_json(again) == resolved);
    RC_ASSERT(again.seed == c.seed);
    RC_ASSERT(again.workload.transfers.size() == c.workload.transfers.size());
    RC_ASSERT(again.faults.size() == c.faults.size());
  }));
}
