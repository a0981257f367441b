// Collectives on arrays of system boards (seed 003): the same cycles and the same digest on all
// engines, and on many shapes and lengths what they must leave in every member's memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

json boards(std::vector<unsigned> dims, unsigned mains, unsigned aggregators) {
  return {{"kind", "board"}, {"dims", dims}, {"mains", mains}, {"aggregators", aggregators}};
}

Config config_of(const json& topology, const json& workload, const char* processor = "native") {
  return parse_config({{"topology", topology}, {"processor", processor}, {"workload", workload}},
                      "test");
}

json reduction(const char* name, unsigned bytes, const char* type, const char* op) {
  return {{"collective", name}, {"bytes", bytes}, {"type", type}, {"op", op}};
}

// What every engine does with one of each kind of words.
const std::vector<json> kAll = {
    reduction("allreduce_nested", 200, "int32", "sum"),
    reduction("allreduce_flat", 200, "fp32", "sum"),
    reduction("allreduce_ring", 200, "int64", "max"),
    reduction("allreduce_recursive_doubling", 200, "fp32", "mean"),
    reduction("allreduce_rabenseifner", 200, "int32", "prod"),
    reduction("allreduce_bucket", 200, "int32", "mean"),
    reduction("allreduce", 200, "int64", "min"),
    reduction("reduce_scatter_nested", 200, "fp32", "mean"),
    {{"collective", "allgather_nested"}, {"bytes", 200}},
    {{"collective", "broadcast_nested"}, {"bytes", 200}, {"root", 5}},
    {{"collective", "allgather_ring"}, {"bytes", 200}},
    {{"collective", "broadcast_binomial"}, {"bytes", 200}, {"root", 5}},
    {{"collective", "broadcast_scatter"}, {"bytes", 200}, {"root", 5}},
    reduction("reduce_scatter_ring", 200, "fp32", "sum"),
    {{"collective", "reduce_nested"}, {"bytes", 200}, {"type", "fp32"}, {"op", "min"}, {"root", 6}},
};

const std::vector<std::string> kOnBoards = {"allreduce_nested",      "allreduce_flat",
                                            "reduce_scatter_nested", "allgather_nested",
                                            "broadcast_nested",      "reduce_nested"};

// On the model alone. Words that a collective speaks of are all compared: `verified` would hold
// too where nothing was.
Result leaves(const json& topology, const json& workload, const char* processor = "native") {
  CAPTURE(topology.dump());
  CAPTURE(workload.dump());
  CAPTURE(processor);
  const Result result = run_on(config_of(topology, workload, processor), "model");
  CHECK(result.verified());
  CHECK(result.cycles >= result.bound_cycles);
  const auto compared = [&](const std::string& note) {
    return note.find(" words compared") != std::string::npos && note.rfind("0 words", 0) != 0;
  };
  CHECK(std::any_of(result.notes.begin(), result.notes.end(), compared));
  return result;
}

// With an operation where there is one.
json work_of(const std::string& name, unsigned bytes, const char* type, const char* op) {
  json workload = reduction(name.c_str(), bytes, type, op);
  if (name.starts_with("allgather") || name.starts_with("broadcast")) workload.erase("op");
  return workload;
}

}  // namespace

TEST_CASE("every collective on every engine, native and on RV32") {
  for (const json& workload : kAll) {
    CAPTURE(workload.dump());
    for (const char* processor : {"native", "rv32"}) {
      const Config config = config_of(boards({2, 2, 1, 1}, 2, 1), workload, processor);
      const Result result = agree_on(config, {"rtl", "cosim"});
      CHECK(result.cycles >= result.bound_cycles);
    }
  }
}

TEST_CASE("every operation on every type on the RTL") {
  for (const char* type : {"int32", "int64", "fp32"}) {
    for (const char* op : {"sum", "prod", "max", "min", "mean"}) {
      CAPTURE(type);
      CAPTURE(op);
      agree_on(config_of(boards({2, 2, 1, 1}, 2, 1), reduction("allreduce_nested", 88, type, op)),
               {"cosim"});
    }
  }
}

TEST_CASE("arrays with fewer words than units on the RTL: messages without a body are reduced") {
  for (json workload : kAll) {
    workload["bytes"] = 8;
    CAPTURE(workload.dump());
    agree_on(config_of(boards({2, 2, 1, 1}, 2, 1), workload), {"cosim"});
  }
}

TEST_CASE("boards that reduce as one module") {
  // Two boards: four, which board_test has without reduction, take minutes to build.
  agree_on(config_of(boards({2, 1, 1, 1}, 2, 1), reduction("allreduce_nested", 200, "fp32", "sum")),
           {"rtl-top"});
}

