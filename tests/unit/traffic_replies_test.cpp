// Replies: every packet has one, with the flits and in the cycle that the packets alone tell.
#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;
using nlohmann::json;

Config replying(const json& workload, const json& root = json::object()) {
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
      {"workload", {{"traffic", "uniform"}, {"rate", 0.1}, {"warmup", 200}, {"measure", 3000}}}};
  document.merge_patch(root);
  document["workload"].update(workload);
  return parse_config(document, "test");
}

Result reply_run(const Config& config, const std::string& engine = "model", unsigned threads = 1) {
  RunOptions options;
  options.engine = engine;
  options.threads = threads;
  return run(config, build_graph(config), options);
}

std::string reply_refused(const Config& config) {
  try {
    reply_run(config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

struct Sent {
  std::uint32_t cycle, src, dst, flits;
};

// A file of packets for the pattern `trace`.
class PacketFile {
 public:
  explicit PacketFile(const std::vector<Sent>& packets) {
    std::ofstream out(kName);
    for (const auto& [cycle, src, dst, flits] : packets) {
      out << cycle << ',' << src << ',' << dst << ',' << flits << '\n';
    }
  }
  ~PacketFile() { std::remove(kName); }
  PacketFile(const PacketFile&) = delete;
  PacketFile& operator=(const PacketFile&) = delete;

  // A workload that measures them all.
  static json workload(std::uint32_t reply) {
    return {{"traffic", "trace"}, {"file", kName}, {"reply_flits", reply}};
  }

 private:
  static constexpr const char* kName = "traffic_replies_test.csv";
};

Config of_file(std::uint32_t reply, const json& root) {
  json document = {{"workload", PacketFile::workload(reply)}};
  document.update(root);
  return parse_config(document, "test");
}

const json kNetworks[] = {
    {{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}}},
    {{"topology", {{"kind", "mesh"}, {"dims", {5, 3}}}}, {"nic", {{"controllers", 3}}}},
    {{"topology", {{"kind", "full_crossbar"}, {"pes", 8}}}},
    {{"topology", {{"kind", "fat_tree"}, {"levels", 4}}}}};

// The latency of a packet that is alone in the network.
std::uint64_t alone(const Sent& packet, const json& network) {
  const PacketFile file({packet});
  const Result result = reply_run(of_file(0, network));
  REQUIRE(result.traffic->latency.packets == 1);
  return result.traffic->latency.max;
}

}  // namespace

TEST_CASE("a round trip is the packet's way, a cycle, and the reply's way") {
  for (const json& network : kNetworks) {
    for (const auto& flits : {std::pair(4u, 4u), std::pair(1u, 30u), std::pair(9u, 1u)}) {
      const auto [there, back] = flits;
      CAPTURE(network.dump());
      CAPTURE(flits.second);
      const std::uint64_t way = alone({10, 1, 6, there}, network);
      const std::uint64_t way_back = alone({10, 6, 1, back}, network);
      const PacketFile file({{10, 1, 6, there}});
      const Result result = reply_run(of_file(back, network));
      CHECK(result.verified());
      CHECK(result.packets == 2);
      CHECK(result.flits == there + back);
      CHECK(result.traffic->latency.packets == 1);
      CHECK(result.traffic->latency.max == way);
      REQUIRE(result.traffic->round_trip.has_value());
      CHECK(result.traffic->round_trip->packets == 1);
      CHECK(result.traffic->round_trip->mean == static_cast<double>(way + 1 + way_back));
      CHECK(result.traffic->round_trip->p50 == way + 1 + way_back);
      CHECK(result.traffic->round_trip->max == way + 1 + way_back);
    }
  }
}

TEST_CASE("what enters and leaves each node is its packets and the replies to them") {
  constexpr std::uint32_t kReply = 7;
  // The last have arrived when the run ends, but are not all in memory yet.
  constexpr std::uint64_t kStored[] = {598, 597, 599, 598};
  static_assert(std::size(kStored) == std::size(kNetworks));
  for (std::size_t n = 0; n < std::size(kNetworks); ++n) {
    const json& network = kNetworks[n];
    CAPTURE(network.dump());
    // Many at once, several from one node in a cycle, more than the network takes for a while.
    std::vector<Sent> packets;
    std::vector<std::uint64_t> in(16), out(16);
    for (std::uint32_t i = 0; i < 300; ++i) {
      const Sent packet = {i / 5, i * 7 % 8, (i * 3 + i / 16) % 8, 1 + i % 12};
      packets.push_back(packet);
      out[packet.src] += packet.flits;
      in[packet.dst] += packet.flits;
      out[packet.dst] += kReply;
      in[packet.src] += kReply;
    }
    const PacketFile file(packets);
    const Config config = of_file(kReply, network);
    const Graph graph = build_graph(config);
    const Result result = reply_run(config);
    CHECK(result.verified());
    CHECK(result.packets == 600);
    CHECK(result.messages == kStored[n]);
    CHECK(result.flits == std::accumulate(in.begin(), in.end(), std::uint64_t{0}));
    CHECK(result.traffic->packets == 600);
    CHECK(result.traffic->arrived == 600);
    CHECK(result.traffic->latency.packets == 300);
    CHECK(result.traffic->round_trip->packets == 300);
    CHECK(result.traffic->round_trip->mean > result.traffic->latency.mean);
    std::vector<std::uint64_t> into(16), from(16);
    for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
      const Link& link = graph.links[l];
      if (link.src_block == kOpen) continue;
      if (link.src_block < graph.nodes) from.at(link.src_block) += result.link_load[l];
      if (link.dst_block < graph.nodes) into.at(link.dst_block) += result.link_load[l];
    }
    CHECK(into == in);
    CHECK(from == out);
    const Result flit = reply_run(config, "flit");
    CHECK(flit.cycles == result.cycles);
    CHECK(flit.digest == result.digest);
  }
}

