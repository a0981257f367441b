// NICs that reduce into memory, in whole networks: a program's passes of reductions leave in
// every memory what an all-to-all does, on every engine in the same cycles with the same flits.
#include <doctest/doctest.h>

#include "sim/base/installation.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

// The all-to-all's own program needs no reduction: the configuration adds it to the NICs here.
Config config_of(const json& change) {
  json document = {{"nic", {{"packet_flits", 5}}},
                   {"barrier", "hardware"},
                   {"workload",
                    {{"collective", "a2a"},
                     {"message_flits", 5},
                     {"sync", "barrier"},
                     {"program", (build_dir() / "sw/tests.reduce.elf").string()}}}};
  document.merge_patch(change);
  Config config = parse_config(document, "test");
  config.derived.reduces = true;
  return config;
}

}  // namespace

TEST_CASE("crossbars: all engines reduce alike") {
  const json crossbars = {{"topology", {{"kind", "hier_crossbar"}, {"dims", {2, 2}}}},
                          {"workload", {{"message_flits", 12}}}};
  const Result result = agree_on(config_of(crossbars), {"rtl", "cosim", "rtl-top"});
  CHECK(result.messages == 9 * 4 * 3);
  // A network without reduction is refused where the program requests it.
  Config without = config_of(crossbars);
  without.derived.reduces = false;
  CHECK_THROWS_WITH(run_on(without, "model"),
                    doctest::Contains("REDUCE: this interface has no reduction"));
}

TEST_CASE("a torus with an accumulator at each of two links") {
  agree_on(config_of({{"topology", {{"kind", "torus"}, {"dims", {3, 2}}}},
                      {"nic", {{"controllers", 2}}},
                      {"link", {{"parity", true}}}}),
           {"cosim"});
}
