// Messages of several packets that arrive in any order: when they are complete.
#include "sim/fabric/arrivals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

TEST_CASE("arrivals: a message ends with the last of its packets, whatever their order") {
  RandomStream random(3);
  for (int run = 0; run < 200; ++run) {
    struct Message {
      std::uint32_t src, offset, flits;
      std::uint64_t end = 0;
      bool whole = true;
    };
    std::vector<Message> messages;
    std::vector<std::pair<Arrival, std::size_t>> packets;  // With the number of the message.
    std::uint32_t offset = 0;
    for (std::size_t m = 0; m < 12; ++m) {
      const auto flits = static_cast<std::uint32_t>(random.below(30));
      messages.push_back({static_cast<std::uint32_t>(random.below(3)), offset, flits});
      for (std::uint32_t at = 0; at == 0 || at < flits; at += 8) {
        packets.push_back({{messages[m].src, offset + at, std::min(8U, flits - at), 0}, m});
      }
      offset += flits;
    }
    for (std::size_t i = packets.size(); i > 1; --i) {
      std::swap(packets[i - 1], packets[random.below(i)]);
    }
    std::vector<Arrival> arrivals;
    for (std::uint64_t cycle = 1; auto& [packet, m] : packets) {
      // Some packets are still in flight at the end, but none without a body: those are alike.
      if (packet.flits != 0 && random.below(64) == 0) {
        messages[m].whole = false;
        continue;
      }
      packet.cycle = cycle++;
      messages[m].end = packet.cycle;
      arrivals.push_back(packet);
    }
    // Messages without a body at one offset from one source are indistinguishable.
    ArrivedMessages arrived(arrivals);
    std::vector<std::uint64_t> empty, taken;
    for (const Message& m : messages) {
      const std::optional<std::uint64_t> end = arrived.take(m.src, m.offset, m.flits);
      REQUIRE(end.has_value() == m.whole);
      if (m.flits != 0 && m.whole) CHECK(*end == m.end);
      if (m.flits == 0) {
        empty.push_back(m.end);
        taken.push_back(*end);
      }
    }
    std::sort(empty.begin(), empty.end());
    std::sort(taken.begin(), taken.end());
    CHECK(empty == taken);
  }
}

TEST_CASE("arrivals: of acknowledged packets each is recorded once, when it is right") {
  const Config config = parse_config({{"topology", {{"kind", "torus"}, {"dims", {3}}}},
                                      {"nic", {{"reliable", true}, {"outstanding", 4}}},
                                      {"link", {{"parity", true}}}},
                                     "test");
  const Graph graph = build_graph(config);
  const IdForm ids{1, 4};
  ArrivalMonitor monitor(graph, true, true);
  ReceiveWindows windows;
  windows.size[0] = 10000;
  RandomStream random(5);
  // Node 0 gets the packets of two sources, each the next in its slot or the last one again.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> next;  // By source and slot.
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;                 // Source and place.
  std::vector<Arrival> wanted;
  for (std::uint64_t cycle = 0; cycle < 5000;) {
    const auto src = static_cast<std::uint32_t>(1 + random.below(2));
    const auto slot = static_cast<std::uint32_t>(random.below(4));
    std::uint32_t& number = next[{src, slot}];
    const std::uint32_t place = number * 4 + slot, len = place % 3;
    const PacketId id{random.below(16) == 0, 0, slot, number % 2 != 0};
    Header header{.dst = graph.address[0], .src = graph.address[src], .len = len, .eom = true};
    header.off = place | ids.in_offset(id, graph.header);
    const bool stray = random.below(16) == 0, short_of_one = len != 0 && random.below(16) == 0;
    const bool beyond = random.below(16) == 0;
    if (stray) header.dst = graph.address[1];
    if (beyond) header.off += windows.size[0];
    bool spoilt = false;
    const std::uint32_t flits = len + 1 - short_of_one;
    for (std::uint32_t f = 0; f < flits; ++f) {
      Flit flit;
      flit.valid = true;
      flit.last = f + 1 == flits;
      flit.data = f == 0 ? header.pack(graph.header) : random();
      const bool flips = random.below(32) == 0;
      flit.parity = parity_of(flit, 1) != flips;
      spoilt |= flips;
      monitor.note(0, flit, cycle++, windows);
    }
    if (stray || beyond || short_of_one || spoilt || id.ack) continue;
    if (seen.insert({src, place}).second) {
      wanted.push_back({header.src, place, len, cycle - 1});
    }
    // What was acknowledged may come again, but not after its successor.
    if (random.below(2) == 0) ++number;
  }
  const std::vector<Arrival>& found = monitor.arrivals()[0];
  REQUIRE(found.size() == wanted.size());
  CHECK(wanted.size() > 200);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK(found[i].src == wanted[i].src);
    CHECK(found[i].body_at == wanted[i].body_at);
    CHECK(found[i].flits == wanted[i].flits);
    CHECK(found[i].cycle == wanted[i].cycle);
  }
}

}  // namespace
