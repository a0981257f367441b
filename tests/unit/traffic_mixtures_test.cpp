// Packets whose lengths are drawn: their shares, the offered rate, and that engines agree.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/traffic_runs.hpp"

namespace {

using namespace weft;
using nlohmann::json;

Config mixed_config(const json& workload, const json& change = json::object()) {
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
      {"workload", {{"traffic", "uniform"}, {"rate", 0.2}, {"warmup", 200}, {"measure", 20000}}}};
  document.merge_patch(change);
  document["workload"].update(workload);
  return parse_config(document, "test");
}

Result mixed_run(const std::string& engine, const Config& config) {
  RunOptions options;
  options.engine = engine;
  return run(config, build_graph(config), options);
}

const json kTwoLengths = {{{"flits", 1}, {"weight", 3}}, {{"flits", 9}, {"weight", 1}}};

}  // namespace

TEST_CASE("a draw by weight gives each thing its share") {
  const std::vector<double> weights = {3, 0.5, 1, 1.5};
  const WeightedDraw draw(weights);
  RandomStream random(3);
  constexpr unsigned kDraws = 120'000;
  std::vector<unsigned> hits(weights.size());
  for (unsigned i = 0; i < kDraws; ++i) ++hits.at(draw.draw(random));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double chance = weights[i] / 6;
    CHECK(std::abs(hits[i] - kDraws * chance) < 5 * std::sqrt(kDraws * chance * (1 - chance)));
  }
  // Where there is no choice the stream stays where it is.
  RandomStream other(3), same(3);
  CHECK(WeightedDraw({7}).draw(other) == 0);
  CHECK(other() == same());
}

TEST_CASE("lengths of packets are drawn by weight, and the rate in flits stays") {
  const Result result = mixed_run("model", mixed_config({{"packet_flits", kTwoLengths}}));
  CHECK(result.verified());
  const TrafficResult& traffic = *result.traffic;
  CHECK(traffic.arrived == traffic.packets);
  // 16 nodes for 20,000 cycles, 0.2 flits in each, 3 flits a packet: 21,333 packets; the interfaces
  // count packets and flits. Five standard deviations of the sum of lengths: 3.46 a packet.
  const auto packets = static_cast<double>(result.packets);
  CHECK(std::abs(static_cast<double>(result.flits) / packets - 3) < 5 * 3.47 / std::sqrt(packets));
  CHECK(std::abs(traffic.offered_rate - 0.2) < 0.2 * 5 / std::sqrt(21333 / 2.34));
  CHECK(std::abs(static_cast<double>(traffic.packets) - 21333) < 5 * std::sqrt(21333));
}

TEST_CASE("a list of one length is that length") {
  const Config one = mixed_config({{"packet_flits", 5}});
  const Config list = mixed_config({{"packet_flits", {{{"flits", 5}, {"weight", 2}}}}});
  CHECK(mixed_run("model", one).digest == mixed_run("model", list).digest);
}

TEST_CASE("the buffers of interfaces hold the longest packet of a mixture, also of a region's") {
  CHECK(mixed_config({{"packet_flits", kTwoLengths}}).nic.packet_flits == 8);
  const json regions = json::array({json{{"packet_flits", {{{"flits", 2}}, {{"flits", 30}}}}}});
  const Config split =
      mixed_config({{"packet_flits", kTwoLengths}, {"regions", regions}}, {{"partition", {1}}});
  CHECK(split.nic.packet_flits == 29);
  CHECK(mixed_run("model", split).verified());
}

TEST_CASE("drawn lengths: engines agree, in closed loops too") {
  for (const char* pattern : {"uniform", "mesh_emulation"}) {
    for (const double rate : {0.15, 1.0}) {
      CAPTURE(pattern);
      CAPTURE(rate);
      const Config config = mixed_config(
          {{"traffic", pattern}, {"rate", rate}, {"measure", 1500}, {"packet_flits", kTwoLengths}});
      const Result model = mixed_run("model", config), flit = mixed_run("flit", config);
      CHECK(model.verified());
      CHECK(model.cycles == flit.cycles);
      CHECK(model.digest == flit.digest);
      CHECK(model.traffic->latency.mean == flit.traffic->latency.mean);
    }
  }
}

TEST_CASE("far below saturation a closed loop of drawn lengths keeps the rate") {
  const Result result = mixed_run(
      "model",
      mixed_config({{"traffic", "mesh_emulation"}, {"rate", 0.05}, {"packet_flits", kTwoLengths}}));
  // A node with four partners has a round of 4 * 3 / 0.05 = 240 cycles, and the others wait for it.
  // The mesh has 48 directed neighbours: 48 packets of 3 flits in that time, from 16 nodes. About
  // 4,000 lengths are drawn, which deviate by 3.46 flits; the phase cuts a round at each end.
  const double rate = 48 * 3 / (16 * 240.0);
  CHECK(std::abs(result.traffic->offered_rate / rate - 1) <
        5 * 3.47 / 3 / std::sqrt(4000) + 240 / 20000.0);
}
