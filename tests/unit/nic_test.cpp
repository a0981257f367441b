// Network interface (NIC) against a functional model without cycles: messages cut by arithmetic,
// packets delivered to a plain memory. No RTL here.
#include "sim/nic/nic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <tuple>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/unit/nic_node.hpp"

namespace {

using namespace weft;
using namespace weft::nodes;

// The packets of a message: number n is body flits [n x size, (n + 1) x size) of it.
std::vector<Packet> packets_of(const Descriptor& desc, std::uint32_t src, std::uint32_t size,
                               const std::vector<std::uint64_t>& memory) {
  const std::uint32_t count = std::max(1u, (desc.len + size - 1) / size);
  std::vector<Packet> packets(count);
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t begin = n * size, end = std::min(desc.len, begin + size);
    const Header header{desc.dst, src, desc.off + begin, end - begin, desc.tag, n + 1 == count};
    packets[n].push_back(header.pack());
    packets[n].insert(packets[n].end(), memory.begin() + desc.addr + begin,
                      memory.begin() + desc.addr + end);
  }
  return packets;
}

// Two nodes, each the other's only neighbour. Each message is written to an area of its own. On
// credit links each end returns one credit for each word that leaves it: with one VC of the
// receive side's depth its credits are the sender's.
struct Pair {
  Pair(const Nic::Config& config, std::uint64_t seed)
      : random(seed), nodes{Node(config, 0x12, random), Node(config, 0x34, random)} {
    for (unsigned n = 0; n < 2; ++n) nodes[n].in.tx_credit = credits[n].data();
  }

  bool idle() const { return nodes[0].nic.idle(nodes[0].in) && nodes[1].nic.idle(nodes[1].in); }

  void step() {
    for (unsigned n = 0; n < 2; ++n) {
      nodes[n].in.rx = nodes[n ^ 1].nic.out().tx;
      nodes[n].in.tx_full = nodes[n ^ 1].nic.out().rx_full;
      for (unsigned i = 0; i < Nic::kMaxLinks; ++i) {
        credits[n][i] = nodes[n ^ 1].nic.out().rx_credit >> i & 1;
      }
    }
    for (Node& node : nodes) node.step();
  }

  RandomStream random;
  std::array<Node, 2> nodes;
  std::array<std::array<std::uint64_t, Nic::kMaxLinks>, 2> credits = {};
};

