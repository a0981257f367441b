// All collectives on small networks of all kinds with 1 to 8 send controllers: each ends, with the
// right data, or is refused before cycle 0.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "sw/include/weft_collective.h"
#include "tests/unit/small_networks.hpp"

namespace weft {
namespace {

using nlohmann::json;

json collective_work(const weft_collective& collective) {
  json work = {{"collective", collective.name}};
  if (collective.kind == WEFT_ALL_TO_ALL) {
    work["message_flits"] = 9;
  } else if (collective.kind != WEFT_BARRIER) {
    work["bytes"] = 2000;
  }
  return work;
}

// Whether a collective needs barrier units.
bool units(const weft_collective& collective) {
  return collective.kind == WEFT_BARRIER && collective.barriers != 0;
}

bool ends_well(const json& document) {
  try {
    const Config config = parse_config(document, "test");
    const Result result = run(config, build_graph(config), RunOptions{});
    CHECK_MESSAGE(result.verified(), document.dump());
    return true;
  } catch (const ConfigError&) {
    return false;
  } catch (const std::exception& error) {
    FAIL_CHECK(document.dump() << ": " << error.what());
    return false;
  }
}

// Runs every `stride`-th; returns how many were not refused.
unsigned run_collectives(unsigned stride) {
  const small::Folder folder("controllers");
  const std::string graph = folder.write("net.json", small::graph_text(3));
  std::size_t count = 0;
  const weft_collective* all = weft_collectives(&count);
  unsigned number = 0, runs = 0;
  for (const json& topology : small::networks(graph)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (all[i].kind == WEFT_PROGRAM || all[i].kind == WEFT_TRACE) continue;
      for (unsigned controllers = 1; controllers <= 8; ++controllers) {
        if (number++ % stride != 0) continue;
        runs += ends_well({{"topology", topology},
                           {"processor", "native"},
                           {"nic", {{"controllers", controllers}}},
                           {"barrier", units(all[i]) ? "hardware" : "software"},
                           {"combining", all[i].combines != 0 ? "tree" : "none"},
                           {"watchdog", 20000},
                           {"max_cycles", 400000},
                           {"workload", collective_work(all[i])}});
      }
    }
  }
  return runs;
}

// The stride has no divisor in common with 8.
TEST_CASE("collectives end with any number of send controllers") {
  CHECK(run_collectives(7) > 500);
}
TEST_CASE("all collectives end with all numbers of send controllers" * doctest::skip()) {
  CHECK(run_collectives(1) > 3500);
}

// The drivers took these networks for meshes, whose interfaces have a link for each direction.
TEST_CASE("collectives along lines of a mesh take other ways where there are none") {
  const small::Folder folder("lines");
  const std::string graph = folder.write("net.json", small::graph_text(3));
  for (const char* name : {"allreduce_lines", "allreduce_tree_links"}) {
    for (const char* processor : {"native", "rv32"}) {
      for (const json& topology : small::networks(graph)) {
        for (const unsigned controllers : {2u, 4u}) {
          const bool tree = std::string(name) == "allreduce_tree_links";
          ends_well({{"topology", topology},
                     {"processor", processor},
                     {"combining", tree ? "tree" : "none"},
                     {"nic", {{"controllers", controllers}}},
                     {"watchdog", 20000},
                     {"workload", {{"collective", name}, {"bytes", 2000}}}});
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft
