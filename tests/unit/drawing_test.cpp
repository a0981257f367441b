// Drawings: every block has a place of its own, and the links that wrap are those that the sizes of
// the network say.
#include "sim/report/drawing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/config.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

struct Drawn {
  Graph graph;
  std::optional<Drawing> drawing;
};

Drawn drawn(const char* topology) {
  const Config config = parse_config(
      {{"topology", nlohmann::json::parse(topology)}, {"workload", {{"collective", "a2a"}}}},
      "test");
  Drawn result{build_graph(config), {}};
  result.drawing = drawing_of(result.graph);
  return result;
}

// Distance of the two closest blocks.
double closest(const Drawing& drawing) {
  double least = 1e9;
  for (std::size_t a = 0; a < drawing.places.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      least = std::min(least, std::hypot(drawing.places[a].x - drawing.places[b].x,
                                         drawing.places[a].y - drawing.places[b].y));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("links of a drawing that wrap") {
  struct Case {
    const char* topology;
    std::ptrdiff_t wraps;
  };
  // A ring of n > 2 routers closes once in each direction.
  const Case cases[] = {
      {R"({"kind": "torus", "dims": [4, 5]})", 2 * (4 + 5)},
      {R"({"kind": "torus", "dims": [2, 5]})", 2 * 2},
      {R"({"kind": "torus", "dims": [3, 4, 5]})", 2 * (12 + 15 + 20)},
      {R"({"kind": "mesh", "dims": [4, 5]})", 0},
      {R"({"kind": "hypercube", "dimensions": 4})", 0},
      {R"({"kind": "hyperx", "dims": [4, 4]})", 0},
      {R"({"kind": "ring", "nodes": 6})", 0},
      {R"({"kind": "mdce", "n": 4, "B": 1, "C": 1, "P": 1})", 256},
      {R"({"kind": "fat_tree", "levels": 4})", 0},
      {R"({"kind": "omega", "levels": 4})", 0},
      {R"({"kind": "hier_crossbar", "dims": [4, 4]})", 0},
      {R"({"kind": "full_crossbar", "pes": 5})", 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.topology);
    const auto [graph, drawing] = drawn(c.topology);
    REQUIRE(drawing);
    REQUIRE(drawing->places.size() == graph.blocks.size());
    CHECK(std::ranges::count(drawing->wraps, true) == c.wraps);
    CHECK(closest(*drawing) > 0.2);
  }
}

TEST_CASE("a mesh is drawn with neighbours side by side") {
  const auto [graph, drawing] = drawn(R"({"kind": "mesh", "dims": [3, 4]})");
  REQUIRE(drawing);
  for (const Link& link : graph.links) {
    if (!graph.between_switches(link)) continue;
    const Place a = drawing->places[link.src_block], b = drawing->places[link.dst_block];
    CHECK(std::hypot(a.x - b.x, a.y - b.y) == doctest::Approx(1));
  }
}

TEST_CASE("networks without a drawing of their own") {
  CHECK_FALSE(drawn(R"({"kind": "dragonfly", "p": 2, "a": 4, "h": 2})").drawing);
}