void loopback(const Nic::Config& config, std::uint64_t seed) {
  CAPTURE(config.num_ctrl);
  CAPTURE(config.packet_flits);
  Pair pair(config, seed);
  RandomStream& random = pair.random;
  std::array<std::deque<Descriptor>, 2> orders;
  std::array<std::vector<Packet>, 2> wanted_packets;
  std::array<std::vector<std::uint64_t>, 2> wanted = {pair.nodes[0].memory, pair.nodes[1].memory};
  std::array<std::array<std::uint32_t, kNumRxCounts>, 2> counts = {};
  for (unsigned n = 0; n < 2; ++n) {
    for (std::uint32_t off = 0;;) {
      Descriptor desc;
      desc.dst = pair.nodes[n ^ 1].in.node;
      desc.len = static_cast<std::uint32_t>(random.below(6 * config.packet_flits));
      if (random.below(4) == 0) desc.len = 0;
      desc.off = off;
      off += desc.len;
      if (off > kWindow) break;
      desc.addr = static_cast<std::uint32_t>(random.below(kBase - desc.len));
      desc.tag = static_cast<std::uint32_t>(random.below(8));
      desc.gap = static_cast<std::uint32_t>(random.below(3));
      desc.ctrl = static_cast<std::uint32_t>(random.below(config.num_ctrl + 1));
      orders[n].push_back(desc);
      for (Packet& packet :
           packets_of(desc, pair.nodes[n].in.node, config.packet_flits, wanted[n])) {
        wanted_packets[n].push_back(std::move(packet));
      }
      std::copy_n(wanted[n].begin() + desc.addr, desc.len,
                  wanted[n ^ 1].begin() + kBase + desc.off);
      ++counts[n ^ 1][desc.tag % kNumRxCounts];
    }
  }

  const std::array<std::size_t, 2> messages = {orders[0].size(), orders[1].size()};
  for (std::uint64_t cycle = 0; cycle < 1'000'000; ++cycle) {
    for (unsigned n = 0; n < 2; ++n) {
      Node& node = pair.nodes[n];
      node.in.desc_valid = !orders[n].empty() && random.below(3) != 0;
      if (!node.in.desc_valid) continue;
      node.in.desc = orders[n].front();
      // With a full queue the descriptor is ignored, and written again later.
      if (node.nic.out().status.desc_free != 0) orders[n].pop_front();
    }
    pair.step();
    if (orders[0].empty() && orders[1].empty() && pair.idle()) break;
  }
  REQUIRE(pair.idle());

  for (unsigned n = 0; n < 2; ++n) {
    const Node& node = pair.nodes[n];
    const NicStatus& status = node.nic.out().status;
    CHECK(status.tx_count == messages[n]);
    CHECK(status.rx_count == counts[n]);
    CHECK(status.rx_arrived == counts[n]);
    CHECK(status.rx_parity == 0);
    CHECK(status.rx_refused == 0);
    CHECK(status.desc_free == config.queue_depth);
    CHECK(node.memory == wanted[n]);
    // One controller keeps the order of the messages; several do not interleave packets.
    std::vector<Packet> sent = node.sent;
    if (config.num_ctrl > 1) {
      std::sort(sent.begin(), sent.end());
      std::sort(wanted_packets[n].begin(), wanted_packets[n].end());
    }
    CHECK(sent == wanted_packets[n]);
  }
}

TEST_CASE("nic: two NICs deliver random messages into each other's memory") {
  for (const unsigned controllers : {1u, 2u, 3u, 4u, 8u}) {
    for (const std::uint32_t packet_flits : {1u, 4u, 5u, 128u, 255u}) {
      for (const std::uint32_t depth : {1u, 8u}) {
        loopback({controllers, (controllers & 1) != 0, packet_flits, depth},
                 controllers * 1000 + packet_flits + depth);
      }
    }
  }
}

TEST_CASE("nic: credit links deliver the same into memory, and no credit is lost") {
  for (const unsigned controllers : {1u, 2u, 3u, 4u, 8u}) {
    for (const std::uint32_t packet_flits : {1u, 5u, 128u}) {
      loopback({.num_ctrl = controllers,
                .parity = (controllers & 1) != 0,
                .packet_flits = packet_flits,
                .credit = true,
                .vc_depth = 4},
               controllers * 1000 + packet_flits);
    }
  }
}

TEST_CASE("nic: a word waits for a credit, which may arrive while nothing else happens") {
  RandomStream random(6);
  Node node({.packet_flits = 8, .credit = true, .num_vc = 2, .vc_depth = 2, .age = true}, 7,
            random);
  std::uint64_t credit = 0;
  node.in.tx_credit = &credit;
  std::vector<Flit> sent;
  std::uint32_t now = 0;
  const auto run = [&](unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i, ++now) {
      node.in.now = now;
      if (node.nic.out().tx[0].valid) sent.push_back(node.nic.out().tx[0]);
      if (!node.nic.idle(node.in)) node.step();
      node.in.desc_valid = false;
      credit = 0;
    }
  };
  const auto post = [&](std::uint32_t len) {
    node.in.desc = {.dst = 1, .addr = 0, .len = len, .off = 0, .tag = 0, .gap = 0};
    node.in.desc_valid = true;
  };
  // Three packets of two flits: VCs 0, 1, then 0 again, which has no credit left.
  for (int m = 0; m < 3; ++m) {
    post(1);
    run(20);
  }
  REQUIRE(sent.size() == 4);
  CHECK(sent[1].vc == 0);
  CHECK(sent[2].vc == 1);
  CHECK(sent[0].stamp == 5);  // Its header moved in cycle 5 and was on the link in cycle 6.
  CHECK(sent[3].stamp == 25);
  // Credits are returned one by one, for VC 1, VC 0 and VC 1.
  credit = 2;
  run(20);
  REQUIRE(sent.size() == 5);
  CHECK(sent[4].vc == 1);
  credit = 1;
  run(20);
  CHECK(sent.size() == 5);  // A credit of VC 0 is of no use to the packet in VC 1.
  credit = 2;
  run(20);
  REQUIRE(sent.size() == 6);
  CHECK(sent[5].last);
  // The next packet takes VC 0, whose credit arrived while nothing could move.
  post(0);
  run(20);
  REQUIRE(sent.size() == 7);
  CHECK(sent[6].vc == 0);
  REQUIRE(node.nic.idle(node.in));
  credit = 3;
  CHECK_FALSE(node.nic.idle(node.in));
  run(5);
  post(0);
  run(20);
  CHECK(sent.size() == 8);
}

