// Schedules from the cache are those that are computed without one, whatever ran before; and files
// of the cache that are damaged, or of something else, are not used.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/schedule/cache.hpp"
#include "sim/schedule/schedule.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/small_networks.hpp"

namespace weft {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

SlotProblem schedule_problem(const json& topology) {
  const json document = {{"topology", topology},
                         {"workload", {{"collective", "a2a"}, {"message_flits", 1}}}};
  const Config config = parse_config(document, "test");
  return all_messages(build_graph(config), SlotTime::kStoreForward).problem;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST_CASE("the cache gives what was computed, and is made again where it is damaged") {
  const small::Folder folder("schedule_cache");
  const SlotProblem problem = schedule_problem({{"kind", "torus"}, {"dims", {4, 4}}});
  const auto cached = [&](std::uint64_t effort = 1000) {
    return cached_packing(problem, effort, folder.path());
  };
  const Packing direct = cached_packing(problem, 1000, "");
  CHECK(direct == pack(problem, 1000));
  CHECK(cached() == direct);
  REQUIRE(files_in(folder.path()) == 1);
  const fs::path file = fs::directory_iterator(folder.path())->path();
  const std::string good = contents_of(file);
  CHECK(cached() == direct);
  for (const std::size_t at :
       {std::size_t{0}, good.find('\n') + 3, good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    std::ofstream(file, std::ios::binary) << bad;
    CHECK(cached() == direct);
    CHECK(contents_of(file) == good);
  }
  fs::resize_file(file, good.size() / 2);
  CHECK(cached() == direct);
  CHECK(contents_of(file) == good);
  // Another effort is another packing.
  cached(2000);
  CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("whatever differs in a problem gives it a file of its own") {
  const small::Folder folder("schedule_keys");
  SlotProblem first = schedule_problem({{"kind", "torus"}, {"dims", {2, 3}}});
  for (std::uint32_t& length : first.lengths) length += 8;  // So that all changes fit into it.
  std::vector<SlotProblem> problems(7, first);
  problems[1].resources += 1;
  problems[2].lanes += 1;
  problems[3].lengths[2] += 1;
  problems[4].uses[5].resource = (first.uses[5].resource + 1) % first.resources;
  problems[5].uses[5].after += 1;
  // The last use of an item goes to the next one.
  problems[6].first[1] -= 1;
  std::size_t files = 0;
  for (const SlotProblem& problem : problems) {
    // By first fit alone: a changed item may be in conflict with itself, which ejection chains,
    // made for items that can be placed, do not expect.
    const Packing packing = cached_packing(problem, 0, folder.path());
    CHECK(files_in(folder.path()) == ++files);
    CHECK(packing == pack(problem, 0));
  }
}

TEST_CASE("the check of a packing finds what is wrong") {
  const SlotProblem problem = schedule_problem({{"kind", "torus"}, {"dims", {3, 3}}});
  const Packing good = pack(problem, 1000);
  REQUIRE(good.slots > 1);
  const auto wrong = [&](auto change) {
    Packing packing = good;
    change(packing);
    return wrong_with(problem, packing);
  };
  CHECK(wrong([](Packing&) {}) == "");
  CHECK(wrong([](Packing& p) { p.start.pop_back(); }) == "a packing of other items");
  CHECK(wrong([](Packing& p) { p.slots = 100000; }).find("slots for items of") !=
        std::string::npos);
  CHECK(wrong([](Packing& p) { --p.slots; }).find("ends after slot") != std::string::npos);
  CHECK(wrong([](Packing& p) { p.start.assign(p.start.size(), 0); }).find("is in use in slot 0") !=
        std::string::npos);
}

// Runs with the cache of a folder, or without one.
Result scheduled_run(const json& document, const fs::path& folder) {
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  folder.empty() ? setenv("WEFT_CACHE", "off", 1) : unsetenv("WEFT_CACHE");
  const Config config = parse_config(document, "test");
  Result result = run(config, build_graph(config), RunOptions{});
  setenv("WEFT_CACHE", "off", 1);
  CHECK(result.verified());
  return result;
}

// Every network with all routings, VCs and controllers that it accepts, whole and with failed
// links, one after the other with one cache: neighbours differ in one setting.
std::vector<json> scheduled_documents(const std::string& graph) {
  std::vector<json> documents;
  for (const json& topology : small::networks(graph)) {
    for (const double failed : {0.0, 0.2}) {
      for (const char* routing : {"auto", "up_down", "shortest", "dimension_order"}) {
        for (const unsigned vcs : {0u, 2u, 8u}) {
          for (const unsigned controllers : {1u, 3u}) {
            json document = {{"topology", topology},
                             {"processor", "native"},
                             {"nic", {{"controllers", controllers}}},
                             {"workload", {{"collective", "a2a_scheduled"}, {"message_flits", 3}}}};
            if (failed != 0) document["topology"]["failed"] = {{"share", failed}, {"seed", 3}};
            if (vcs != 0) document["router"]["vcs"] = vcs;
            if (routing != std::string("auto")) document["router"]["routing"] = routing;
            documents.push_back(std::move(document));
          }
        }
      }
    }
  }
  return documents;
}

bool is_accepted(const json& document) {
  try {
    build_graph(parse_config(document, "test"));
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

TEST_CASE("a schedule does not depend on what ran before") {
  const small::Folder folder("schedule_runs");
  const std::string graph = folder.write("net.json", small::graph_text(3));
  std::vector<std::pair<json, Result>> alone;
  std::set<std::string> kinds;
  for (const json& document : scheduled_documents(graph)) {
    if (!is_accepted(document)) continue;
    CAPTURE(document.dump());
    kinds.insert(document["topology"]["kind"].get<std::string>());
    alone.emplace_back(document, scheduled_run(document, ""));
  }
  CHECK(kinds.size() == topologies().size());
  CHECK(alone.size() > 150);
  for (const char* round : {"filling the cache", "from the cache"}) {
    CAPTURE(round);
    for (const auto& run : alone) {
      const auto& [document, expected] = run;
      CAPTURE(run.first.dump());
      const Result result = scheduled_run(document, folder.path());
      CHECK(result.cycles == expected.cycles);
      CHECK(result.digest == expected.digest);
    }
  }
}

TEST_CASE("a graph whose file has changed has another schedule") {
  const small::Folder folder("schedule_graph");
  const auto runs = [&](const fs::path& cache) {
    std::vector<std::uint64_t> digests;
    for (const unsigned across : {3u, 2u, 4u, 3u}) {
      const std::string file = folder.write("net.json", small::graph_text(across));
      const json document = {
          {"topology", {{"kind", "graph"}, {"file", file}}},
          {"processor", "native"},
          {"workload", {{"collective", "a2a_scheduled"}, {"message_flits", 20}}}};
      digests.push_back(scheduled_run(document, cache).digest);
    }
    return digests;
  };
  const std::vector<std::uint64_t> alone = runs("");
  CHECK(alone[0] == alone[3]);
  CHECK(alone[0] != alone[1]);
  CHECK(runs(folder.path()) == alone);
}

}  // namespace
}  // namespace weft
