// Packet pacing (seed 000 [0043], [0044]): in a group of equal hops no packet waits for a link.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

// hop_group in packets of 10 flits, store and forward.
json paced(const std::vector<unsigned>& dims, const json& areas, unsigned message_flits) {
  return {{"topology", {{"kind", "torus"}, {"dims", dims}}},
          {"router", {{"vc_depth", 12}, {"switching", "store_forward"}}},
          {"nic", {{"packet_flits", 9}, {"gap", "hops-1"}}},
          {"processor", "native"},
          {"barrier", "hardware"},
          {"workload",
           {{"collective", "hop_group"}, {"areas", areas}, {"message_flits", message_flits}}}};
}

Result watched(const json& document) {
  const Config config = parse_config(document, "test");
  RunOptions options;
  options.losses = true;
  Result result = run(config, build_graph(config), options);
  CHECK(result.verified());
  return result;
}

// Packet-cycles of waiting for links between routers, and for those into NICs.
std::uint64_t sum_of(const LossSums::PacketWaits& waits) {
  return std::accumulate(waits.begin(), waits.end(), std::uint64_t{0});
}
std::uint64_t link_waits(const Result& result) {
  return sum_of(result.losses->packet_waits);
}
std::uint64_t waits(const Result& result) {
  return link_waits(result) + sum_of(result.losses->ejection.packet_waits);
}

TEST_CASE("paced by hops, no packet waits in any cycle of the run; unpaced they do") {
  struct Shape {
    std::vector<unsigned> dims;
    std::uint64_t packets;  // All: N positions, a packet each way along each dimension.
    std::uint64_t nodes;
  };
  for (const Shape& shape : std::vector<Shape>{{{5, 5}, 1000, 25},
                                               {{7, 7}, 4116, 49},
                                               {{4, 4}, 384, 16},
                                               {{6, 6}, 2160, 36},
                                               {{3, 4, 5}, 7980, 60},
                                               {{4, 4, 4}, 9216, 64}}) {
    const auto& [dims, packets, nodes] = shape;
    const auto rank = static_cast<unsigned>(dims.size());
    for (const bool all_areas : {false, true}) {
      CAPTURE(shape.dims);
      CAPTURE(all_areas);
      // As many flits for each piece.
      const unsigned areas = all_areas ? rank : 1;
      json document = paced(dims, areas, 9 * areas);
      // The block that stays, by all controllers alike.
      const unsigned part = (9 * areas + 2 * rank - 1) / (2 * rank);
      const std::uint64_t own = nodes * ((9 * areas + part - 1) / part);
      const Result with = watched(document);
      CHECK(with.packets == areas * packets + own);
      CHECK(waits(with) == 0);
      document["nic"]["gap"] = "none";
      const Result without = watched(document);
      CHECK(without.packets == areas * packets + own);
      CHECK(without.losses->packet_waits[LossSums::kForLink] > 0);
      CHECK(waits(without) > packets);
    }
  }
}

TEST_CASE("three hops need a gap of two packet times") {
  json document = paced({7, 7}, 2, 18);
  document["nic"]["gap"] = 2;
  CHECK(waits(watched(document)) == 0);
  document["nic"]["gap"] = 1;
  CHECK(waits(watched(document)) > 0);
}

TEST_CASE("blocks of several equal packets, and RV32 processors: no waits either") {
  for (const std::vector<unsigned>& dims : {std::vector{5u, 5u}, {4u, 4u}}) {
    for (const unsigned areas : {1u, 2u}) {
      json document = paced(dims, areas, 27 * areas);
      CHECK(waits(watched(document)) == 0);
      // 9, 9 and 7: a shorter packet has arrived before the longer one in front of it has left.
      document["workload"]["message_flits"] = 25 * areas;
      CHECK(waits(watched(document)) > 0);
    }
  }
  // Packets that take longer than the processor needs from one to the next.
  for (const unsigned areas : {1u, 2u}) {
    json document = paced({5, 5}, areas, 99 * areas);
    document["processor"] = "rv32";
    document["router"]["vc_depth"] = 102;
    document["nic"]["packet_flits"] = 99;
    CHECK(waits(watched(document)) == 0);
    document["nic"]["gap"] = "none";
    CHECK(waits(watched(document)) > 0);
  }
}

TEST_CASE("in wormhole switching a packet arrives while the node's own one holds the link") {
  // On a ring of 5 all nodes send at the same time, over one hop and then over two. A packet
  // arrives to the node between a cycle after that one's own has begun on the link, and waits for
  // the other 9 of its 10 cycles.
  json document = paced({5}, 1, 9);
  document["router"]["switching"] = "wormhole";
  const Result result = watched(document);
  CHECK(result.packets == 5 * 4 + 5 * 2);
  CHECK(link_waits(result) == 5 * 2 * 9);
}

}  // namespace
}  // namespace weft
