// The drivers of seed 000 on whole networks: what every node has in the end, and how many barriers
// that took.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/report/result_json.hpp"
#include "tests/e2e/engines.hpp"

namespace {

using namespace weft;
using namespace weft::e2e;
using nlohmann::json;

// Barriers by the flowcharts, counted by hand, with G the hops that there are in a dimension:
// floor(k / 2) on a ring, k - 1 on a line.
struct Shape {
  std::string kind;
  std::vector<unsigned> dims;
  unsigned flits;        // Flits of a message; three areas divide it where there are three
                         // dimensions.
  std::uint64_t one;     // hop_group, 1 area: one between groups, in two dimensions 2 G - 1.
  std::uint64_t all;     // D areas: one after each of D * G steps, G being that of the largest.
  std::uint64_t direct;  // hop_direct: one after each set of hops but all 0.
};

const std::vector<Shape> kShapes = {
    {"torus", {3, 3}, 12, 1, 2, 3},        // 2 x 2 sets of hops, all 0 among them
    {"torus", {4, 4}, 12, 3, 4, 8},        // 3 x 3
    {"torus", {5, 5}, 12, 3, 4, 8},        //
    {"torus", {8, 8}, 12, 7, 8, 24},       // 5 x 5
    {"torus", {3, 4, 5}, 12, 4, 6, 17},    // 1 + 2 + 2 groups, 3 rounds of 2 steps; 2 x 3 x 3
    {"torus", {8, 8, 8}, 3, 11, 12, 124},  // 4 + 4 + 4, 3 x 4; 5 x 5 x 5
    {"torus", {8}, 12, 3, 3, 4},           // One dimension has one area.
    {"torus", {5}, 12, 1, 1, 2},           //
    {"mesh", {6}, 12, 4, 4, 5},            //
    {"mesh", {5, 5}, 12, 7, 8, 24},        //
    {"mesh", {4, 3}, 12, 4, 6, 11},        // 3 + 2, 2 x 3; 4 x 3
    {"mesh", {4, 4, 4}, 12, 8, 9, 63},     // 3 + 3 + 3, 3 x 3; 4 x 4 x 4
};

Result run_shape(const Shape& shape, const std::string& processor, const json& workload) {
  json document = {{"topology", {{"kind", shape.kind}, {"dims", shape.dims}}},
                   {"nic", {{"packet_flits", 12}, {"gap", "hops-1"}}},
                   {"processor", processor},
                   {"barrier", "hardware"},
                   {"workload", {{"message_flits", shape.flits}}}};
  document["workload"].update(workload);
  return run_on(parse_config(document, "test"), "model");
}

std::uint64_t nodes_of(const Shape& shape) {
  std::uint64_t nodes = 1;
  for (const unsigned size : shape.dims) nodes *= size;
  return nodes;
}

// In each dimension all blocks of a node but those for its own coordinate.
std::uint64_t group_messages(const Shape& shape) {
  const std::uint64_t nodes = nodes_of(shape);
  std::uint64_t sum = 0;
  for (const unsigned size : shape.dims) sum += nodes * (nodes / size) * (size - 1);
  return sum;
}

}  // namespace

TEST_CASE("every node has its data, after as many barriers as the flowcharts have") {
  for (const Shape& shape : kShapes) {
    for (const std::string processor : {"native", "rv32"}) {
      CAPTURE(fmt::format("{} {} on {}", shape.kind, json(shape.dims).dump(), processor));
      const auto check = [&](const json& workload, std::uint64_t barriers, std::uint64_t messages) {
        CAPTURE(workload.dump());
        const Result result = run_shape(shape, processor, workload);
        CHECK(result.data_errors == 0);
        CHECK(result.verified());
        CHECK(result.messages == messages);
        REQUIRE(result.barriers.has_value());
        CHECK(result.barriers->count == barriers);
        CHECK(to_json(result).at("barriers") == barriers);
      };
      // The block that stays is sent too, by all controllers: here one for each flit of it or two
      // for each dimension, for hop_direct one.
      const std::uint64_t nodes = nodes_of(shape), messages = group_messages(shape);
      const std::uint64_t own = nodes * std::min<std::uint64_t>(shape.flits, 2 * shape.dims.size());
      check({{"collective", "hop_group"}, {"areas", 1}}, shape.one, messages + own);
      check({{"collective", "hop_group"}, {"areas", "auto"}}, shape.all,
            shape.dims.size() * messages + own);
      check({{"collective", "hop_direct"}}, shape.direct, nodes * nodes);
    }
  }
}

TEST_CASE("long blocks in three dimensions on RV32 end within 5 % of the bound") {
  const Result result =
      run_on(parse_config({{"topology", {{"kind", "torus"}, {"dims", {4, 4, 4}}}},
                           {"router", {{"vc_depth", 260}}},
                           {"nic", {{"packet_flits", 255}, {"gap", "hops-1"}}},
                           {"processor", "rv32"},
                           {"barrier", "hardware"},
                           {"workload", {{"collective", "hop_group"}, {"message_flits", 3060}}}},
                          "test"),
             "model");
  CHECK(result.verified());
  // Links cannot do better, nor does the time count from anything but the first cycle.
  CHECK(result.startup_cycles == 0);
  CHECK(result.cycles > result.bound_cycles);
  CHECK(static_cast<double>(result.cycles) <= 1.05 * static_cast<double>(result.bound_cycles));
}

// On a line fewer nodes share a link than there are hops: paced by them it keeps to the bound.
TEST_CASE("a mesh paced by the nodes that share a link") {
  json document = {{"topology", {{"kind", "mesh"}, {"dims", {6, 6}}}},
                   {"router", {{"vc_depth", 100}}},
                   {"nic", {{"packet_flits", 99}, {"gap", "sharers-1"}}},
                   {"processor", "native"},
                   {"barrier", "hardware"},
                   {"workload", {{"collective", "hop_group"}, {"message_flits", 990}}}};
  const auto cycles = [&] {
    const Result result = run_on(parse_config(document, "test"), "model");
    CHECK(result.verified());
    return static_cast<double>(result.cycles) / static_cast<double>(result.bound_cycles);
  };
  CHECK(cycles() < 1.05);
  document["nic"]["gap"] = "hops-1";
  CHECK(cycles() > 1.4);
}