TEST_CASE("nic: with a VC for each destination a full one blocks only its own packets") {
  RandomStream random(8);
  Node node({.num_ctrl = 2,
             .packet_flits = 8,
             .credit = true,
             .num_vc = 6,
             .vc_depth = 4,
             .by_dest = true,
             .max_coords = {2, 1}},
            7, random);
  // Destination 2 + 3 x 1 has the address 2 | 1 << 2, VC 5. One message to it uses its four credits
  // on link 0; another one to it waits there, others pass on link 1.
  for (const std::uint32_t dst : {6u, 0u, 6u, 4u}) {
    node.in.desc = {.dst = dst, .addr = 0, .len = 3, .off = 0, .tag = 0, .gap = 0};
    node.in.desc_valid = true;
    node.step();
    node.in.desc_valid = false;
    for (int i = 0; i < 40; ++i) node.step();
  }
  REQUIRE(node.sent.size() == 3);
  for (unsigned p = 0; p < 3; ++p) {
    CHECK(Header::unpack(node.sent[p][0]).dst == std::array{6u, 0u, 4u}[p]);
  }
}

TEST_CASE("nic: an idle NIC does not change") {
  RandomStream random(5);
  Node node({2, true, 4, 8}, 7, random);
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    // Few messages, so that most cycles after one are idle.
    node.in.desc_valid = random.below(50) == 0;
    node.in.desc.len = static_cast<std::uint32_t>(random.below(10));
    node.in.desc.gap = static_cast<std::uint32_t>(random.below(3));
    node.in.tx_full = random.below(2) == 0;
    const bool idle = node.nic.idle(node.in);
    const Nic::Out before = node.nic.out();
    node.step();
    if (!idle) continue;
    CHECK(node.nic.out() == before);
    node.in.desc_valid = false;
    CHECK(node.nic.idle(node.in));
  }
  CHECK(node.nic.out().status.tx_count > 100);
}

TEST_CASE("nic: several controllers share the link packet by packet") {
  RandomStream random(3);
  Node node({4, false, 16, 8}, 7, random);
  for (std::uint32_t m = 0; m < 4; ++m) {
    node.in.desc = {.dst = m, .addr = 0, .len = 160, .off = 0, .tag = 0, .gap = 0};
    node.in.desc_valid = true;
    node.step();
  }
  node.in.desc_valid = false;
  while (!node.nic.idle(node.in)) node.step();
  REQUIRE(node.sent.size() == 40);
  // Messages that arrive one cycle after the other are sent round-robin, one packet each.
  for (std::uint32_t p = 0; p < 40; ++p) CHECK(Header::unpack(node.sent[p][0]).dst == p % 4);
}

