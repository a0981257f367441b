// All-to-all in packet-time slots: schedules of all kinds of networks, checked message by message
// on the links; and the driver that executes them.
#include "sim/schedule/schedule.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/schedule/cache.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json plan_of(json topology, unsigned controllers = 1) {
  const bool crossbars = topology["kind"].get<std::string>().ends_with("crossbar") ||
                         topology["kind"] == "crossbar_2d";
  json document = {{"topology", std::move(topology)},
                   {"workload", {{"collective", "a2a"}, {"message_flits", 8}}}};
  if (!crossbars) {
    document["nic"] = {{"controllers", controllers}};
    document["router"] = {{"vcs", 4}};
  }
  return document;
}

json plan_of_grid(const char* kind, const std::vector<unsigned>& dims) {
  const auto ways = static_cast<unsigned>(2 * dims.size());
  return plan_of({{"kind", kind}, {"dims", dims}}, ways);
}

// Messages over the busiest link when every node sends one to every other on its route.
std::uint64_t busiest_link(const Graph& graph) {
  LinkLoad load(graph);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (src != dst) load.add(src, dst, 1);
    }
  }
  return load.bound();
}

struct Scheduled {
  Graph graph;
  Schedule schedule;
};

Scheduled scheduled(const json& document, SlotTime time) {
  const Config config = parse_config(document, "test");
  Graph graph = build_graph(config);
  Schedule schedule = make_schedule(graph, time, 3'000'000);
  return {std::move(graph), std::move(schedule)};
}

TEST_CASE("every message has a slot, and no link two packets in one, on all kinds of networks") {
  const std::vector<json> documents = {
      plan_of_grid("torus", {5, 5}),
      plan_of_grid("torus", {4, 6}),
      plan_of_grid("torus", {2, 3, 4}),
      plan_of_grid("torus", {2, 2, 2}),
      plan_of_grid("torus", {1, 7}),
      plan_of_grid("torus", {2}),
      plan_of_grid("mesh", {4, 3}),
      plan_of_grid("mesh", {5}),
      plan_of({{"kind", "torus"}, {"dims", {4, 4}}}),
      plan_of({{"kind", "torus"}, {"dims", {4, 4}}}, 2),
      plan_of({{"kind", "torus"}, {"dims", {3, 4, 3}}}, 4),
      plan_of({{"kind", "mesh"}, {"dims", {4, 4}}}, 3),
      plan_of({{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 1}}),
      plan_of({{"kind", "dce"}, {"n", 3}, {"y_bits", 3}, {"delta", 0}}, 2),
      plan_of({{"kind", "mdce"}, {"n", 3}, {"B", 0}, {"C", 1}, {"P", 3}}, 2),
      plan_of({{"kind", "full_crossbar"}, {"pes", 9}}),
      plan_of({{"kind", "hier_crossbar"}, {"dims", {4, 3}}}),
      plan_of({{"kind", "hier_crossbar"}, {"dims", {3, 2, 2}}}),
      plan_of({{"kind", "crossbar_2d"}, {"dims", {4, 3}}}),
      plan_of({{"kind", "fat_tree"}, {"levels", 4}}),
      plan_of({{"kind", "fat_tree"}, {"levels", 3}}, 2),
      plan_of({{"kind", "omega"}, {"levels", 4}}),
      plan_of({{"kind", "omega"}, {"levels", 3}}, 2),
      plan_of({{"kind", "board"}, {"dims", {2, 1, 2, 1}}, {"mains", 3}, {"aggregators", 2}}, 2)};
  for (const json& document : documents) {
    for (const SlotTime time : {SlotTime::kStoreForward, SlotTime::kCutThrough}) {
      if (time == SlotTime::kStoreForward && !document.contains("router")) continue;
      CAPTURE(document.dump());
      CAPTURE(static_cast<int>(time));
      const auto [graph, schedule] = scheduled(document, time);
      CHECK(wrong_with(graph, time, schedule.tables) == "");
      CHECK(schedule.tables.slots >= schedule.tables.load);
    }
  }
}

TEST_CASE("schedules are as short as the load of the busiest link allows") {
  for (const std::vector<unsigned>& dims :
       std::vector<std::vector<unsigned>>{{5, 5}, {6, 6}, {7, 5}, {6, 4, 5}, {9}, {3, 3, 3}}) {
    CAPTURE(dims);
    const auto [graph, schedule] = scheduled(plan_of_grid("torus", dims), SlotTime::kStoreForward);
    CHECK(schedule.tables.slots == busiest_link(graph));
  }
  for (const unsigned size : {4u, 8u}) {
    const auto [graph, schedule] =
        scheduled(plan_of_grid("mesh", {size, size}), SlotTime::kStoreForward);
    CHECK(schedule.tables.slots == busiest_link(graph));
  }
  const auto [graph, schedule] =
      scheduled(plan_of({{"kind", "hier_crossbar"}, {"dims", {16, 4}}}), SlotTime::kCutThrough);
  CHECK(schedule.tables.slots == 63);
  struct Near {
    std::vector<unsigned> dims;
    std::uint32_t slots;  // At most.
  };
  for (const Near& bound : {Near{{8, 8}, 66}, {{4, 4, 4}, 34}, {{16, 16}, 545}}) {
    const auto& [dims, slots] = bound;
    CAPTURE(bound.dims);
    const auto [torus, near] = scheduled(plan_of_grid("torus", dims), SlotTime::kStoreForward);
    CHECK(near.tables.load == busiest_link(torus));
    CHECK(near.tables.slots <= slots);
  }
}

TEST_CASE("the same network has the same schedule") {
  const json document = plan_of_grid("torus", {8, 8});
  CHECK(scheduled(document, SlotTime::kStoreForward).schedule.tables ==
        scheduled(document, SlotTime::kStoreForward).schedule.tables);
}

