// Hardware beside the network: what a run needs, what it may have, and what is refused.
#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

json document(const json& workload, const json& change = json::object()) {
  json all = {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}, {"workload", workload}};
  all.merge_patch(change);
  return all;
}

json array(const char* name, unsigned bytes = 64) {
  return {{"collective", name}, {"bytes", bytes}};
}

std::string refused(const json& all) {
  try {
    parse_config(all, "net.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

const json kTree = {{"combining", "tree"}}, kUnits = {{"barrier", "hardware"}};

}  // namespace

TEST_CASE("a machine has no barrier units and no combining tree unless it is given them") {
  for (const json& work :
       {array("allreduce"), array("reduce", 8 << 20), array("allreduce_direct"),
        json{{"collective", "barrier"}}, json{{"collective", "alltoall"}},
        json{{"collective", "hop_group"}}, json{{"collective", "a2a"}, {"sync", "barrier"}}}) {
    const Config config = parse_config(document(work), "net.json");
    CAPTURE(work.dump());
    CHECK(config.barrier == BarrierKind::kSoftware);
    CHECK(config.combining == Combining::kNone);
    CHECK_FALSE(config.derived.barrier_units);
    CHECK_FALSE(config.derived.combine_units);
    CHECK(config.derived.algorithm.find("_tree") == std::string::npos);
    // What is resolved says so, and is a configuration.
    const json resolved = to_json(config);
    CHECK(resolved.at("barrier") == "software");
    CHECK(resolved.at("combining") == "none");
    CHECK(to_json(parse_config(resolved, "again")) == resolved);
  }
  CHECK(parse_config(document(array("allreduce", 1024), kTree), "net.json").derived.combine_units);
  CHECK(
      parse_config(document(array("allreduce_direct"), kUnits), "net.json").derived.barrier_units);
}

TEST_CASE("what uses the hardware is refused without it") {
  for (const char* name : {"allreduce_tree", "reduce_scatter_tree", "allgather_tree",
                           "broadcast_tree", "reduce_tree", "allreduce_tree_links"}) {
    CHECK(refused(document(array(name))) ==
          std::string("net.json: /combining: value \"none\": expected: \"tree\" with ") + name +
              ", which uses the combining tree");
    const Config config = parse_config(document(array(name), kTree), "net.json");
    CHECK(config.derived.combine_units);
    CHECK_FALSE(config.derived.barrier_units);
  }
  CHECK(refused(document({{"collective", "barrier_tree"}})) ==
        "net.json: /barrier: value \"software\": expected: \"hardware\" with barrier_tree, which "
        "uses barrier units");
  const json program = {{"collective", "program"}, {"program", "p.elf"}, {"combines", true}};
  CHECK(refused(document(program)) ==
        "net.json: /combining: value \"none\": expected: \"tree\" with workload.combines");
  CHECK(parse_config(document(program, kTree), "net.json").derived.combine_units);
}

TEST_CASE("hardware that a named collective cannot use is refused") {
  CHECK(refused(document(array("allreduce_ring"), kTree)) ==
        "net.json: /combining: value \"tree\": expected: \"none\" with allreduce_ring, which does "
        "not use the combining tree");
  CHECK_FALSE(refused(document({{"collective", "a2a"}}, kTree)).empty());
  CHECK_FALSE(refused(document({{"collective", "barrier_dissemination"}}, kTree)).empty());
  CHECK(refused(document(array("allreduce_ring"), kUnits)) ==
        "net.json: /barrier: value \"hardware\": expected: \"software\" with allreduce_ring, which "
        "has no barriers with arrays of up to 4194304 bytes");
  CHECK(
      parse_config(document(array("allreduce_ring", 8 << 20), kUnits), "n").derived.barrier_units);
  json long_tree = document(array("allreduce_tree", 8 << 20), kUnits);
  long_tree["combining"] = "tree";
  CHECK_FALSE(refused(long_tree).empty());
  CHECK(refused(document({{"collective", "a2a"}}, kUnits)) ==
        "net.json: /barrier: value \"hardware\": expected: \"software\" with a2a, which has no "
        "barriers without sync \"barrier\" or start \"network\"");
  CHECK(refused(document({{"collective", "barrier_dissemination"}}, kUnits)) ==
        "net.json: /barrier: value \"hardware\": expected: \"software\" with "
        "barrier_dissemination, which is a barrier by messages and has no other without start "
        "\"network\"");
}

TEST_CASE("hardware that a picker or a program of the user's could use is accepted, no other") {
  const json all_to_all = {{"collective", "alltoall"}}, barrier = {{"collective", "barrier"}};
  const json program = {{"collective", "program"}, {"program", "p.elf"}};
  const auto accepts = [](const json& work, const json& hardware) {
    return refused(document(work, hardware)).empty();
  };
  for (const char* const name : {"allreduce", "reduce_scatter", "allgather"}) {
    CHECK(accepts(array(name), kTree));
    CHECK(accepts(array(name), kUnits));
  }
  for (const char* const name : {"broadcast", "reduce"}) {
    CHECK(accepts(array(name), kTree));
    CHECK_FALSE(accepts(array(name), kUnits));
    CHECK(accepts(array(name, 8 << 20), kUnits));  // Between turns there is a barrier.
  }
  for (const json& work : {all_to_all, barrier, program}) {
    CHECK_FALSE(accepts(work, kTree));
    CHECK(accepts(work, kUnits));
  }
  CHECK_FALSE(
      parse_config(document(array("allreduce", 1 << 20), kUnits), "n").derived.combine_units);
  const json traffic = {{"traffic", "uniform"}};
  CHECK_FALSE(refused(document(traffic, kTree)).empty());
}
