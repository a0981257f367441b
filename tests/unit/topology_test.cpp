// Topologies: every pair is reached, by a route of the shape that the address digits call for;
// block names and wiring as seed 002 draws them; amounts of hardware worked out by hand; refusals.
#include "sim/topology/topology.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/workload/registry.hpp"

namespace {

using nlohmann::json;
using weft::Config;
using weft::Graph;

Config config(const json& topology) {
  return weft::parse_config({{"topology", topology}}, "net.json");
}

Graph built(const json& topology) {
  return weft::build_graph(config(topology));
}

Graph hier(const std::vector<std::uint32_t>& dims) {
  return built({{"kind", "hier_crossbar"}, {"dims", dims}});
}

// Names of the blocks between two nodes.
std::vector<std::string> path(const Graph& graph, std::uint32_t src, std::uint32_t dst) {
  std::vector<std::string> names;
  graph.walk(src, dst, [&](std::uint32_t link) {
    const auto block = graph.links[link].dst_block;
    if (block >= graph.nodes) names.push_back(graph.blocks[block].name);
  });
  return names;
}

std::vector<std::uint32_t> digits(std::uint32_t rank, const std::vector<std::uint32_t>& dims) {
  std::vector<std::uint32_t> list;
  for (const auto n : dims) {
    list.push_back(rank % n);
    rank /= n;
  }
  return list;
}

std::string refused(const json& topology) {
  try {
    built(topology);
  } catch (const weft::ConfigError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("hier_crossbar: up to the highest digit that differs, and down again") {
  const std::vector<std::vector<std::uint32_t>> shapes = {
      {2},       {5},       {33},      {2, 2},       {4, 3},       {5, 3},       {1, 4},
      {3, 1, 2}, {2, 3, 4}, {3, 3, 3}, {2, 1, 2, 1}, {3, 2, 2, 2}, {2, 3, 2, 3}, {2, 2, 2, 2, 2}};
  for (const auto& dims : shapes) {
    CAPTURE(json(dims).dump());
    const Graph graph = hier(dims);
    std::uint32_t nodes = 1;
    for (const auto n : dims) nodes *= n;
    REQUIRE(graph.nodes == nodes);
    CHECK(graph.dims == dims);
    // Levels are the dimensions of more than one node.
    std::vector<std::uint32_t> sizes;
    for (const auto n : dims) {
      if (n > 1) sizes.push_back(n);
    }
    for (std::uint32_t src = 0; src < nodes; ++src) {
      for (std::uint32_t dst = 0; dst < nodes; ++dst) {
        const auto from = digits(src, sizes), to = digits(dst, sizes);
        std::size_t top = 0;
        for (std::size_t k = 0; k < sizes.size(); ++k) top = from[k] != to[k] ? k : top;
        const auto names = path(graph, src, dst);
        REQUIRE(names.size() == 2 * top + 1);
        for (std::size_t i = 0; i < names.size(); ++i) {
          const std::size_t level = std::min(i, names.size() - 1 - i);
          const std::string prefix =
              level < 3 ? fmt::format("{}xb_", "xyz"[level]) : fmt::format("l{}xb_", level);
          REQUIRE(names[i].rfind(prefix, 0) == 0);
        }
      }
    }
  }
}

TEST_CASE("a network keeps order where packets have no choice of VCs between routers") {
  const auto keeps = [](const json& topology, const json& router, bool expected) {
    CAPTURE(topology.dump());
    CAPTURE(router.dump());
    const Config all = weft::parse_config({{"topology", topology}, {"router", router}}, "net.json");
    const Graph graph = weft::build_graph(all);
    CHECK(graph.keeps_order() == expected);
    // All routes, with both ways round rings: the sets on links between routers.
    std::uint32_t seen = 0, known = 0;
    for (const auto& unit : graph.route_units) known |= unit->sets();
    for (std::uint32_t src = 0; src < graph.nodes; ++src) {
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        for (std::uint32_t l = 0; l < graph.nic_links; ++l) {
          for (const bool other : {false, true}) {
            const auto visit = [&](std::uint32_t link, weft::VcSet set) {
              const weft::Link& on = graph.links[link];
              if (on.src_block >= graph.nodes && on.dst_block >= graph.nodes) {
                seen |= weft::set_mask(set);
              }
            };
            if (src != dst) graph.walk(src, dst, visit, l, other);
          }
        }
      }
    }
    CHECK((graph.has_routers() ? seen & ~known : known) == 0);
    CHECK(weft::single_vcs(seen, graph.num_vc) == expected);
  };
  const json torus = {{"kind", "torus"}, {"dims", {4, 3}}},
             mesh = {{"kind", "mesh"}, {"dims", {3, 3}}};
  keeps(torus, {{"vcs", 2}}, true);
  keeps(torus, {{"vcs", 2}, {"dateline", "balanced"}}, false);
  keeps(torus, {{"vcs", 2}, {"dateline", "crossing"}}, true);
  keeps(torus, {{"vcs", 3}}, false);
  keeps(torus, {{"vcs", "per_destination"}}, true);
  keeps(mesh, {{"vcs", 1}}, true);
  keeps(mesh, {{"vcs", 2}}, false);
  keeps(mesh, {{"vcs", "per_destination"}}, true);
  keeps({{"kind", "dce"}, {"n", 3}, {"y_bits", 2}, {"delta", 1}}, json::object(), true);
  keeps({{"kind", "mdce"}, {"n", 3}, {"B", 1}, {"C", 0}, {"P", 1}}, json::object(), true);
  keeps({{"kind", "fat_tree"}, {"levels", 3}}, {{"vcs", 2}}, false);
  keeps({{"kind", "fat_tree"}, {"levels", 3}}, {{"vcs", 1}}, true);
  keeps({{"kind", "omega"}, {"levels", 3}}, {{"vcs", 2}}, false);
  const json boards = {{"kind", "board"}, {"dims", {2, 1, 3, 1}}, {"mains", 2}, {"aggregators", 2}};
  keeps(boards, {{"vcs", 1}}, true);
  keeps(boards, {{"vcs", 2}}, true);
  keeps(boards, {{"vcs", 3}}, false);
  keeps(boards, {{"vcs", 4}}, false);
  keeps(boards, {{"vcs", "per_destination"}}, true);
  keeps({{"kind", "hier_crossbar"}, {"dims", {3, 2}}}, json::object(), true);
}

TEST_CASE("addresses have one digit field for each dimension") {
  const Graph graph = hier({5, 1, 3});
  CHECK(graph.dim_bits == std::vector<std::uint32_t>{3, 0, 2});
  CHECK(graph.address[0] == 0);
  CHECK(graph.address[4] == 4);
  CHECK(graph.address[5] == 8);  // Digits 0 and 1.
  CHECK(graph.address[14] == (2 << 3 | 4));
  CHECK(graph.blocks[14].own == graph.address[14]);
  CHECK(graph.blocks[14].name == "nic_14");
}

TEST_CASE("seed 002 fig. 1: 4 row crossbars of 64 processors, 64 column crossbars") {
  const Graph graph = hier({64, 4});
  CHECK(graph.blocks.size() == 256 + 4 + 64);
  // [0021] PE00 -> PE201: XXB0, YXB0, XXB2. [0022] PE200 -> PE263: XXB2 alone.
  CHECK(path(graph, 0, 2 * 64 + 1) == std::vector<std::string>{"xxb_0", "yxb_0", "xxb_2"});
  CHECK(path(graph, 2 * 64, 2 * 64 + 63) == std::vector<std::string>{"xxb_2"});
  CHECK(path(graph, 7, 3 * 64 + 9) == std::vector<std::string>{"xxb_0", "yxb_7", "xxb_3"});
  const auto& row = graph.shapes[graph.blocks[256].shape];
  CHECK(row.num_in == 128);
  CHECK(row.num_out == 64);
  CHECK(row.detour);
  CHECK(row.first_in == 32);  // [0037]: 32-input first switches, 4-input second switches.
  const auto& column = graph.shapes[graph.blocks[260].shape];
  CHECK(column.num_in == 4);
  CHECK(column.num_out == 4);
  CHECK_FALSE(column.detour);
  CHECK(column.first_in == 4);
  CHECK(graph.shapes.size() == 2);
  // [0023]: the two transfers of [0020] share no link here.
  std::vector<std::uint32_t> first, second;
  graph.walk(0, 129, [&](std::uint32_t link) { first.push_back(link); });
  graph.walk(128, 191, [&](std::uint32_t link) { second.push_back(link); });
  for (const auto link : first) CHECK(std::count(second.begin(), second.end(), link) == 0);
}

TEST_CASE("seed 002 fig. 7: groups of 256 processors under third crossbars") {
  const Graph graph = hier({64, 4, 4});
  CHECK(graph.blocks.size() == 1024 + 16 + 256 + 256);
  // [0087], [0088]: PE0 -> PE1023. Second crossbar 0 of the fourth group is yxb_192.
  CHECK(path(graph, 0, 1023) ==
        std::vector<std::string>{"xxb_0", "yxb_0", "zxb_0", "yxb_192", "xxb_15"});
  const auto find = [&](const std::string& name) {
    const auto block = std::find_if(graph.blocks.begin(), graph.blocks.end(),
                                    [&](const auto& b) { return b.name == name; });
    REQUIRE(block != graph.blocks.end());
    return *block;
  };
  // [0085], [0086]: detours of second crossbar 200 go to ZXB0 to 3, of 201 to ZXB4 to 7, of 263 to
  // ZXB252 to 255, and the third crossbars' outputs return to the same.
  for (const std::uint32_t second : {0u, 1u, 63u}) {
    const auto yxb = find(fmt::format("yxb_{}", second));
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto& up = graph.links[graph.out_link[yxb.first_out + 4 + i]];
      CHECK(graph.blocks[up.dst_block].name == fmt::format("zxb_{}", 4 * second + i));
      CHECK(up.dst_port == 0);
      const auto& down = graph.links[yxb.first_in + 4 + i];
      CHECK(graph.blocks[down.src_block].name == fmt::format("zxb_{}", 4 * second + i));
      // [0079]: input i from below is connected to first crossbar i.
      CHECK(graph.blocks[graph.links[yxb.first_in + i].src_block].name == fmt::format("xxb_{}", i));
    }
  }
  const auto& second = graph.shapes[find("yxb_0").shape];
  CHECK(second.num_in == 8);
  CHECK(second.num_out == 4);
  CHECK(second.first_in == 2);
}

TEST_CASE("crossbar_2d: Y first, the corner's switch in between (seed 002 fig. 9)") {
  for (const std::vector<std::uint32_t>& dims :
       {std::vector<std::uint32_t>{2, 2}, {4, 4}, {5, 3}, {2, 7}}) {
    CAPTURE(json(dims).dump());
    const Graph graph = built({{"kind", "crossbar_2d"}, {"dims", dims}});
    for (std::uint32_t src = 0; src < graph.nodes; ++src) {
      for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
        const std::uint32_t x0 = src % dims[0], y0 = src / dims[0];
        const std::uint32_t x1 = dst % dims[0], y1 = dst / dims[0];
        std::vector<std::string> expected = {fmt::format("sw_{}", src)};
        if (y0 != y1) {
          expected.push_back(fmt::format("yxb_{}", x0));
          expected.push_back(fmt::format("sw_{}", x0 + dims[0] * y1));
        }
        if (x0 != x1) {
          expected.push_back(fmt::format("xxb_{}", y1));
          expected.push_back(fmt::format("sw_{}", dst));
        }
        REQUIRE(path(graph, src, dst) == expected);
      }
    }
  }
  // [0008] to [0010]: PE000 -> PE201 and PE200 -> PE263 compete: both go from PE200's switch into
  // XXB2.
  const Graph graph = built({{"kind", "crossbar_2d"}, {"dims", {64, 4}}});
  CHECK(path(graph, 0, 129) ==
        std::vector<std::string>{"sw_0", "yxb_0", "sw_128", "xxb_2", "sw_129"});
  CHECK(path(graph, 128, 191) == std::vector<std::string>{"sw_128", "xxb_2", "sw_191"});
}

TEST_CASE("full_crossbar: one crossbar between any two (seed 002 fig. 8)") {
  for (const std::uint32_t pes : {2u, 3u, 17u, 33u}) {
    const Graph graph = built({{"kind", "full_crossbar"}, {"pes", pes}});
    CHECK(graph.blocks.size() == pes + 1);
    for (std::uint32_t src = 0; src < pes; ++src) {
      for (std::uint32_t dst = 0; dst < pes; ++dst) {
        REQUIRE(path(graph, src, dst) == std::vector<std::string>{"xxb_0"});
      }
    }
  }
  const auto first_in = [](std::uint32_t pes) {
    return built({{"kind", "full_crossbar"}, {"pes", pes}}).shapes.at(0).first_in;
  };
  CHECK(first_in(32) == 32);
  CHECK(first_in(33) == 32);
  CHECK(first_in(1024) == 32);
}

TEST_CASE("first-stage switches of a crossbar with detours") {
  const auto first_in = [](std::uint32_t n) { return hier({n, 2}).shapes.at(0).first_in; };
  CHECK(first_in(2) == 4);  // 4 inputs: one stage.
  CHECK(first_in(3) == 6);  // 6 inputs: one stage.
  CHECK(first_in(4) == 2);  // 8 inputs: 2:1, then 4:1.
  CHECK(first_in(5) == 3);
  CHECK(first_in(128) == 64);
  CHECK(first_in(512) == 64);  // 1,024 inputs: 16 first-stage switches.
}

TEST_CASE("crosspoints as seed 002 counts hardware") {
  const auto crosspoints = [](const json& topology) {
    return weft::find_topology(topology["kind"]).crosspoints(built(topology));
  };
  // Fig. 1: 4 x 128 x 64 + 64 x 4 x 4.
  CHECK(crosspoints({{"kind", "hier_crossbar"}, {"dims", {64, 4}}}) == 33792);
  // Fig. 7: 16 x 128 x 64 + 256 x 8 x 4 + 256 x 4 x 4.
  CHECK(crosspoints({{"kind", "hier_crossbar"}, {"dims", {64, 4, 4}}}) == 143360);
  // Fig. 8: N squared.
  CHECK(crosspoints({{"kind", "full_crossbar"}, {"pes", 256}}) == 65536);
  CHECK(crosspoints({{"kind", "full_crossbar"}, {"pes", 1024}}) == 1048576);
  // Fig. 9: 4 x 64 x 64 + 64 x 4 x 4 + 256 x 3 x 3.
  CHECK(crosspoints({{"kind", "crossbar_2d"}, {"dims", {64, 4}}}) == 19712);
}

TEST_CASE("impossible networks are refused before anything is built") {
  const auto hier_refused = [](const json& dims) {
    return refused({{"kind", "hier_crossbar"}, {"dims", dims}});
  };
  CHECK(contains(refused({{"kind", "star"}}),
                 "net.json: /topology/kind: value \"star\": expected: board"));
  CHECK(contains(refused({{"kind", "hier_crossbar"}}), "net.json: /topology/dims: missing"));
  CHECK(contains(refused({{"kind", "hier_crossbar"}, {"dims", {2}}, {"pes", 2}}),
                 "net.json: /topology/pes: unknown key"));
  CHECK(contains(hier_refused(json::array()),
                 "/topology/dims: value []: expected: a list of 1 to 8"));
  CHECK(contains(hier_refused(4), "/topology/dims: value 4: expected: a list"));
  CHECK(contains(hier_refused({2, 2, 2, 2, 2, 2, 2, 2, 2}), "expected: a list of 1 to 8 numbers"));
  CHECK(contains(hier_refused({4, 0}), "/topology/dims/1: value 0: expected"));
  CHECK(contains(hier_refused({-4, 2}), "/topology/dims/0: value -4: expected"));
  CHECK(contains(hier_refused({4.5, 2}), "/topology/dims/0: value 4.5: expected"));
  CHECK(contains(hier_refused({"4", 2}), "/topology/dims/0: value \"4\": expected"));
  CHECK(contains(hier_refused({2147483648u}), "/topology/dims/0: value 2147483648: expected"));
  CHECK(contains(hier_refused({1024, 1024, 1024, 2}), "address of 20 bits (these need 31;"));
  CHECK(contains(hier_refused({5, 1024, 129}), "address of 20 bits (these need 21;"));
  CHECK(contains(hier_refused({1}), "one PE has nothing to send to"));
  CHECK(contains(hier_refused({1, 1}), "one PE has nothing to send to"));
  CHECK(hier({256, 256}).nodes == 65536);
  for (const json& pes : {json(0), json(1), json(-1), json(1025), json(2147483648u), json(2.5)}) {
    CHECK(contains(
        refused({{"kind", "full_crossbar"}, {"pes", pes}}),
        "/topology/pes: value " + pes.dump() + ": expected: a whole number from 2 to 1024"));
  }
  CHECK(
      contains(refused({{"kind", "crossbar_2d"}, {"dims", {4}}}), "expected: a list of 2 numbers"));
  CHECK(
      contains(refused({{"kind", "crossbar_2d"}, {"dims", {4, 1}}}), "/topology/dims/1: value 1"));
}