TEST_CASE("nic: equal messages of one packet are sent in the order of posting") {
  for (const unsigned controllers : {1u, 2u, 3u, 4u, 8u}) {
    for (const std::uint32_t len : {0u, 1u, 2u, 5u, 16u}) {
      for (const std::uint32_t gap : {0u, 2u}) {
        for (const std::uint64_t pause : {1u, 4u, 40u}) {
          CAPTURE(controllers);
          CAPTURE(len);
          CAPTURE(gap);
          CAPTURE(pause);
          RandomStream random(controllers + len + pause);
          Node node({controllers, false, 16, 8}, 7, random);
          for (std::uint32_t posted = 0; posted < 60 || !node.nic.idle(node.in);) {
            const bool posts = posted < 60 && random.below(pause) == 0;
            node.in.desc = {.dst = posted, .addr = 0, .len = len, .off = 0, .tag = 0, .gap = gap};
            node.in.desc_valid = posts;
            node.in.tx_full = random.below(pause) == 1;
            if (posts && node.nic.out().status.desc_free != 0) ++posted;
            node.step();
          }
          REQUIRE(node.sent.size() == 60);
          for (std::uint32_t m = 0; m < 60; ++m) {
            CHECK(Header::unpack(node.sent[m][0]).dst == m);
          }
        }
      }
    }
  }
}

TEST_CASE("nic: a message goes to an idle controller, not after another to a busy one") {
  RandomStream random(4);
  Node node({2, false, 16, 8}, 7, random);
  // A long message occupies the first controller; the second sends the others between its packets.
  for (std::uint32_t m = 0; m < 3; ++m) {
    node.in.desc = {.dst = m, .addr = 0, .len = m == 0 ? 80u : 1u, .off = 0, .tag = 0, .gap = 0};
    node.in.desc_valid = true;
    node.step();
  }
  node.in.desc_valid = false;
  while (!node.nic.idle(node.in)) node.step();
  std::vector<std::uint32_t> order;
  for (const Packet& packet : node.sent) order.push_back(Header::unpack(packet[0]).dst);
  CHECK(order == std::vector<std::uint32_t>{0, 1, 0, 2, 0, 0, 0});
}

TEST_CASE("nic: a message that is bound to a controller waits for it, and later ones wait too") {
  RandomStream random(4);
  Node node({2, false, 16, 8}, 7, random);
  // A long message occupies controller 1, and two more are bound to it. Controller 0 is idle all
  // the time, but the message for it is head-of-line blocked.
  const std::array<std::uint32_t, 5> ctrl = {2, 2, 2, 1, 0};
  for (std::uint32_t m = 0; m < ctrl.size(); ++m) {
    node.in.desc = {.dst = m, .len = m == 0 ? 80u : 1u, .ctrl = ctrl[m]};
    node.in.desc_valid = true;
    node.step();
  }
  node.in.desc_valid = false;
  while (!node.nic.idle(node.in)) {
    node.step();
    if (node.sent.size() == 3) CHECK(node.nic.out().status.desc_free == 8 - 4);
  }
  std::vector<std::uint32_t> order;
  for (const Packet& packet : node.sent) order.push_back(Header::unpack(packet[0]).dst);
  CHECK(order.size() == 9);
  CHECK(std::all_of(order.begin(), order.begin() + 4, [](std::uint32_t dst) { return dst == 0; }));
  const auto sent = [&](std::uint32_t dst) { return std::find(order.begin(), order.end(), dst); };
  CHECK(sent(1) < sent(2));
}

TEST_CASE("nic: on credit links a bound message leaves by its controller's link") {
  RandomStream random(5);
  Node node({.num_ctrl = 4, .packet_flits = 16, .credit = true, .vc_depth = 8}, 7, random);
  const std::array<std::uint32_t, 4> ctrl = {4, 1, 3, 2};
  std::array<std::uint32_t, 4> link = {};
  for (std::uint32_t cycle = 0; cycle < 40; ++cycle) {
    node.in.desc_valid = cycle < ctrl.size();
    if (node.in.desc_valid) node.in.desc = {.dst = cycle, .ctrl = ctrl[cycle]};
    node.step();
    for (unsigned i = 0; i < 4; ++i) {
      const Flit& flit = node.nic.out().tx[i];
      if (flit.valid) link[Header::unpack(flit.data).dst] = i + 1;
    }
  }
  CHECK(link == ctrl);
}