TEST_CASE("the check finds what is wrong") {
  const Scheduled whole = scheduled(plan_of_grid("torus", {5, 5}), SlotTime::kStoreForward);
  const auto wrong = [&](auto change) {
    SlotTables tables = whole.schedule.tables;
    change(tables);
    return wrong_with(whole.graph, SlotTime::kStoreForward, tables);
  };
  CHECK(wrong([](SlotTables&) {}) == "");
  CHECK(wrong([](SlotTables& t) { t.rows[3].slot += 1; }).find("are both in slot") !=
        std::string::npos);
  CHECK(wrong([](SlotTables& t) { t.rows[3].to = t.rows[4].to; }).find("twice") !=
        std::string::npos);
  CHECK(wrong([](SlotTables& t) { t.slots -= 1; }).find("ends after") != std::string::npos);
  CHECK(wrong([](SlotTables& t) { t.rows.pop_back(); }).find("another network") !=
        std::string::npos);
}

TEST_CASE("too many nodes are refused") {
  CHECK_THROWS_WITH_AS(
      scheduled(plan_of_grid("mesh", {32, 32}), SlotTime::kStoreForward),
      "a schedule for 1024 nodes: expected: up to 512 on a network without known translations",
      ConfigError);
}

// What the driver does in simulation.

// A cache for the runs of this test alone.
class OwnCache {
 public:
  OwnCache() {
    fs::create_directories(folder_);
    unsetenv("WEFT_CACHE");
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~OwnCache() {
    setenv("WEFT_CACHE", "off", 1);
    fs::remove_all(folder_);
  }

 private:
  const fs::path folder_ =
      fs::temp_directory_path() / fmt::format("weft_schedule_runs.{}", getpid());
};

json job_of(json document, const char* processor, unsigned flits, unsigned packet) {
  document["workload"] = {{"collective", "a2a_scheduled"}, {"message_flits", flits}};
  document["processor"] = processor;
  document["nic"]["packet_flits"] = packet;
  if (document.contains("router")) {
    document["router"]["switching"] = "store_forward";
    document["router"]["vc_depth"] = packet + 3;
  }
  return document;
}

Result outcome_of(const json& document) {
  const Config config = parse_config(document, "test");
  Result result = run(config, build_graph(config), RunOptions{});
  CHECK(result.verified());
  return result;
}

TEST_CASE("the driver executes the schedules of all kinds of networks") {
  const OwnCache cache;
  const std::vector<json> documents = {
      plan_of_grid("torus", {5, 5}),
      plan_of_grid("torus", {4, 4}),
      plan_of_grid("torus", {3, 2, 4}),
      plan_of_grid("mesh", {4, 3}),
      plan_of({{"kind", "dce"}, {"n", 4}, {"y_bits", 3}, {"delta", 1}}),
      plan_of({{"kind", "hier_crossbar"}, {"dims", {4, 3}}}),
      plan_of({{"kind", "fat_tree"}, {"levels", 4}}),
      plan_of({{"kind", "omega"}, {"levels", 3}}, 2),
      plan_of({{"kind", "board"}, {"dims", {2, 1, 2, 1}}, {"mains", 3}, {"aggregators", 2}}, 3)};
  for (const json& document : documents) {
    CAPTURE(document.dump());
    for (const char* processor : {"native", "rv32"}) {
      CAPTURE(processor);
      for (const unsigned flits : {1u, 40u, 100u})
        outcome_of(job_of(document, processor, flits, 40));
    }
  }
}

TEST_CASE("on tori and meshes it takes the slots of the schedule, and few cycles more") {
  const OwnCache cache;
  for (const json& document : {plan_of_grid("torus", {5, 5}), plan_of_grid("torus", {8, 8}),
                               plan_of_grid("torus", {6, 4, 5}), plan_of_grid("mesh", {6, 6})}) {
    for (const bool rv32 : {false, true}) {
      for (const unsigned parts : {1u, 3u}) {
        CAPTURE(document.dump());
        CAPTURE(rv32);
        CAPTURE(parts);
        const unsigned packet = 120;
        const json job = job_of(document, rv32 ? "rv32" : "native", parts * packet, packet);
        const Config config = parse_config(job, "test");
        const Graph graph = build_graph(config);
        const SlotTables tables =
            make_schedule(graph, slot_time(config, graph), kScheduleEffort, cache_folder()).tables;
        const Result result = outcome_of(job);
        // Into the last interface, and into its memory, a slot each.
        const std::uint64_t slots = std::uint64_t{parts} * tables.slots + 2;
        CHECK(result.cycles >= (slots - 2) * (packet + 1));
        CHECK(result.cycles <= slots * (packet + 1) + (rv32 ? 250 : 40));
      }
    }
  }
}

// Messages of a packet each would need two slots of 253 cycles more than the schedule.
TEST_CASE("blocks are cut where that ends sooner: 1.05 of the bound and less") {
  const OwnCache cache;
  for (const json& document : {plan_of_grid("torus", {7, 5}), plan_of_grid("torus", {8, 8}),
                               plan_of_grid("torus", {6, 4, 5}), plan_of_grid("mesh", {8, 8})}) {
    CAPTURE(document.dump());
    const Result result = outcome_of(job_of(document, "native", 252, 252));
    CHECK(result.cycles <= 1.04 * static_cast<double>(result.bound_cycles));
  }
}

TEST_CASE("on RV32 a message costs little") {
  const OwnCache cache;
  // A header each, so that the processor is the bottleneck: less its start, and the end.
  const Result result = outcome_of(job_of(plan_of_grid("torus", {16, 16}), "rv32", 1, 1));
  CHECK(result.cycles < 255 * 20 + 1200);
}

}  // namespace
}  // namespace weft