TEST_CASE("ranks in the configuration must be nodes of the network") {
  auto c = config({{"kind", "hier_crossbar"}, {"dims", {4, 4}}});
  c.workload.transfers = {{.from = 0, .to = 15}, {.from = 3, .to = 16}};
  CHECK_THROWS_WITH_AS(
      weft::build_graph(c),
      "net.json: /workload/transfers/1/to: value 16: expected: a rank from 0 to 15",
      weft::ConfigError);
  c.workload.transfers.clear();
  c.faults = {{.link = "", .node = 16}};
  CHECK_THROWS_WITH_AS(weft::build_graph(c),
                       "net.json: /faults/0/node: value 16: expected: a rank from 0 to 15",
                       weft::ConfigError);
}

TEST_CASE("wiring mistakes do not go unnoticed") {
  Graph graph;
  graph.add_nic("nic_0", 0);
  graph.add_nic("nic_1", 1);
  graph.connect(0, 0, 1, 0);
  CHECK_THROWS_AS(graph.connect(0, 0, 0, 0), std::logic_error);  // Out-port taken.
  CHECK_THROWS_AS(graph.connect(1, 0, 1, 0), std::logic_error);  // In-port taken.
  CHECK_THROWS_AS(graph.connect(1, 1, 0, 0), std::logic_error);  // No such port.
  CHECK_THROWS_WITH_AS(graph.check(), "nic_0 in 0 is open", std::logic_error);
  graph.connect(1, 0, 0, 0);
  graph.check();
  CHECK_THROWS_WITH_AS(graph.walk(0, 0, [](std::uint32_t) {}),
                       "the route from nic_0 to nic_0 ends at nic_1", weft::CheckError);
  graph.add_crossbar("xxb_0", 0, {.num_out = 1, .detour = false, .num_in = 1, .first_in = 1});
  CHECK_THROWS_AS(graph.add_nic("nic_2", 2), std::logic_error);
}
