// The description of keys agrees with the parser, for every key, topology and workload.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/config_keys.hpp"
#include "sim/config/key_list.hpp"
#include "sim/config/key_row.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/run/prepare.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {
enum class Colour : std::uint8_t { kRed = 3, kBlue = 5 };
}
template <>
inline constexpr weft::Word weft::kWordsOf<Colour>[] = {{"red", Colour::kRed},
                                                        {"blue", Colour::kBlue}};

namespace {

using namespace weft;
using nlohmann::json;

// A table for the test: a key is a row and a member.
struct Inner {
  std::uint32_t depth = 4;
};
struct Things {
  Inner inner;
  Colour colour = Colour::kBlue;
  std::uint64_t count = 7;
  std::vector<std::uint32_t> sizes;
  std::vector<Inner> list;
  std::string name;
  bool on = false;
  std::optional<bool> choice;
  double share = 0.5;
};
constexpr Word kAll[] = {{"all", 99}};
constexpr Word kSquare[] = {{"square", 0}};
constexpr Key kInnerKeys[] = {key<&Inner::depth>({.name = "depth", .least = 1, .most = 9})};
constexpr Key kThingKeys[] = {
    key<&Things::inner>({.name = "inner", .fields = kInnerKeys}),
    key<&Things::inner, &Inner::depth>({.name = "depth", .most = 5, .needs = kRouters}),
    key<&Things::colour>({.name = "colour"}),
    key<&Things::count>({.name = "count", .most = 8, .words = kAll, .works = kAllToAll}),
    key<&Things::sizes>(
        {.name = "sizes", .least = 1, .most = 3, .min_items = 2, .max_items = 2, .words = kSquare}),
    key<&Things::list>({.name = "list", .max_items = 2, .fields = kInnerKeys}),
    key<&Things::name>({.name = "name", .expected = "a name", .required = true}),
    key<&Things::on>({.name = "on"}),
    key<&Things::choice>({.name = "choice", .words = kAll}),
    key<&Things::share>({.name = "share"}),
};

const Situation kHere{
    .facts = kAllToAll | kCrossbars, .topology = "a crossbar", .work = "an all-to-all"};

// The error of an object that the test's own table does not take.
ConfigError refused(const json& object, const Situation& situation = kHere) {
  const Source source("file.json");
  try {
    Things things;
    read_object(kThingKeys, {object, source, "/at"}, situation, &things);
  } catch (const ConfigError& error) {
    return error;
  }
  return ConfigError("nothing is refused");
}

// A configuration of each kind of workload on each topology, with the fewest keys.
std::vector<json> least_documents() {
  std::vector<json> documents;
  for (const char* network :
       {R"({"kind": "torus", "dims": [4, 2]})", R"({"kind": "mesh", "dims": [4, 2]})",
        R"({"kind": "full_crossbar", "pes": 8})",
        R"({"kind": "board", "dims": [2, 1, 2, 1], "mains": 2, "aggregators": 1})"}) {
    for (const char* work :
         {R"({"collective": "a2a"})", R"({"collective": "hop_direct"})",
          R"({"collective": "allreduce_nested", "bytes": 64})",
          R"({"collective": "allreduce_ring", "bytes": 64})",
          R"({"collective": "broadcast_nested", "bytes": 64})", R"({"traffic": "uniform"})",
          R"({"traffic": "hotspot"})", R"({"transfers": [{"from": 0, "to": 1, "flits": 1}]})"}) {
      documents.push_back({{"topology", json::parse(network)}, {"workload", json::parse(work)}});
    }
  }
  return documents;
}

}  // namespace

