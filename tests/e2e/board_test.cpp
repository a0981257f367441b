// System boards (seed 003) on all engines: the same cycles and the same digest, data verified.
#include <doctest/doctest.h>

#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

Config boards(unsigned mains, unsigned aggregators, const json& change, unsigned controllers = 1) {
  json document = {
      {"topology",
       {{"kind", "board"}, {"dims", {2, 2, 1, 1}}, {"mains", mains}, {"aggregators", aggregators}}},
      {"nic", {{"controllers", controllers}}}};
  document.merge_patch(change);
  return parse_config(document, "test");
}

const json kUniform = {{"workload",
                        {{"traffic", "uniform"},
                         {"rate", 0.1},
                         {"packet_flits", 4},
                         {"warmup", 200},
                         {"measure", 800}}}};
const json kMessages = {{"nic", {{"packet_flits", 12}}},
                        {"processor", "native"},
                        {"workload", {{"collective", "a2a"}, {"message_flits", 12}}}};

}  // namespace

TEST_CASE("boards of two mains and one aggregator, and of two and two") {
  for (const unsigned aggregators : {1u, 2u}) {
    agree_on(boards(2, aggregators, kUniform), {"rtl", "cosim"});
    const Result all = agree_on(boards(2, aggregators, kMessages), {"rtl", "cosim"});
    CHECK(all.cycles >= all.bound_cycles);
  }
}

TEST_CASE("boards as one module") {
  // Of one module alone: to build it takes most of this test.
  agree_on(boards(2, 2, kUniform), {"rtl-top"});
  agree_on(boards(2, 2, kMessages), {"rtl-top"});
}

TEST_CASE("boards with two send controllers, RV32 processors") {
  json change = kMessages;
  change["processor"] = "rv32";
  const Result all = agree_on(boards(2, 2, change, 2), {"cosim"});
  CHECK(all.cycles >= all.bound_cycles);
  // The bound is that of all links a node could have.
  CHECK(all.cycles < 8 * all.bound_cycles);
}

TEST_CASE("boards with more VCs than they need, cut-through") {
  json change = kUniform;
  change["router"] = {{"vcs", 3}, {"switching", "cut_through"}};
  agree_on(boards(2, 1, change), {"cosim"});
}
