// Messages of several packets that arrive in any order: when they are complete.
#include "sim/fabric/arrivals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"

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

}  // namespace
