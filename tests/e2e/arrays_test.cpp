// Collectives on arrays on every kind of network: what they must leave in every member's memory,
// natively and on RV32, and the same cycles and digest on all engines.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

const std::vector<const char*> kNetworks = {
    R"({"kind": "torus", "dims": [4, 4]})",
    R"({"kind": "torus", "dims": [3, 2, 3]})",
    R"({"kind": "torus", "dims": [5]})",
    R"({"kind": "mesh", "dims": [5, 3]})",
    R"({"kind": "full_crossbar", "pes": 13})",
    R"({"kind": "hier_crossbar", "dims": [4, 4]})",
    R"({"kind": "crossbar_2d", "dims": [3, 5]})",
    R"({"kind": "fat_tree", "levels": 4})",
    R"({"kind": "omega", "levels": 4})",
    R"({"kind": "dce", "n": 3, "y_bits": 2, "delta": 1})",
    R"({"kind": "mdce", "n": 2, "B": 1, "C": 1, "P": 1})",
    R"({"kind": "board", "dims": [2, 1, 2, 1], "mains": 2, "aggregators": 1})",
    R"({"kind": "board", "dims": [3, 1, 1, 1], "mains": 3, "aggregators": 2})"};

const std::vector<const char*> kNames = {"allreduce",
                                         "allreduce_bine",
                                         "allreduce_direct",
                                         "allreduce_lines",
                                         "allreduce_rabenseifner",
                                         "allreduce_recursive_doubling",
                                         "allreduce_ring",
                                         "allreduce_rings",
                                         "allreduce_swing",
                                         "allreduce_swing_whole",
                                         "allreduce_tree",
                                         "allreduce_tree_links",
                                         "allreduce_trivance",
                                         "allreduce_trivance_whole",
                                         "allgather",
                                         "allgather_direct",
                                         "allgather_ring",
                                         "allgather_tree",
                                         "broadcast",
                                         "broadcast_binomial",
                                         "broadcast_scatter",
                                         "reduce",
                                         "reduce_binomial",
                                         "reduce_gather",
                                         "reduce_scatter",
                                         "reduce_scatter_direct",
                                         "reduce_scatter_ring",
                                         "reduce_scatter_tree"};

json work_of(const std::string& name, unsigned bytes, const char* type, const char* op) {
  json work = {{"collective", name}, {"bytes", bytes}, {"type", type}};
  if (!name.starts_with("allgather") && !name.starts_with("broadcast")) work["op"] = op;
  const bool rooted = name.starts_with("broadcast") || name == "reduce" ||
                      name.starts_with("reduce_b") || name.starts_with("reduce_g");
  if (rooted) work["root"] = 2;
  return work;
}

json document(const json& topology, const json& work, const char* processor = "native") {
  json all = {{"topology", topology}, {"processor", processor}, {"workload", work}};
  const std::string name = work.at("collective");
  if (name.ends_with("_tree") || name == "allreduce_tree_links") all["combining"] = "tree";
  return all;
}

// With barrier units and a combining tree.
json with_hardware(json config) {
  config["barrier"] = "hardware";
  config["combining"] = "tree";
  return config;
}

// Words are compared, all of them are right, and no run is faster than the bound.
void leaves(const json& config) {
  CAPTURE(config.dump());
  const Result result = run_on(parse_config(config, "test"), "model");
  CHECK(result.verified());
  CHECK(result.cycles >= result.bound_cycles);
  const auto compared = [](const std::string& note) {
    return note.find(" words compared") != std::string::npos && note.rfind("0 words", 0) != 0;
  };
  CHECK(std::any_of(result.notes.begin(), result.notes.end(), compared));
}

}  // namespace

TEST_CASE("every collective on every network") {
  for (const char* network : kNetworks) {
    const json topology = json::parse(network);
    for (const char* name : kNames) {
      leaves(document(topology, work_of(name, 1000, "fp32", "mean")));
      leaves(document(topology, work_of(name, 8, "int64", "min")));
      leaves(document(topology, work_of(name, 4, "int32", "prod"), "rv32"));
      leaves(document(topology, work_of(name, 2056, "fp32", "sum"), "rv32"));
    }
  }
}