TEST_CASE("the rates offered and accepted include replies") {
  // 4 flits of each packet and 12 of its reply: four times the rate of the packets.
  const Result result = reply_run(replying({{"reply_flits", 12}, {"measure", 20000}}));
  const TrafficResult& traffic = *result.traffic;
  CHECK_FALSE(traffic.saturated);
  CHECK(traffic.offered_rate == doctest::Approx(0.4).epsilon(0.03));
  CHECK(traffic.accepted_rate == doctest::Approx(traffic.offered_rate).epsilon(0.01));
  CHECK(traffic.packets == 2 * traffic.latency.packets);
  CHECK(traffic.arrived == traffic.packets);
  CHECK(traffic.round_trip->packets == traffic.latency.packets);
  CHECK_FALSE(reply_run(replying(json::object())).traffic->round_trip.has_value());
}

TEST_CASE("replies: engines and threads agree, and nothing waits for ever beyond saturation") {
  const json regions = json::array({{{"reply_flits", 0}}, {{"traffic", "tornado"}}});
  const json lengths = {{{"flits", 1}, {"weight", 3}}, {{"flits", 9}}};
  const json patterns = {{{"traffic", "uniform"}}, {{"traffic", "hotspot"}, {"share", 0.5}}};
  for (const auto& keys : std::vector<std::pair<json, json>>{
           {json::object(), json::object()},
           {{{"rate", 0.9}}, json::object()},
           {{{"rate", 0.6}, {"drain", 20000}}, {{"router", {{"vc_depth", 2}}}}},
           {{{"packet_flits", lengths}, {"burst_cycles", 30}}, {{"nic", {{"controllers", 4}}}}},
           {{{"traffic", patterns}, {"rate", 0.3}}, {{"router", {{"arbiter", "age"}}}}},
           {{{"regions", regions}, {"rate", 0.3}}, {{"partition", {1, 0}}}},
           {{{"rate", 0.4}}, {{"topology", {{"kind", "hier_crossbar"}, {"dims", {4, 4}}}}}},
           {{{"rate", 0.2}}, {{"link", {{"stages", 2}}}}}}) {
    const auto& [workload, root] = keys;
    CAPTURE(keys.first.dump());
    json all = {{"reply_flits", 6}, {"measure", 1500}};
    all.update(workload);
    const Config config = replying(all, root);
    const Result model = reply_run(config), flit = reply_run(config, "flit");
    CHECK(model.verified());
    CHECK(model.cycles == flit.cycles);
    CHECK(model.digest == flit.digest);
    CHECK(model.traffic->round_trip->mean == flit.traffic->round_trip->mean);
    CHECK(model.traffic->round_trip->max == flit.traffic->round_trip->max);
    CHECK(model.traffic->accepted_rate == flit.traffic->accepted_rate);
    CHECK(reply_run(config, "model", 3).digest == flit.digest);
  }
}

TEST_CASE("replies are refused where nobody could tell whom to answer") {
  CHECK(reply_refused(replying({{"traffic", "mesh_emulation"}, {"reply_flits", 2}})) ==
        "test: /workload/reply_flits: value 2: expected: 0: partners answer in the next round");
  CHECK(reply_refused(replying({{"reply_flits", 2}},
                               {{"faults", {{{"node", 1}, {"cycle", 50}, {"bit", 3}}}}})) ==
        "test: /workload/reply_flits: value 2: expected: 0 with faults, which may change the "
        "source that a header names");
  CHECK_THROWS_AS(replying({{"reply_flits", 257}}), ConfigError);
  CHECK(replying({{"reply_flits", 200}}).nic.packet_flits == 199);
}
