// Networks of seed 001 on all engines: the same cycles and the same digest, data verified.
#include <doctest/doctest.h>

#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

// Cut-through with buffers of 32 flits, as in seed 001 5.
Config config_of(const json& topology, const json& change) {
  json document = {{"topology", topology},
                   {"router", {{"vc_depth", 32}, {"switching", "cut_through"}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

const json kUniform = {{"workload",
                        {{"traffic", "uniform"},
                         {"rate", 0.1},
                         {"packet_flits", 4},
                         {"warmup", 200},
                         {"measure", 800}}}};
const json kMessages = {{"nic", {{"controllers", 1}, {"packet_flits", 12}}},
                        {"processor", "native"},
                        {"workload", {{"collective", "a2a"}, {"message_flits", 12}}}};

// Both on the model, the RTL and the two side by side.
void agree(const json& topology) {
  agree_on(config_of(topology, kUniform), {"rtl", "cosim"});
  const Result all = agree_on(config_of(topology, kMessages), {"rtl", "cosim"});
  CHECK(all.cycles >= all.bound_cycles);
}

json dce(unsigned n, unsigned y_bits, unsigned delta) {
  return {{"kind", "dce"}, {"n", n}, {"y_bits", y_bits}, {"delta", delta}};
}
json mdce(unsigned n, unsigned banyan, unsigned cubes) {
  return {{"kind", "mdce"}, {"n", n}, {"B", banyan}, {"C", cubes}};
}

}  // namespace

TEST_CASE("MDCE: a Banyan and a cube-connected cycles plane, two Banyan planes") {
  agree(mdce(2, 1, 1));
  agree(mdce(2, 2, 0));
}

TEST_CASE("circular Banyan and cube-connected cycles") {
  agree(dce(3, 3, 1));
  agree(dce(3, 3, 0));
}

TEST_CASE("fat tree and omega network") {
  agree({{"kind", "fat_tree"}, {"levels", 4}});
  agree({{"kind", "omega"}, {"levels", 4}});
}

TEST_CASE("parallel links along the rings, two send controllers") {
  json two = kMessages;
  two["nic"]["controllers"] = 2;
  json parallel = mdce(2, 1, 0);
  parallel["P"] = 2;
  agree_on(config_of(parallel, two), {"cosim"});
  // Each controller has a network of its own, which the bound knows.
  for (const char* kind : {"fat_tree", "omega"}) {
    const Result all = agree_on(config_of({{"kind", kind}, {"levels", 3}}, two), {"cosim"});
    CHECK(all.cycles >= all.bound_cycles);
    CHECK(all.cycles < 2 * all.bound_cycles);
  }
}

TEST_CASE("regions of a partition: the same digests on all engines") {
  json change = kUniform;
  change["partition"] = {0, 1};
  change["workload"]["regions"] = {{{"traffic", "hotspot"}, {"rate", 0.3}}};
  const Config config = config_of(mdce(2, 1, 0), change);
  const Result model = agree_on(config, {"rtl", "cosim"});
  REQUIRE(model.regions.size() == 2);
  const Graph graph = build_graph(config);
  for (const char* engine : {"rtl", "cosim"}) {
    RunOptions options;
    options.engine = engine;
    const Result other = run(config, graph, options);
    for (std::size_t r = 0; r < 2; ++r) CHECK(other.regions[r].digest == model.regions[r].digest);
  }
}

TEST_CASE("a network of rings as one module") {
  agree_on(config_of(dce(2, 1, 1), kUniform), {"rtl-top"});
}