TEST_CASE("all pairs at once where routers have several nodes, or are linked in groups") {
  for (const char* network :
       {R"({"kind": "hyperx", "dims": [5]})", R"({"kind": "hyperx", "dims": [3, 2, 4]})",
        R"({"kind": "hyperx", "dims": [2, 3], "nodes_per_router": 2})",
        R"({"kind": "hypercube", "dimensions": 4})", R"({"kind": "ring", "nodes": 6})",
        R"({"kind": "dragonfly", "p": 2, "a": 3, "h": 1})",
        R"({"kind": "tree", "radix": 3, "levels": 2})",
        R"({"kind": "tree", "radix": 2, "levels": 3})"}) {
    const json topology = json::parse(network);
    for (const char* name : {"allreduce_direct", "reduce_scatter_direct", "allgather_direct"}) {
      leaves(document(topology, work_of(name, 9000, "fp32", "mean")));
      leaves(document(topology, work_of(name, 24, "int64", "sum")));
      leaves(document(topology, work_of(name, 4, "int32", "prod"), "rv32"));
      leaves(document(topology, work_of(name, 5000, "fp32", "max"), "rv32"));
      json config = document(topology, work_of(name, 20008, "int32", "sum"));
      leaves(config);
      config["nic"] = {{"controllers", 2}};
      config["router"] = {{"vcs", 4}};
      leaves(config);
      config["nic"] = {{"controllers", 1}, {"packet_flits", 5}};
      leaves(config);
    }
  }
}

TEST_CASE("long arrays: several turns, and messages of several packets") {
  const json torus = json::parse(R"({"kind": "torus", "dims": [3, 3]})");
  leaves(document(torus, work_of("allreduce_rings", 4500000, "int32", "mean")));
  leaves(document(torus, work_of("reduce_scatter_ring", 4500000, "int32", "sum")));
  leaves(document(torus, work_of("allgather_ring", 4500000, "int32", "")));
  leaves(document(torus, work_of("allgather_tree", 4500000, "int32", "")));
  leaves(document(torus, work_of("allgather_direct", 4500000, "int32", "")));
  leaves(document(torus, work_of("reduce_scatter_direct", 4500000, "int32", "mean")));
  leaves(document(torus, work_of("allreduce_tree_links", 4500000, "fp32", "mean")));
  leaves(document(torus, work_of("allreduce_tree", 4500000, "int64", "max")));
}

TEST_CASE("rings where dimensions of one node have no links") {
  for (const char* dims : {"[1, 4]", "[2, 1, 3]", "[1, 3, 1, 2]"}) {
    const json torus = {{"kind", "torus"}, {"dims", json::parse(dims)}};
    leaves(document(torus, work_of("allreduce_rings", 3000, "fp32", "mean")));
    leaves(document(torus, work_of("allreduce", 300000, "fp32", "mean")));
  }
}

TEST_CASE("rings where messages may overtake each other go round by round") {
  json config = document(json::parse(R"({"kind": "torus", "dims": [3, 4]})"),
                         work_of("allreduce_rings", 2000, "fp32", "sum"));
  config["router"] = {{"vcs", 4}};
  leaves(config);
  config["router"] = {{"vcs", 2}, {"dateline", "balanced"}};
  leaves(config);
  config["router"] = {{"vcs", 2}};
  config["nic"] = {{"controllers", 2}};
  leaves(config);
}

TEST_CASE("lines of a mesh that keeps the order of messages") {
  for (const char* dims : {"[5, 3]", "[3, 2, 3]", "[7]", "[1, 4]"}) {
    json config = document({{"kind", "mesh"}, {"dims", json::parse(dims)}},
                           work_of("allreduce_lines", 3000, "fp32", "mean"));
    config["router"] = {{"vcs", 1}};
    leaves(config);
    config["workload"] = work_of("allreduce_lines", 24, "int32", "prod");
    config["processor"] = "rv32";
    leaves(config);
  }
  json config = document(json::parse(R"({"kind": "mesh", "dims": [5, 3]})"),
                         work_of("allreduce_lines", 16384, "int64", "min"));
  config["router"] = {{"vcs", 1}};
  const auto cycles = [&] { return run_on(parse_config(config, "test"), "model").cycles; };
  const auto lines = cycles();
  config["workload"]["collective"] = "allreduce_rings";
  CHECK(lines < cycles());
}