TEST_CASE("one full board: eight main units and four aggregation units") {
  json workload = reduction("allreduce_nested", 1000, "fp32", "sum");
  workload["chunks"] = 2;
  agree_on(config_of(boards({1, 1, 1, 1}, 8, 4), workload), {"rtl"});
  agree_on(
      config_of(boards({1, 1, 1, 1}, 8, 4), reduction("allreduce_boards", 1000, "fp32", "sum")),
      {"cosim"});
}

TEST_CASE("main units over all of their links, and where they have too many or other boards") {
  for (const std::vector<unsigned>& dims : {std::vector{1u, 1u, 1u, 1u},
                                            {2u, 1u, 1u, 1u},
                                            {1u, 3u, 1u, 1u},
                                            {1u, 2u, 2u, 1u},
                                            {2u, 3u, 4u, 1u},
                                            {4u, 1u, 2u, 5u},
                                            {3u, 2u, 1u, 1u},
                                            {1u, 2u, 2u, 2u}}) {
    for (const unsigned bytes : {4u, 8u, 40u, 136u, 1000u, 20000u}) {
      leaves(boards(dims, 8, 4), reduction("allreduce_boards", bytes, "fp32", "sum"));
    }
    leaves(boards(dims, 8, 4), reduction("allreduce_boards", 1000, "int64", "mean"));
    leaves(boards(dims, 3, 2), reduction("allreduce_boards", 1000, "int32", "prod"));
  }
  leaves(boards({2, 2, 1, 1}, 8, 4), reduction("allreduce_boards", 1000, "int32", "max"), "rv32");
  leaves(boards({1, 1, 1, 1}, 8, 4),
         reduction("allreduce_boards", (4u << 20) + 1000, "int32", "min"));
}

TEST_CASE("main units over all of their links take half the time of halving and doubling") {
  const json shape = boards({4, 2, 1, 4}, 8, 4);
  const Result streams = leaves(shape, reduction("allreduce_boards", 65536, "fp32", "sum"));
  json nested = reduction("allreduce_nested", 65536, "fp32", "sum");
  nested["order"] = "bandwidth";
  // With the barrier by messages of 384 nodes.
  CHECK(2 * streams.cycles < 1.3 * leaves(shape, nested).cycles);
}

TEST_CASE("native and RV32 processors send the same messages") {
  for (const json& workload : kAll) {
    if (workload["collective"] == "allreduce") continue;  // Picks by the processor.
    CAPTURE(workload.dump());
    const Result native = leaves(boards({2, 1, 4, 1}, 2, 2), workload);
    const Result rv32 = leaves(boards({2, 1, 4, 1}, 2, 2), workload, "rv32");
    CHECK(rv32.messages == native.messages);
    CHECK(rv32.flits == native.flits);
    CHECK(rv32.cycles > native.cycles);
  }
}

TEST_CASE("sizes 1, 2, 4 and 8, one to eight main units, one to four aggregation units") {
  const std::vector<json> shapes = {
      boards({1, 1, 1, 1}, 1, 1), boards({1, 1, 1, 1}, 8, 4), boards({2, 1, 1, 1}, 1, 4),
      boards({8, 1, 1, 1}, 3, 2), boards({1, 8, 2, 1}, 5, 1), boards({4, 2, 1, 4}, 2, 3),
      boards({1, 2, 1, 2}, 7, 4), boards({2, 2, 2, 2}, 6, 3), boards({2, 4, 1, 1}, 4, 4)};
  for (const json& shape : shapes) {
    for (const std::string& name : kOnBoards) {
      for (const char* order : {"alphabetical", "bandwidth"}) {
        json workload = work_of(name, 1000, "fp32", "sum");
        workload["order"] = order;
        leaves(shape, workload);
      }
    }
  }
}

TEST_CASE("lengths that do not divide, down to arrays with fewer words than units") {
  for (const json& shape : {boards({2, 1, 2, 1}, 7, 3), boards({1, 4, 1, 1}, 4, 4)}) {
    for (const unsigned bytes : {4u, 8u, 12u, 1000u, 4100u}) {
      for (const std::string& name : kOnBoards) {
        for (const char* processor : {"native", "rv32"}) {
          leaves(shape, work_of(name, bytes, "int32", "sum"), processor);
          leaves(shape, work_of(name, bytes, "fp32", "prod"), processor);
        }
      }
    }
  }
}

TEST_CASE("chunks that follow each other, also more than there are words") {
  for (const std::string name : {"allreduce_nested", "allreduce_flat"}) {
    for (const char* processor : {"native", "rv32"}) {
      for (const unsigned chunks : {2u, 5u, 40u}) {
        for (const unsigned bytes : {8u, 1000u, 20000u}) {
          json workload = reduction(name.c_str(), bytes, "fp32", "sum");
          workload["chunks"] = chunks;
          leaves(boards({2, 2, 1, 2}, 3, 4), workload, processor);
        }
      }
    }
  }
}