TEST_CASE("a table reads, writes and refuses; errors have their parts") {
  const json object = json::parse(R"({"inner": {"depth": 9}, "colour": "red", "count": "all",
      "sizes": [1, 3], "list": [{"depth": 1}, {}], "name": "n", "on": true, "choice": false,
      "share": 1})");
  const Source source("file.json");
  Things things;
  read_object(kThingKeys, {object, source}, kHere, &things);
  CHECK(things.inner.depth == 9);
  CHECK(things.colour == Colour::kRed);
  CHECK(things.count == 99);
  CHECK(things.sizes == std::vector<std::uint32_t>{1, 3});
  CHECK(things.list.size() == 2);
  CHECK(things.list[1].depth == 4);
  json written = write_object(kThingKeys, kHere, &things);
  CHECK(written["depth"] == 9);
  written.erase("depth");
  CHECK(written["list"][1] == json{{"depth", 4}});
  written["list"][1] = json::object();
  CHECK(written == object);
  CHECK(write_object(kThingKeys, kHere, &things)["sizes"] == json({1, 3}));
  things.sizes.clear();
  CHECK(write_object(kThingKeys, kHere, &things)["sizes"] == "square");
  things.choice.reset();
  CHECK(write_object(kThingKeys, kHere, &things)["choice"] == "all");
  CHECK(refused({{"name", "n"}, {"choice", 1}}).expected == "\"all\", true or false");

  const ConfigError range = refused({{"name", "n"}, {"inner", {{"depth", 10}}}});
  CHECK(range.file == "file.json");
  CHECK(range.pointer == "/at/inner/depth");
  CHECK(range.value == "10");
  CHECK(range.expected == "a whole number from 1 to 9");
  CHECK(range.fault == ConfigError::Fault::kValue);
  CHECK(range.what() ==
        std::string("file.json: /at/inner/depth: value 10: expected: a whole number from 1 to 9"));
  CHECK(refused({{"on", true}}).fault == ConfigError::Fault::kMissing);
  CHECK(refused({{"on", true}}).pointer == "/at/name");
  CHECK(refused({{"name", "n"}, {"nam", 1}}).fault == ConfigError::Fault::kUnknownKey);
  CHECK(refused({{"name", "n"}, {"list", {{{"depth", 0}}}}}).pointer == "/at/list/0/depth");
  CHECK(refused({{"name", "n"}, {"sizes", "round"}}).expected ==
        "\"square\", or a list of 2 numbers, each 1 to 3");
  CHECK(refused({{"name", "n"}, {"colour", "green"}}).expected == "\"red\", \"blue\"");
  // What has no use: another value than the default, or the key at all.
  CHECK(refused({{"name", "n"}, {"depth", 3}}).expected == "4 on topology a crossbar");
  CHECK(refused({{"name", "n"}, {"depth", 4}}).what() == std::string("nothing is refused"));
  Situation transfers = kHere;
  transfers.facts = kTransfers | kRouters;
  transfers.work = "transfers";
  CHECK(refused({{"name", "n"}, {"depth", 3}}, transfers).what() ==
        std::string("nothing is refused"));
  CHECK(refused({{"name", "n"}, {"count", 7}}, transfers).expected ==
        "no such key with transfers; it is for all-to-alls");
}

TEST_CASE("a default that is written out changes nothing, on every topology with every workload") {
  for (const json& document : least_documents()) {
    CAPTURE(document.dump());
    json resolved;
    try {
      resolved = to_json(parse_config(document, "test"));
    } catch (const ConfigError& error) {
      FAIL(error.what());
    }
    CHECK(to_json(parse_config(resolved, "again")) == resolved);
  }
}

TEST_CASE("settings that a run has no use for are refused") {
  // A value other than the default for every key.
  const std::vector<std::pair<std::string, json>> changes = {
      {"/processor", "native"},
      {"/barrier", "hardware"},
      {"/combining", "tree"},
      {"/start", "network"},
      {"/partition", {1}},
      {"/nic/gap", 1},
      {"/nic/packet_flits", 9},
      {"/router/dateline", "balanced"},
      {"/router/vcs", 3},
      {"/router/arbiter", "age"},
      {"/router/hold", "flit"},
      {"/router/switching", "store_forward"},
      {"/router/output_depth", 9},
      {"/workload/message_flits", 9},
      {"/workload/sync", "barrier"},
      {"/workload/areas", 1},
      {"/workload/bytes", 128},
      {"/workload/op", "max"},
      {"/workload/order", "bandwidth"},
      {"/workload/root", 1},
      {"/workload/chunks", 2},
      {"/workload/transit", "store_and_forward"},
      {"/workload/steps", 1},
      {"/workload/program", "a.elf"},
      {"/workload/rate", 0.5},
      {"/workload/packet_flits", 9},
      {"/workload/share", 0.5},
      {"/workload/regions", {{{"rate", 0}}}},
  };
  for (const json& document : least_documents()) {
    const std::string kind = document["topology"]["kind"];
    const json& work = document["workload"];
    const std::string name = work.value("collective", work.value("traffic", "transfers"));
    const bool collective = work.contains("collective"), traffic = work.contains("traffic");
    const bool arrays = work.contains("bytes"), routers = kind != "full_crossbar";
    const bool nested = name == "allreduce_nested";
    const auto useful = [&](const std::string& at) {
      if (at == "/processor" || at == "/workload/program") return collective;
      if (at == "/barrier") return name == "hop_direct";
      if (at == "/combining") return false;
      if (at == "/start" || at == "/workload/message_flits" || at == "/workload/sync") {
        return collective && !arrays;
      }
      if (at == "/workload/areas") return name == "hop_direct";
      if (at == "/partition" || at == "/workload/regions") return traffic;
      if (at == "/nic/gap") return traffic || (collective && !arrays);
      if (at == "/nic/packet_flits") return !traffic;
      if (at == "/router/dateline") return kind == "torus";
      if (at == "/router/output_depth") return !routers;
      if (at.starts_with("/router/")) return routers;
      if (at == "/workload/bytes") return arrays;
      if (at == "/workload/op") return arrays && name != "broadcast_nested";
      if (at == "/workload/order") return nested || name == "broadcast_nested";
      if (at == "/workload/root") return name == "broadcast_nested";
      if (at == "/workload/share") return name == "hotspot";
      if (at == "/workload/rate" || at == "/workload/packet_flits") return traffic;
      return nested;  // chunks, transit, steps
    };
    for (const auto& [at, value] : changes) {
      json changed = document;
      changed[json::json_pointer(at)] = value;
      if (at == "/router/switching") changed["router"]["vc_depth"] = 1000;
      CAPTURE(changed.dump());
      std::string refused;
      try {
        parse_config(changed, "test");
      } catch (const ConfigError& error) {
        refused = error.pointer;
        CHECK_MESSAGE(!error.expected.empty(), error.what());
      }
      CHECK(refused == (useful(at) ? "" : at));
    }
  }
}