TEST_CASE("allreduce picks by network, length, processor and order of messages") {
  const json mesh = json::parse(R"({"kind": "mesh", "dims": [2, 2]})");
  const json torus = json::parse(R"({"kind": "torus", "dims": [3, 3]})");
  const json boards =
      json::parse(R"({"kind": "board", "dims": [2, 2, 1, 1], "mains": 2, "aggregators": 1})");
  const auto picked = [](const json& topology, unsigned bytes, const char* processor,
                         unsigned vcs) {
    json config =
        with_hardware(document(topology, work_of("allreduce", bytes, "int32", "sum"), processor));
    config["router"] = {{"vcs", vcs}};
    const Result result = run_on(parse_config(config, "test"), "model");
    CHECK(result.verified());
    return result.picked;
  };
  CHECK(picked(mesh, 16384, "native", 1) == "allreduce_tree_links");
  CHECK(picked(mesh, 16384, "native", 2) == "allreduce_direct");
  CHECK(picked(mesh, 16384, "rv32", 1) == "allreduce_tree");
  CHECK(picked(mesh, 2048, "native", 1) == "allreduce_tree");
  CHECK(picked(torus, 4096, "native", 2) == "allreduce_tree_links");
  CHECK(picked(torus, 1024, "native", 2) == "allreduce_tree");
  CHECK(picked(torus, 4096, "rv32", 2) == "allreduce_tree");
  CHECK(picked(torus, 163840, "rv32", 2) == "allreduce_tree_links");
  CHECK(picked(boards, 32768, "native", 2) == "allreduce_tree");
  CHECK(picked(boards, 32768, "rv32", 2) == "allreduce_tree");
  const auto full = [](std::vector<unsigned> dims) {
    return json{{"kind", "board"}, {"dims", dims}, {"mains", 8}, {"aggregators", 4}};
  };
  CHECK(picked(full({1, 2, 2, 1}), 16384, "native", 2) == "allreduce_tree_links");
  CHECK(picked(full({1, 2, 2, 1}), 16384, "native", 3) == "allreduce_nested");
  CHECK(picked(full({3, 2, 1, 1}), 32768, "native", 2) == "allreduce_bucket");
}

TEST_CASE("all pairs at once are picked where they are faster than tree and ring") {
  const auto picked = [](const char* network, const char* name, unsigned bytes,
                         const char* processor = "native") {
    const json config = with_hardware(
        document(json::parse(network), work_of(name, bytes, "int32", "sum"), processor));
    const Result result = run_on(parse_config(config, "test"), "model");
    CHECK(result.verified());
    return result.picked;
  };
  const char* full = R"({"kind": "hyperx", "dims": [8]})";
  CHECK(picked(full, "allreduce", 65536) == "allreduce_direct");
  CHECK(picked(full, "reduce_scatter", 65536) == "reduce_scatter_direct");
  CHECK(picked(full, "allgather", 65536) == "allgather_direct");
  CHECK(picked(full, "allreduce", 512) == "allreduce_tree");
  CHECK(picked(full, "allreduce", 16384, "rv32") == "allreduce_tree");
  CHECK(picked(full, "allreduce", 262144, "rv32") == "allreduce_direct");
  const char* ring = R"({"kind": "ring", "nodes": 8})";
  CHECK(picked(ring, "reduce_scatter", 65536) == "reduce_scatter_ring");
  CHECK(picked(ring, "allreduce", 65536) == "allreduce_tree");
}

TEST_CASE("allreduce picks by network, length, processor and order of messages, by messages") {
  const auto picked = [](const char* network, unsigned bytes, const char* processor) {
    const json config =
        document(json::parse(network), work_of("allreduce", bytes, "int32", "sum"), processor);
    const Result result = run_on(parse_config(config, "test"), "model");
    CHECK(result.verified());
    return result.picked;
  };
  const char* torus = R"({"kind": "torus", "dims": [4, 4]})";
  CHECK(picked(torus, 64, "native") == "allreduce_direct");
  CHECK(picked(torus, 16384, "native") == "allreduce_rings");
  CHECK(picked(torus, 64, "rv32") == "allreduce_rabenseifner");
  const char* crossbar = R"({"kind": "full_crossbar", "pes": 16})";
  CHECK(picked(crossbar, 64, "rv32") == "allreduce_recursive_doubling");
  CHECK(picked(R"({"kind": "mesh", "dims": [4, 4]})", 16384, "native") == "allreduce_swing");
  const char* boards = R"({"kind": "board", "dims": [2, 1, 1, 1]})";
  CHECK(picked(boards, 64, "native") == "allreduce_direct");
  CHECK(picked(boards, 65536, "native") == "allreduce_boards");
  CHECK(picked(boards, 4096, "rv32") == "allreduce_rabenseifner");
}

TEST_CASE("without a combining tree networks of 16 nodes differ in what they take") {
  for (const char* processor : {"native", "rv32"}) {
    std::set<std::uint64_t> cycles;
    for (const char* network :
         {R"({"kind": "ring", "nodes": 16})", R"({"kind": "mesh", "dims": [4, 4]})",
          R"({"kind": "hypercube", "dimensions": 4})", R"({"kind": "full_crossbar", "pes": 16})",
          R"({"kind": "hyperx", "dims": [4, 4]})",
          R"({"kind": "dragonfly", "p": 4, "a": 1, "h": 3})"}) {
      const json config =
          document(json::parse(network), work_of("allreduce", 4096, "int32", "sum"), processor);
      const Result result = run_on(parse_config(config, "test"), "model");
      CAPTURE(network);
      CHECK(result.verified());
      CHECK(result.picked.find("_tree") == std::string::npos);
      cycles.insert(result.cycles);
    }
    CHECK(cycles.size() == 6);
  }
}

TEST_CASE("picks by messages: nearly the fastest") {
  const std::vector<std::pair<const char*, std::vector<const char*>>> collectives = {
      {"allreduce",
       {"allreduce_direct", "allreduce_rings", "allreduce_swing", "allreduce_rabenseifner"}},
      {"reduce_scatter", {"reduce_scatter_direct", "reduce_scatter_ring"}},
      {"allgather", {"allgather_direct", "allgather_ring"}},
      {"broadcast", {"broadcast_binomial", "broadcast_scatter"}},
      {"reduce", {"reduce_binomial", "reduce_gather"}}};
  for (const char* network :
       {R"({"kind": "hyperx", "dims": [8]})", R"({"kind": "hyperx", "dims": [4, 4]})",
        R"({"kind": "ring", "nodes": 8})", R"({"kind": "torus", "dims": [4, 4]})",
        R"({"kind": "full_crossbar", "pes": 16})"}) {
    for (const unsigned bytes : {64u, 4096u, 65536u}) {
      for (const auto& [picker, names] : collectives) {
        const auto run_of = [&](const std::string& name) {
          json work = {{"collective", name}, {"bytes", bytes}};
          return run_on(parse_config(document(json::parse(network), work), "test"), "model");
        };
        const Result best = run_of(picker);
        std::uint64_t least = best.cycles;
        for (const char* name : names) least = std::min(least, run_of(name).cycles);
        CAPTURE(network);
        CAPTURE(bytes);
        CAPTURE(best.picked);
        CHECK(100 * best.cycles <= 105 * least);
      }
    }
  }
}

TEST_CASE("barriers by messages: streams, all pairs at once and turns, on every engine") {
  const std::vector<std::pair<const char*, const char*>> runs = {
      {R"({"kind": "torus", "dims": [3, 2]})", "allreduce_rings"},
      {R"({"kind": "torus", "dims": [3, 3]})", "allreduce_direct"},
      {R"({"kind": "mesh", "dims": [3, 2]})", "allreduce_lines"},
      {R"({"kind": "hyperx", "dims": [2, 2], "nodes_per_router": 2})", "allreduce_direct"},
      {R"({"kind": "hypercube", "dimensions": 3})", "reduce_scatter_direct"},
      {R"({"kind": "full_crossbar", "pes": 5})", "allgather_direct"}};
  for (const auto& [network, name] : runs) {
    for (const char* processor : {"native", "rv32"}) {
      json config = document(json::parse(network), work_of(name, 600, "fp32", "mean"), processor);
      if (std::string(name) == "allreduce_lines") config["router"] = {{"vcs", 1}};
      CAPTURE(config.dump());
      const Result result = agree_on(parse_config(config, "test"), {"flit", "cosim"});
      REQUIRE((result.barriers || std::string(name) == "allgather_direct"));
      // With barrier units there are as many, or one less between reduce-scatter and allgather.
      config["barrier"] = "hardware";
      const Result hardware = run_on(parse_config(config, "test"), "model");
      const auto count = [](const Result& r) { return r.barriers ? r.barriers->count : 0; };
      CHECK(count(result) >= count(hardware));
      CHECK(count(result) <= count(hardware) + 1);
      if (count(hardware) != 0) CHECK(result.messages > hardware.messages);
    }
  }
}

TEST_CASE("barriers by messages between the turns of long arrays") {
  const std::vector<std::pair<const char*, const char*>> runs = {
      {R"({"kind": "torus", "dims": [2, 2]})", "allreduce_rings"},
      {R"({"kind": "torus", "dims": [2, 2]})", "allreduce_direct"},
      {R"({"kind": "torus", "dims": [3]})", "allreduce_ring"},
      {R"({"kind": "torus", "dims": [3]})", "broadcast_binomial"},
      {R"({"kind": "hyperx", "dims": [2, 2]})", "reduce_gather"},
      {R"({"kind": "board", "dims": [1, 2, 1, 1], "mains": 2, "aggregators": 1})",
       "allreduce_nested"},
      {R"({"kind": "board", "dims": [1, 2, 1, 1], "mains": 2, "aggregators": 1})", "reduce_nested"},
      {R"({"kind": "board", "dims": [3, 1, 1, 1], "mains": 2, "aggregators": 1})",
       "allreduce_bucket"}};
  for (const auto& [network, name] : runs) {
    leaves(document(json::parse(network), work_of(name, 9000000, "int32", "mean")));
  }
}

TEST_CASE("peers on tori whose sizes are powers of 2, of 3, and neither") {
  for (const char* dims : {"[8]", "[4, 8]", "[9, 3]", "[27]", "[2, 1, 2]", "[6, 5]", "[3, 2, 7]"}) {
    const json torus = {{"kind", "torus"}, {"dims", json::parse(dims)}};
    for (const char* name : {"allreduce_swing", "allreduce_swing_whole", "allreduce_bine",
                             "allreduce_trivance", "allreduce_trivance_whole"}) {
      leaves(document(torus, work_of(name, 1500, "fp32", "mean")));
      leaves(document(torus, work_of(name, 40, "int64", "sum"), "rv32"));
    }
  }
}

TEST_CASE("rings, trees, pairs and all pairs on every engine") {
  for (const char* name :
       {"allreduce_rings", "allreduce_tree", "broadcast_tree", "reduce_tree",
        "allreduce_rabenseifner", "broadcast_binomial", "allreduce_lines", "allreduce_direct"}) {
    json work = work_of(name, 200, "fp32", "sum");
    if (std::string(name) == "reduce_tree") work["root"] = 3;
    for (const char* processor : {"native", "rv32"}) {
      const json config =
          document(json::parse(R"({"kind": "torus", "dims": [3, 2]})"), work, processor);
      CAPTURE(config.dump());
      agree_on(parse_config(config, "test"), {"flit", "rtl", "cosim"});
    }
  }
}