TEST_CASE("transit data along X, Y and Z stored in main units' memories") {
  for (const char* name : {"allreduce_nested", "allreduce_flat"}) {
    json workload = reduction(name, 1000, "fp32", "sum");
    workload["transit"] = "store_and_forward";
    for (const char* processor : {"native", "rv32"}) {
      agree_on(config_of(boards({2, 2, 1, 1}, 2, 1), workload, processor), {"rtl", "cosim"});
      // Shares are messages of their own, and sent on twice.
      const json shape = boards({2, 4, 1, 2}, 3, 2);
      const Result stored = leaves(shape, workload, processor);
      workload["transit"] = "cut_through";
      CHECK(stored.messages > leaves(shape, workload, processor).messages);
      workload["transit"] = "store_and_forward";
    }
    for (const json& shape : {boards({4, 1, 1, 1}, 2, 2), boards({1, 2, 2, 2}, 8, 4),
                              boards({2, 1, 4, 1}, 1, 3), boards({1, 1, 1, 8}, 5, 1)}) {
      for (const unsigned bytes : {4u, 100u, 1000u, 20000u}) {
        for (const char* order : {"alphabetical", "bandwidth"}) {
          workload["bytes"] = bytes;
          workload["order"] = order;
          leaves(shape, workload);
          leaves(shape, workload, "rv32");
        }
      }
    }
  }
}

// The last round divides, and mails arrive from many neighbours before it: a NIC takes a new
// setting only when no write is in flight.
TEST_CASE("means: the division is in force before the words that it is for") {
  const std::vector<std::pair<json, unsigned>> cases = {
      {boards({1, 1, 4, 4}, 2, 1), 2000},  {boards({5, 4, 1, 1}, 1, 1), 20000},
      {boards({3, 3, 3, 1}, 2, 1), 5000},  {boards({4, 4, 2, 1}, 1, 2), 720},
      {boards({2, 2, 2, 4}, 3, 2), 10000}, {boards({1, 4, 1, 1}, 8, 4), 3000}};
  for (const auto& [shape, bytes] : cases) {
    leaves(shape, reduction("allreduce_bucket", bytes, "fp32", "mean"));
    leaves(shape, reduction("allreduce", bytes, "int32", "mean"));
    leaves(shape, reduction("allreduce_bucket", bytes, "int64", "mean"), "rv32");
  }
}

// The program of `allreduce` is the largest: the stack must fit beside it.
TEST_CASE("allreduce picks on RV32") {
  for (const unsigned bytes : {64u, 1000u, 200000u}) {
    for (const unsigned size : {2u, 3u}) {
      leaves(boards({2, size, 1, 1}, 2, 1), reduction("allreduce", bytes, "fp32", "sum"), "rv32");
    }
  }
}

TEST_CASE("roots on every board") {
  for (unsigned root = 0; root < 24; root += 5) {
    for (const char* name : {"broadcast_nested", "reduce_nested"}) {
      leaves(boards({2, 1, 4, 1}, 3, 2),
             {{"collective", name}, {"bytes", 1000}, {"root", root}, {"type", "fp32"}});
    }
  }
}

TEST_CASE("rings of any number of members, and pairs of powers of two") {
  for (const char* processor : {"native", "rv32"}) {
    for (const unsigned bytes : {4u, 12u, 1000u, 4100u}) {
      for (const char* op : {"sum", "mean", "prod"}) {
        const json ring = reduction("allreduce_ring", bytes, "fp32", op);
        leaves(boards({3, 2, 1, 1}, 5, 2), ring, processor);
        leaves({{"kind", "torus"}, {"dims", {3, 5}}}, ring, processor);
        leaves({{"kind", "hier_crossbar"}, {"dims", {3, 2}}}, ring, processor);
      }
      for (const char* name : {"allreduce_recursive_doubling", "allreduce_rabenseifner"}) {
        const json pairs = reduction(name, bytes, "fp32", "sum");
        leaves(boards({2, 1, 2, 1}, 4, 1), pairs, processor);
        leaves({{"kind", "mesh"}, {"dims", {4, 2}}}, pairs, processor);
      }
    }
  }
}

TEST_CASE("an array of two turns, with a barrier between them") {
  const Result result = leaves(boards({1, 1, 1, 1}, 2, 2),
                               reduction("allreduce_nested", (4u << 20) + 1000, "int32", "max"));
  REQUIRE(result.barriers.has_value());
  CHECK(result.barriers->count == 1);
}

TEST_CASE("another seed: other data, in as many cycles") {
  Config config = config_of(boards({2, 2, 1, 1}, 2, 1), kAll.front());
  const Result first = run_on(config, "model");
  ++config.seed;
  const Result second = run_on(config, "model");
  CHECK(second.verified());
  CHECK(second.digest != first.digest);
  CHECK(second.cycles == first.cycles);
}
