// Messages that come early or late, on links of different lengths, of collectives on arrays.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// What is wrong with a run; empty: nothing.
std::string wrong_with(const json& document) {
  const Config config = parse_config(document, "test");
  try {
    const Result result = run(config, build_graph(config), {});
    return result.errors() == 0 ? "" : "wrong data";
  } catch (const CheckError& error) {
    return error.what();
  }
}

TEST_CASE("a mean in several turns divides by the members only in the end of each") {
  // The turn before ended with a division; messages of the barrier between turns keep interfaces
  // busy, so that they would go on dividing.
  const auto mean = [](const char* collective, unsigned bytes, unsigned stages) -> json {
    return {{"topology", {{"kind", "dragonfly"}, {"p", 2}, {"a", 2}, {"h", 1}}},
            {"processor", "native"},
            {"link", {{"stages", stages}}},
            {"workload",
             {{"collective", collective}, {"bytes", bytes}, {"type", "int64"}, {"op", "mean"}}}};
  };
  CHECK(wrong_with(mean("allreduce_ring", 4194368, 1)) == "");
  CHECK(wrong_with(mean("allreduce_swing", 4194344, 3)) == "");
}

TEST_CASE("all pairs at once: members that have nothing to send are waited for") {
  const auto small = [](const char* collective, const json& dims, unsigned bytes,
                        const char* barrier) -> json {
    return {{"topology", {{"kind", "torus"}, {"dims", dims}}},
            {"processor", "native"},
            {"link", {{"stages", {0, 1, 100}}}},
            {"barrier", barrier},
            {"workload", {{"collective", collective}, {"bytes", bytes}}}};
  };
  for (const char* const collective :
       {"allgather_direct", "reduce_scatter_direct", "allreduce_direct"}) {
    CAPTURE(collective);
    for (const char* const barrier : {"software", "hardware"}) {
      CHECK(wrong_with(small(collective, {3, 3, 2}, 80, barrier)) == "");
      CHECK(wrong_with(small(collective, {2, 2, 3}, 40, barrier)) == "");
    }
  }
}

}  // namespace
}  // namespace weft