TEST_CASE("datelines have no rule where each destination has its own VC") {
  const auto refused = [](const json& router) -> std::string {
    const json document = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}, {"router", router}};
    try {
      parse_config(document, "test");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused({{"vcs", "per_destination"}, {"dateline", "balanced"}}) ==
        "test: /router/dateline: value \"balanced\": expected: \"fixed\" with vcs "
        "\"per_destination\", where a packet has the VC of its destination");
  CHECK(refused({{"vcs", "per_destination"}, {"dateline", "fixed"}}).empty());
  for (const char* rule : {"balanced", "crossing"}) {
    CHECK(refused({{"vcs", 2}, {"dateline", rule}}).empty());
  }
}

TEST_CASE("order of injection: as the collective asks, or as said") {
  const auto order = [](const char* kind, const json& nic, const json& vcs = 2) {
    const json topology = std::string(kind) == "full_crossbar"
                              ? json{{"kind", kind}, {"pes", 4}}
                              : json{{"kind", kind}, {"dims", {4}}};
    const json router = std::string(kind) == "full_crossbar" ? json::object() : json{{"vcs", vcs}};
    const Config config = parse_config({{"topology", topology},
                                        {"router", router},
                                        {"nic", nic},
                                        {"workload", {{"collective", "a2a"}}}},
                                       "test");
    const Graph graph = build_graph(config);
    const Nic::Config made = nic_config(config, graph);
    CHECK(made.in_order == config.nic.in_order.value_or(false));
    CHECK(made.keeps_order == (made.in_order && graph.keeps_order()));
    return made;
  };
  CHECK(order("torus", json::object()).by_packet());
  CHECK(order("torus", {{"in_order", "auto"}}).by_packet());
  CHECK(order("torus", {{"in_order", false}}).by_packet());
  CHECK_FALSE(order("torus", {{"in_order", true}}).by_packet());
  CHECK(order("torus", {{"in_order", true}}, 4).by_packet());
  CHECK(order("mesh", {{"in_order", true}}).by_packet());
  CHECK_FALSE(order("mesh", {{"in_order", true}}, 1).by_packet());
  CHECK_FALSE(order("full_crossbar", json::object()).in_order);
  CHECK_THROWS_WITH_AS(order("torus", {{"in_order", true}}, "per_destination"),
                       doctest::Contains("/nic/in_order"), ConfigError);
  CHECK_THROWS_WITH_AS(order("torus", {{"in_order", 1}}),
                       doctest::Contains("\"auto\", true or false"), ConfigError);
  CHECK_THROWS_WITH_AS(order("full_crossbar", {{"in_order", true}}),
                       doctest::Contains("\"auto\" on topology"), ConfigError);
}

TEST_CASE("a library user receives the refusals of the command") {
  const auto refused = [](const json& change, const std::string& engine = "model") {
    json document = {{"topology", {{"kind", "torus"}, {"dims", {4}}}},
                     {"workload", {{"collective", "a2a"}, {"message_flits", 2}}}};
    document.merge_patch(change);
    RouteChecks routes;
    RunOptions options;
    options.engine = engine;
    try {
      Config config = parse_config(document, "test");
      prepare_run(config, options, routes);
    } catch (const ConfigError& error) {
      return error.pointer + error.file;
    }
    return std::string();
  };
  CHECK(refused(json::object()).empty());
  CHECK(refused({{"router", {{"vcs", 1}}}}) == "/router/vcstest");  // Deadlock.
  CHECK(refused({{"workload", nullptr}}) == "/workloadtest");
  CHECK(refused({{"workload", {{"message_flits", 1048575}}}}) == "/workload/message_flitstest");
  CHECK(refused({{"faults", {{{"node", 9}}}}}) == "/faults/0/nodetest");
  CHECK(refused(json::object(), "fpga") == "--engine");
}

TEST_CASE("the list has every key of a resolved configuration, with its default") {
  const json list = list_keys(full_registry());
  for (const json& document : least_documents()) {
    const json resolved = to_json(parse_config(document, "test"));
    for (const auto& [section, value] : resolved.items()) {
      if (!value.is_object()) continue;
      for (const auto& [key, part] : value.items()) {
        const std::string name = section + "." + key;
        const auto row = std::find_if(list.begin(), list.end(),
                                      [&](const json& r) { return r["name"] == name; });
        CHECK_MESSAGE(row != list.end(), name);
      }
    }
  }
  for (const json& row : list) {
    CAPTURE(row.dump());
    CHECK_FALSE(row["help"].get<std::string>().empty());
    CHECK((row.contains("default") || row.contains("required")));
  }
}
