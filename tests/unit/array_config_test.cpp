// The part of a configuration that is a collective on arrays: read back as itself, and every
// refusal with its message, of the values alone and of those that do not fit the network.
#include "sim/config/array_config.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/workload.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// Boards that reduce, with `change` merged into them (a null removes a key).
json document(const json& change) {
  json base = {
      {"topology", {{"kind", "board"}, {"dims", {2, 1, 2, 1}}, {"mains", 2}, {"aggregators", 1}}},
      {"workload", {{"collective", "allreduce_nested"}, {"bytes", 64}}}};
  base.merge_patch(change);
  return base;
}

// Message of the error, or "" when nothing is refused.
std::string refusal(const json& change) {
  try {
    const Config config = parse_config(document(change), "net.json");
    const Graph graph = build_graph(config);
    (void)make_workload(config, graph);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string in_workload(const json& change) {
  return refusal({{"workload", change}});
}

std::string in_boards(const json& workload, const json& topology) {
  return refusal({{"workload", workload}, {"topology", topology}});
}

}  // namespace

TEST_CASE("what is left out of a collective on arrays has its default") {
  const Config config = parse_config(document(json::object()), "net.json");
  const ArrayConfig& array = config.workload.array;
  CHECK(array.bytes == 64);
  CHECK(array.type == ReduceType::kInt32);
  CHECK(array.op == ReduceOp::kSum);
  CHECK(array.order == BoardOrder::kAlphabetical);
  CHECK(array.root == 0);
  CHECK(array.chunks == 1);
  CHECK(array.steps == ArrayConfig::kAllSteps);
  CHECK(to_json(config).at("workload").at("steps") == "all");
}

TEST_CASE("words of an array, and the turns that it takes") {
  ArrayConfig array;
  const auto words = [&](std::uint32_t bytes) {
    array.bytes = bytes;
    return array.flits();
  };
  CHECK(words(4) == 1);
  CHECK(words(8) == 1);
  CHECK(words(12) == 2);
  CHECK(array.segments() == 1);
  CHECK(words(4u << 20) == 1u << 19);
  CHECK(array.segments() == 1);
  CHECK(words((4u << 20) + 4) == (1u << 19) + 1);
  CHECK(array.segments() == 2);
  CHECK(words(64u << 20) == 1u << 23);
  CHECK(array.segments() == 16);
}

TEST_CASE("a collective on arrays reads back as itself") {
  CHECK(rc::check([] {
    const bool reduces = *rc::gen::arbitrary<bool>();
    const auto type = *rc::gen::element<std::string>("int32", "int64", "fp32");
    const std::uint32_t element = type == "int64" ? 8 : 4;
    json workload = {
        {"collective", reduces ? "allreduce_nested" : "broadcast_nested"},
        {"bytes", element * *rc::gen::inRange(1u, (64u << 20) / element + 1)},
        {"type", type},
        {"order", *rc::gen::element<std::string>("alphabetical", "bandwidth")},
        {"root", reduces ? 0 : *rc::gen::inRange(0, 65536)},
        {"chunks", reduces ? *rc::gen::inRange(1, 1025) : 1},
        {"transit", reduces ? *rc::gen::element<std::string>("cut_through", "store_and_forward")
                            : std::string("cut_through")},
        {"data", *rc::gen::element<std::string>("random", "member")},
        {"steps",
         !reduces || *rc::gen::arbitrary<bool>() ? json("all") : json(*rc::gen::inRange(0, 1001))}};
    if (reduces) {
      workload["op"] = *rc::gen::element<std::string>("sum", "prod", "max", "min", "mean");
    }
    json whole = document(json::object());
    whole["workload"] = workload;
    const json resolved = to_json(parse_config(whole, "net.json"));
    for (const auto& [key, value] : workload.items()) {
      RC_ASSERT(resolved.at("workload").at(key) == value);
    }
    RC_ASSERT(resolved.at("workload").contains("op") == reduces);
    const Config again = parse_config(json::parse(resolved.dump()), "resolved");
    RC_ASSERT(to_json(again) == resolved);
    RC_ASSERT(again.derived.reduces == reduces);
  }));
}

TEST_CASE("bad values of a collective on arrays are refused with key, value and what is expected") {
  struct Bad {
    json change;
    std::string message;
  };
  const std::string range = "expected: 4 to 67108864 bytes, a multiple of the size of an element";
  const std::string ints = "expected: 4 to 67108864 bytes, a multiple of 4, the size of int32";
  const std::vector<Bad> cases = {
      {{{"bytes", 0}}, "/workload/bytes: value 0: " + range},
      {{{"bytes", 2}}, "/workload/bytes: value 2: " + range},
      {{{"bytes", 6}}, "/workload/bytes: value 6: " + ints},
      {{{"bytes", -4}}, "/workload/bytes: value -4: " + range},
      {{{"bytes", 4.0}}, "/workload/bytes: value 4.0: " + range},
      {{{"bytes", "64"}}, "/workload/bytes: value \"64\": " + range},
      {{{"bytes", 67108868}}, "/workload/bytes: value 67108868: " + range},
      {{{"bytes", 1ull << 33}}, "/workload/bytes: value 8589934592: " + range},
      {{{"bytes", nullptr}}, "/workload/bytes: missing: " + range},
      {{{"bytes", 12}, {"type", "int64"}},
       "/workload/bytes: value 12: expected: 8 to 67108864 bytes, a multiple of 8, the size of "
       "int64"},
      {{{"bytes", 10}, {"type", "fp32"}},
       "/workload/bytes: value 10: expected: 4 to 67108864 bytes, a multiple of 4, the size of "
       "fp32"},
      {{{"type", "fp64"}},
       "/workload/type: value \"fp64\": expected: \"int32\", \"int64\", \"fp32\""},
      {{{"type", 1}}, "/workload/type: value 1: expected: \"int32\""},
      {{{"op", "xor"}},
       "/workload/op: value \"xor\": expected: \"sum\", \"prod\", \"max\", \"min\", \"mean\""},
      {{{"op", ""}}, "/workload/op: value \"\": expected: \"sum\""},
      {{{"order", "size"}},
       "/workload/order: value \"size\": expected: \"alphabetical\", \"bandwidth\""},
      {{{"collective", "reduce_nested"}, {"root", 1048576}},
       "/workload/root: value 1048576: expected: a whole number from 0 to 1048575"},
      {{{"collective", "reduce_nested"}, {"root", -1}},
       "/workload/root: value -1: expected: a whole number from 0"},
      {{{"chunks", 0}}, "/workload/chunks: value 0: expected: a whole number from 1 to 1024"},
      {{{"chunks", 1025}}, "/workload/chunks: value 1025: expected: a whole number from 1"},
      {{{"steps", "none"}}, "/workload/steps: value \"none\": expected: \"all\", or 0 to 1000"},
      {{{"steps", 1001}}, "/workload/steps: value 1001: expected: \"all\", or 0 to 1000"},
      {{{"message_flits", 16}},
       "/workload/message_flits: value 16: expected: no such key with allreduce_nested; it is for "
       "all"},
      {{{"sync", "barrier"}},
       "/workload/sync: value \"barrier\": expected: no such key with allreduce_nested; it is for"},
      {{{"collective", "allreduce_nest"}},
       "/workload/collective: value \"allreduce_nest\": expected: a2a,"},
      {{{"collective", "allgather_nested"}, {"op", "sum"}},
       "/workload/op: value \"sum\": expected: no such key with allgather_nested; it is for "
       "reductions"},
  };
  for (const Bad& bad : cases) {
    const std::string message = in_workload(bad.change);
    CAPTURE(message);
    CHECK_MESSAGE(message.starts_with("net.json: " + bad.message), bad.change.dump());
  }
  CHECK(in_workload({{"bytes", 4}}).empty());
  CHECK(in_workload({{"bytes", 8}, {"type", "int64"}}).empty());
}

TEST_CASE("members: a root is one of them, and a mean knows their number") {
  for (const char* name : {"broadcast_nested", "reduce_nested"}) {
    CHECK(in_workload({{"collective", name}, {"root", 7}}).empty());
    CHECK(in_workload({{"collective", name}, {"root", 8}}) ==
          std::string("net.json: /workload/root: value 8: expected: with ") + name +
              ": 0 to 7: main units are numbered board by board");
  }
  CHECK(in_workload({{"op", "mean"}}).empty());
  CHECK(in_workload({{"op", "sum"}, {"chunks", 2}}).empty());
  CHECK(in_workload({{"op", "mean"}, {"chunks", 2}}) ==
        "net.json: /workload/chunks: value 2: expected: with allreduce_nested: 1 with op \"mean\": "
        "an interface divides all that it reduces, or nothing");
}

TEST_CASE("halving and doubling need powers of two, a ring takes any number") {
  const std::string why = "powers of two, for halving and doubling; others take any";
  for (const char* name : {"allreduce_nested", "allreduce_flat", "reduce_scatter_nested",
                           "allgather_nested", "broadcast_nested", "reduce_nested"}) {
    for (const char* dims : {"[3,1,2,1]", "[1,2,6,1]", "[1,1,1,5]"}) {
      CHECK(in_boards({{"collective", name}}, {{"dims", json::parse(dims)}}) ==
            std::string("net.json: /topology/dims: value ") + dims + ": expected: with " + name +
                ": " + why);
    }
    // Main units of a board are as many as one likes.
    CHECK(in_boards({{"collective", name}}, {{"mains", 5}, {"aggregators", 3}}).empty());
  }
  for (const char* name :
       {"allreduce_recursive_doubling", "allreduce_rabenseifner", "allreduce_ring", "allreduce",
        "reduce_scatter", "allgather", "broadcast", "reduce"}) {
    CHECK(in_boards({{"collective", name}}, {{"mains", 3}}).empty());
    CHECK(in_boards({{"collective", name}}, {{"dims", {3, 2, 1, 5}}}).empty());
  }
}

TEST_CASE("collectives of boards run on boards alone") {
  const json torus = {
      {"topology",
       {{"kind", "torus"}, {"dims", {4, 2}}, {"mains", nullptr}, {"aggregators", nullptr}}}};
  const auto on_torus = [&](const char* name) {
    json change = torus;
    change["workload"] = {{"collective", name}};
    return refusal(change);
  };
  for (const char* name : {"allreduce_nested", "allreduce_flat", "reduce_scatter_nested",
                           "allgather_nested", "broadcast_nested", "reduce_nested"}) {
    CHECK(on_torus(name) ==
          std::string("net.json: /topology/kind: value \"torus\": expected: with ") + name +
              ": a network of boards, by whose parts this algorithm goes; others run on any "
              "network");
  }
  for (const char* name :
       {"allreduce_ring", "allreduce_recursive_doubling", "allreduce_rabenseifner"}) {
    CHECK(on_torus(name).empty());
    const auto changed = [&](const json& change) {
      json workload = {{"collective", name}};
      workload.merge_patch(change);
      return in_workload(workload);
    };
    CHECK(changed({{"chunks", 2}}) ==
          std::string("net.json: /workload/chunks: value 2: expected: 1 with ") + name);
    CHECK(changed({{"steps", 2}}) ==
          std::string("net.json: /workload/steps: value 2: expected: \"all\" with ") + name);
  }
}

TEST_CASE("start and barriers of collectives on arrays") {
  CHECK(refusal({{"start", "network"}}) ==
        "net.json: /start: value \"network\": expected: \"loaded\" with allreduce_nested");
  CHECK(refusal({{"start", "loaded"}}).empty());
  const json turns = {{"workload", {{"bytes", (4 << 20) + 4}}}};
  CHECK_FALSE(parse_config(document(turns), "net.json").derived.barrier_units);
  json hardware = turns;
  hardware["barrier"] = "hardware";
  CHECK(parse_config(document(hardware), "net.json").derived.barrier_units);
  // Shorter ones have no barrier at all.
  hardware["workload"]["bytes"] = 4 << 20;
  CHECK(refusal(hardware) ==
        "net.json: /barrier: value \"hardware\": expected: \"software\" with allreduce_nested, "
        "which has no barriers with arrays of up to 4194304 bytes");
}

TEST_CASE("arrays that are too large for what needs more than the array") {
  const json pairs = {{"collective", "allreduce_recursive_doubling"}, {"bytes", 4 << 20}};
  CHECK(in_workload(pairs) ==
        "net.json: /workload/bytes: value 4194304: expected: up to 4193792 with "
        "allreduce_recursive_doubling, for a receive window that also holds what it needs beside "
        "the array");
  json longest = pairs;
  longest["bytes"] = 4193792;
  CHECK(in_workload(longest).empty());
  longest["bytes"] = 4193792 + 4;
  CHECK_FALSE(in_workload(longest).empty());
  longest["bytes"] = (4 << 20) + 4;
  CHECK(in_workload(longest).starts_with(
      "net.json: /workload/bytes: value 4194308: expected: up to 4193792 with "
      "allreduce_recursive_doubling, for"));
  // Transit stores data after the array: with one main unit as much as the array.
  const json stored = {
      {"collective", "allreduce_nested"}, {"bytes", 4 << 20}, {"transit", "store_and_forward"}};
  CHECK(in_workload(stored).empty());
  json alone = {{"workload", stored},
                {"topology", {{"dims", {1, 1, 1, 2}}, {"mains", 1}, {"aggregators", 1}}}};
  CHECK(refusal(alone).starts_with(
      "net.json: /workload/bytes: value 4194304: expected: up to 4193792 with allreduce_nested, "));
  alone["workload"]["bytes"] = 4193792;
  CHECK(refusal(alone).empty());
}

TEST_CASE("keys of arrays that a collective has no use for") {
  CHECK(in_workload({{"collective", "allreduce_bucket"}, {"order", "bandwidth"}}) ==
        "net.json: /workload/order: value \"bandwidth\": expected: \"alphabetical\" with "
        "allreduce_bucket");
  CHECK(in_workload({{"root", 1}}) ==
        "net.json: /workload/root: value 1: expected: 0 with allreduce_nested");
}