// Feeds words into one NIC, as on its incoming link.
void feed(Node& node, const Packet& packet, bool spoil = false) {
  for (std::size_t k = 0; k < packet.size();) {
    const bool last = k + 1 == packet.size();
    const bool held = node.nic.out().rx_full;
    node.in.rx[0] = {};
    // More careful than it must be: a word may still be on the link when Buffer-Full rises.
    if (!held) {
      node.in.rx[0] = {.data = packet[k],
                       .last = last,
                       .parity = parity_of(packet[k], last) != (spoil && last),
                       .valid = true};
      ++k;
    }
    node.step();
  }
  node.in.rx[0] = {};
  for (int i = 0; i < 300; ++i) node.step();
}

TEST_CASE("nic: a bad packet is dropped and counted, a good one after it is stored") {
  RandomStream random(11);
  Node node({1, true, 8, 8}, 7, random);
  node.in.windows.size[0] = 100;
  const auto packet = [&](std::uint32_t off, std::uint32_t len, std::uint32_t body) {
    Packet words = {Header{7, 9, off, len, 2, true}.pack()};
    for (std::uint32_t k = 0; k < body; ++k) words.push_back(random());
    return words;
  };
  auto wanted = node.memory;
  const auto good = [&](std::uint32_t off, std::uint32_t len) {
    const Packet words = packet(off, len, len);
    feed(node, words);
    std::copy(words.begin() + 1, words.end(), wanted.begin() + kBase + off);
  };
  good(0, 8);
  good(92, 8);  // up to the end of the window
  good(100, 0);
  feed(node, packet(93, 8, 8));   // one flit beyond
  feed(node, packet(101, 0, 0));  // beyond, though empty
  feed(node, packet(20, 4, 5));
  feed(node, packet(20, 4, 3));
  feed(node, packet(20, 0, 1));
  feed(node, packet(20, 9, 9));                  // longer than a buffer
  for (unsigned bit = 0; bit < kAddrW; ++bit) {  // another node's address
    Packet stray = packet(20, 4, 4);
    stray[0] ^= std::uint64_t{1} << bit;
    feed(node, stray);
  }
  feed(node, packet(20, 4, 4 + 256));
  feed(node, packet(20, 4, 4), true);
  feed(node, packet(93, 8, 8), true);  // parity is judged first
  good(30, 1);
  CHECK(node.memory == wanted);
  const NicStatus& status = node.nic.out().status;
  CHECK(status.rx_count == std::array<std::uint32_t, 4>{0, 0, 4, 0});
  CHECK(status.rx_refused == 7 + kAddrW);
  CHECK(status.rx_parity == 2);
}

// A packet for node 7 of `len` body flits.
Packet packet_of(RandomStream& random, std::uint32_t off, std::uint32_t len, bool eom) {
  Packet words = {Header{7, 9, off, len, 2, eom}.pack()};
  for (std::uint32_t k = 0; k < len; ++k) words.push_back(random());
  return words;
}

TEST_CASE("nic: where packets overtake each other a message counts as many as it has packets") {
  RandomStream random(17);
  for (const bool overtake : {false, true}) {
    Node node({.packet_flits = 8, .credit = true, .num_vc = overtake ? 2U : 1U}, 7, random);
    auto wanted = node.memory;
    std::vector<std::uint32_t> counts;
    // A message of 3 packets, its last one first, and one without a body.
    for (const auto& [off, len, eom] :
         {std::tuple{16U, 3U, true}, {0U, 8U, false}, {8U, 8U, false}, {30U, 0U, true}}) {
      const Packet words = packet_of(random, off, len, eom);
      std::copy(words.begin() + 1, words.end(), wanted.begin() + kBase + off);
      feed(node, words);
      const NicStatus& status = node.nic.out().status;
      counts.push_back(status.rx_count[2]);
      CHECK(status.rx_arrived == status.rx_count);
    }
    CHECK(counts == (overtake ? std::vector<std::uint32_t>{1, 2, 3, 4}
                              : std::vector<std::uint32_t>{1, 1, 1, 2}));
    CHECK(node.memory == wanted);
  }
}

TEST_CASE("nic: a packet is judged and stored by one receive window") {
  RandomStream random(19);
  // The window moves once, some time before or after the packet's last word: from one into which it
  // fits to one that is too small for it.
  for (std::uint32_t moves = 0; moves < 20; ++moves) {
    Node node({.packet_flits = 8}, 7, random);
    const Packet words = packet_of(random, 40, 4, true);
    auto stored = node.memory;
    std::copy(words.begin() + 1, words.end(), stored.begin() + kBase + 40);
    node.in.windows.size[0] = 64;
    const auto untouched = node.memory;
    for (std::uint32_t cycle = 0; cycle < 40; ++cycle) {
      if (cycle == moves) {
        node.in.windows.base[0] = kBase + 100;
        node.in.windows.size[0] = 4;
      }
      node.in.rx[0] = {};
      if (cycle < words.size()) {
        node.in.rx[0] = {.data = words[cycle], .last = cycle + 1 == words.size(), .valid = true};
      }
      node.step();
    }
    const NicStatus& status = node.nic.out().status;
    // The last word is on the link in cycle 4 and judged in the next one.
    CHECK(status.rx_refused == (moves <= 5 ? 1 : 0));
    CHECK(status.rx_count[2] == (moves <= 5 ? 0 : 1));
    CHECK(node.memory == (moves <= 5 ? untouched : stored));
  }
}

TEST_CASE("nic: the inter-packet gap is `gap` times the packet's length") {
  RandomStream random(13);
  for (const std::uint32_t gap : {0u, 1u, 4u, 7u}) {
    Node node({1, false, 10, 8}, 7, random);
    node.in.desc = {.dst = 1, .addr = 0, .len = 45, .off = 0, .tag = 0, .gap = gap};
    node.in.desc_valid = true;
    std::vector<std::uint64_t> headers;
    for (std::uint64_t cycle = 0; headers.size() < 5; ++cycle) {
      const std::size_t before = node.sent.size();
      node.step();
      node.in.desc_valid = false;
      if (node.sent.size() != before) headers.push_back(cycle);
      REQUIRE(cycle < 1000);
    }
    std::vector<std::uint64_t> steps(5);
    std::adjacent_difference(headers.begin(), headers.end(), steps.begin());
    CHECK(steps == std::vector<std::uint64_t>{6, 11 * (gap + 1), 11 * (gap + 1), 11 * (gap + 1),
                                              11 * (gap + 1)});
  }
}

TEST_CASE("nic: unusable figures are refused") {
  CHECK_THROWS_AS(Nic({.num_ctrl = 0}), ConfigError);
  CHECK_THROWS_AS(Nic({.num_ctrl = 9}), ConfigError);
  CHECK_THROWS_AS(Nic({.packet_flits = 0}), ConfigError);
  CHECK_THROWS_AS(Nic({.packet_flits = 256}), ConfigError);
  CHECK_THROWS_AS(Nic({.queue_depth = 0}), ConfigError);
  CHECK_THROWS_AS(Nic({.reduce = true, .mem_ready = true}), ConfigError);
  CHECK_THROWS_AS(Nic({.credit = true, .num_vc = 0}), ConfigError);
  CHECK_THROWS_AS(Nic({.credit = true, .vc_depth = 0}), ConfigError);
  CHECK_THROWS_AS(Nic({.credit = true, .num_vc = 5, .by_dest = true, .max_coords = {2, 1}}),
                  ConfigError);
}

}  // namespace
