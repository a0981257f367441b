// Reduction into memory by a network interface (NIC): against sequential arithmetic on an array,
// and against a NIC without reduction, whose writes and counts are a fixed time earlier.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/unit/nic_node.hpp"

namespace {

using namespace weft;
using namespace weft::nodes;

constexpr std::uint32_t kNode = 0x21;

// Arithmetic in wider formats, cut or rounded once.
template <class Signed>
Signed of_ints(ReduceOp op, std::uint32_t count, Signed a, Signed b) {
  const auto x = static_cast<__int128>(a), y = static_cast<__int128>(b);
  switch (op) {
    case ReduceOp::kSum:
      return static_cast<Signed>(x + y);
    case ReduceOp::kProd:
      return static_cast<Signed>(static_cast<unsigned __int128>(x) *
                                 static_cast<unsigned __int128>(y));
    case ReduceOp::kMax:
      return x - y > 0 ? a : b;
    case ReduceOp::kMin:
      return x - y > 0 ? b : a;
    case ReduceOp::kMean:
      return static_cast<Signed>(static_cast<__int128>(static_cast<Signed>(x + y)) / count);
    default:
      return b;
  }
}

float of_floats(ReduceOp op, std::uint32_t count, double a, double b) {
  switch (op) {
    case ReduceOp::kSum:
      return static_cast<float>(a + b);
    case ReduceOp::kProd:
      return static_cast<float>(a * b);
    case ReduceOp::kMax:
      return static_cast<float>(std::fmax(a, b));
    case ReduceOp::kMin:
      return static_cast<float>(std::fmin(a, b));
    case ReduceOp::kMean:
      return static_cast<float>(double{static_cast<float>(a + b)} / count);
    default:
      return static_cast<float>(b);
  }
}

std::uint64_t reduced(const Reduction& r, std::uint64_t held, std::uint64_t word) {
  if (r.type == ReduceType::kInt64) {
    return static_cast<std::uint64_t>(
        of_ints(r.op, r.count, static_cast<std::int64_t>(held), static_cast<std::int64_t>(word)));
  }
  std::uint64_t result = 0;
  for (unsigned lsb = 0; lsb < 64; lsb += 32) {
    const auto a = static_cast<std::uint32_t>(held >> lsb);
    const auto b = static_cast<std::uint32_t>(word >> lsb);
    const std::uint32_t element =
        r.type == ReduceType::kFp32
            ? std::bit_cast<std::uint32_t>(of_floats(r.op, r.count, double{std::bit_cast<float>(a)},
                                                     double{std::bit_cast<float>(b)}))
            : static_cast<std::uint32_t>(of_ints(r.op, r.count, static_cast<std::int32_t>(a),
                                                 static_cast<std::int32_t>(b)));
    result |= std::uint64_t{element} << lsb;
  }
  return result;
}

// Floats between 1/8 and 8, so that a few products and means stay normal numbers.
std::uint64_t random_word(RandomStream& random, ReduceType type) {
  if (type != ReduceType::kFp32) return random();
  std::uint64_t word = 0;
  for (unsigned lsb = 0; lsb < 64; lsb += 32) {
    const std::uint64_t exponent = 124 + random.below(6);
    word |= ((random() & 0x807fffff) | exponent << 23) << lsb;
  }
  return word;
}

Packet packet_to(std::uint32_t off, std::uint32_t tag, bool eom,
                 const std::vector<std::uint64_t>& body) {
  Packet packet = {Header{kNode, 9, off, static_cast<std::uint32_t>(body.size()), tag, eom}.pack()};
  packet.insert(packet.end(), body.begin(), body.end());
  return packet;
}

// The incoming links of a node, each with the words still to arrive, in order.
class Feeder {
 public:
  Feeder(const Nic::Config& config, RandomStream& random)
      : config_(config), random_(random), links_(config.links()) {}

  void add(unsigned link, const Packet& packet) {
    for (std::size_t k = 0; k < packet.size(); ++k) {
      const bool last = k + 1 == packet.size();
      links_[link].words.push_back({.data = packet[k],
                                    .last = last,
                                    .parity = config_.parity && parity_of(packet[k], last),
                                    .valid = true});
    }
  }

  bool empty() const {
    return std::all_of(links_.begin(), links_.end(),
                       [](const Link& link) { return link.words.empty(); });
  }

  // The words of the next cycle, or with `idle` none. More careful than it must be: with
  // Buffer-Full a word may still arrive after it rises.
  void drive(Node& node, bool idle) {
    const Nic::Out& out = node.nic.out();
    for (unsigned i = 0; i < links_.size(); ++i) {
      Link& link = links_[i];
      link.credits += out.rx_credit >> i & 1;
      node.in.rx[i] = {};
      const bool open = config_.credit ? link.credits > 0 : !out.rx_full;
      if (idle || link.words.empty() || !open || random_.below(8) == 0) continue;
      node.in.rx[i] = link.words.front();
      link.words.pop_front();
      --link.credits;
    }
  }

 private:
  struct Link {
    std::deque<Flit> words;
    unsigned credits = kRxDepth;
  };
  Nic::Config config_;
  RandomStream& random_;
  std::vector<Link> links_;
};

std::uint32_t sum_of(const std::array<std::uint32_t, kNumRxCounts>& counts) {
  return counts[0] + counts[1] + counts[2] + counts[3];
}

// In every round messages arrive on all links, each for an area of its own; all rounds use the same
// areas. When all messages of a round are counted, the memory must hold the computed words.
void rounds(const Nic::Config& config, const Reduction& reduction, std::uint64_t seed) {
  constexpr unsigned kRounds = 5, kMessages = 6;
  RandomStream random(seed);
  Node node(config, kNode, random);
  node.in.reduction = reduction;
  for (std::uint32_t k = kBase; k < kMemory; ++k) {
    node.memory[k] = random_word(random, reduction.type);
  }
  Feeder feeder(config, random);
  std::vector<std::uint64_t> expected = node.memory;
  std::array<std::uint32_t, kNumRxCounts> counts = {};
  std::uint32_t reads = 0, expected_reads = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned link = 0; link < config.links(); ++link) {
      for (unsigned m = 0; m < kMessages; ++m) {
        // A message of a few packets, in an area for 4 packets.
        std::uint32_t off = (link * kMessages + m) * 4 * config.packet_flits;
        const auto tag = static_cast<std::uint32_t>(random.below(8));
        for (auto left = 1 + random.below(4); left > 0; --left) {
          std::vector<std::uint64_t> body(random.below(config.packet_flits + 1));
          for (std::uint64_t& word : body) word = random_word(random, reduction.type);
          feeder.add(link, packet_to(off, tag, left == 1, body));
          for (const std::uint64_t word : body) {
            std::uint64_t& held = expected[kBase + off++];
            const bool reduces = tag % 2 == 1 && reduction.op != ReduceOp::kStore;
            held = reduces ? reduced(reduction, held, word) : word;
            expected_reads += reduces;
          }
        }
        ++counts[tag % 4];
      }
    }
    for (unsigned cycle = 0; node.nic.out().status.rx_count != counts; ++cycle) {
      REQUIRE(cycle < 20'000);
      feeder.drive(node, false);
      reads += static_cast<std::uint32_t>(std::popcount(node.nic.out().mem_ren));
      if (!node.nic.idle(node.in)) node.step();
    }
    REQUIRE(feeder.empty());
    CHECK(node.memory == expected);
  }
  CHECK(node.nic.idle(node.in));
  CHECK(reads == expected_reads);
  CHECK(node.nic.out().status.rx_arrived == counts);
  CHECK(node.nic.out().status.rx_refused == 0);
}

TEST_CASE("nic: messages are reduced into memory as sequential arithmetic does") {
  const Nic::Config configs[] = {
      {.packet_flits = 5, .reduce = true},
      {.num_ctrl = 2, .parity = true, .packet_flits = 8, .reduce = true},
      {.packet_flits = 1, .credit = true, .vc_depth = 4, .reduce = true},
      {.num_ctrl = 8, .packet_flits = 40, .credit = true, .vc_depth = 4, .reduce = true},
  };
  std::uint64_t seed = 1;
  for (const Nic::Config& config : configs) {
    for (unsigned op = 0; op < kReduceOps; ++op) {
      for (unsigned type = 0; type < kReduceTypes; ++type) {
        CAPTURE(config.num_ctrl);
        CAPTURE(op);
        CAPTURE(type);
        for (const std::uint32_t count : {1u, 3u, 65535u}) {
          const Reduction reduction = {static_cast<ReduceOp>(op), static_cast<ReduceType>(type),
                                       count};
          rounds(config, reduction, ++seed);
          if (reduction.op != ReduceOp::kMean) break;
        }
      }
    }
  }
}

// Many messages for a few words, on all links at once: every one of them counts in the sums, whose
// order does not matter. Some packets have a body of one word, so that words of one address follow
// each other closely.
TEST_CASE("nic: messages that reduce into the same words on several links at once all count") {
  for (const unsigned links : {1u, 2u, 5u}) {
    for (const bool mean : {false, true}) {
      const Nic::Config config = {
          .num_ctrl = links, .packet_flits = 8, .credit = true, .vc_depth = 4, .reduce = true};
      RandomStream random(links);
      Node node(config, kNode, random);
      node.in.reduction = {mean ? ReduceOp::kMean : ReduceOp::kSum, ReduceType::kInt64, 1};
      Feeder feeder(config, random);
      std::vector<std::uint64_t> expected(16, 0);
      for (unsigned link = 0; link < links; ++link) {
        for (unsigned m = 0; m < 200; ++m) {
          const auto off = static_cast<std::uint32_t>(random.below(8));
          std::vector<std::uint64_t> body(1 + random.below(random.below(2) ? 1 : 8));
          for (unsigned k = 0; k < body.size(); ++k) expected[off + k] += body[k] = random();
          feeder.add(link, packet_to(off, 1, true, body));
        }
      }
      std::uint32_t cycles = 0;
      for (; sum_of(node.nic.out().status.rx_count) != 200 * links; ++cycles) {
        REQUIRE(cycles < 200'000);
        feeder.drive(node, false);
        if (!node.nic.idle(node.in)) node.step();
      }
      const auto area = node.memory.begin() + kBase;
      CHECK(std::equal(expected.begin(), expected.end(), area));
    }
  }
}

// A NIC without reduction gets the same inputs: its outputs to the link and its arrival counts are
// equal in every cycle, its writes and message counts `latency` cycles earlier.
void delayed(const Nic::Config& config, ReduceOp op, unsigned latency) {
  RandomStream random(latency + config.num_ctrl);
  Nic::Config without = config;
  without.reduce = false;
  Nic plain(without);
  Node node(config, kNode, random);
  node.in.reduction = {op, ReduceType::kInt32, 1};
  Feeder feeder(config, random);
  std::deque<Nic::Out> past(latency, plain.out());
  std::uint32_t writes = 0;
  for (unsigned cycle = 0; cycle < 20'000; ++cycle) {
    const Nic::Out& out = node.nic.out();
    const Nic::Out now = plain.out(), then = past.front();
    past.pop_front();
    past.push_back(now);
    REQUIRE(out.rx_credit == now.rx_credit);
    REQUIRE(out.rx_full == now.rx_full);
    REQUIRE(out.status.rx_arrived == now.status.rx_arrived);
    REQUIRE(out.status.rx_refused == now.status.rx_refused);
    REQUIRE(out.mem_wen == then.mem_wen);
    REQUIRE(out.mem_waddr == then.mem_waddr);
    REQUIRE(out.status.rx_count == then.status.rx_count);
    if (op == ReduceOp::kStore) REQUIRE(out.mem_wdata == then.mem_wdata);
    writes += static_cast<std::uint32_t>(std::popcount(out.mem_wen));
    for (unsigned i = 0; i < config.links(); ++i) {
      if (random.below(60) != 0 || cycle > 15'000) continue;
      std::vector<std::uint64_t> body(random.below(config.packet_flits + 1));
      // Some do not fit into the window.
      const auto off = static_cast<std::uint32_t>(random.below(kWindow + 100));
      feeder.add(i, packet_to(off, static_cast<std::uint32_t>(random.below(8)),
                              random.below(3) != 0, body));
    }
    feeder.drive(node, random.below(3) == 0);
    Nic::In in = node.in;
    const NicStatus before = out.status;
    if (!node.nic.idle(node.in)) {
      node.step();
      CHECK((node.nic.status_changed() || before == node.nic.out().status));
    }
    if (!plain.idle(in)) plain.step(in);
  }
  CHECK(writes > 1000);
  CHECK(sum_of(node.nic.out().status.rx_count) > 100);
  CHECK(node.nic.out().status.rx_refused > 0);
  CHECK(node.nic.idle(node.in));
}

TEST_CASE("nic: all words and counts are later by the accumulator's latency, stored or reduced") {
  const Nic::Config configs[] = {
      {.packet_flits = 12, .reduce = true},
      {.num_ctrl = 3, .packet_flits = 12, .credit = true, .vc_depth = 4, .reduce = true},
  };
  for (const Nic::Config& config : configs) {
    delayed(config, ReduceOp::kStore, 1 + kReduceLatency);
    delayed(config, ReduceOp::kSum, 1 + kReduceLatency);
    delayed(config, ReduceOp::kMean, 1 + kMeanLatency);
  }
}

TEST_CASE("nic: packets in flight keep the earlier reduction") {
  const Nic::Config config = {.packet_flits = 8, .reduce = true};
  RandomStream random(3);
  Node node(config, kNode, random);
  Feeder feeder(config, random);
  const auto run = [&](unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      feeder.drive(node, false);
      if (!node.nic.idle(node.in)) node.step();
    }
  };
  node.in.reduction = {ReduceOp::kSum, ReduceType::kInt64, 1};
  for (std::uint32_t k = 0; k < 8; ++k) node.memory[kBase + k] = 100 + k;
  feeder.add(0, packet_to(0, 1, true, {1, 2, 3, 4, 5, 6, 7, 8}));
  while (node.nic.out().mem_ren == 0) run(1);
  node.in.reduction = {ReduceOp::kProd, ReduceType::kInt64, 1};
  run(40);
  for (std::uint32_t k = 0; k < 8; ++k) CHECK(node.memory[kBase + k] == 101 + 2 * k);
  feeder.add(0, packet_to(4, 5, true, {10}));
  run(40);
  CHECK(node.memory[kBase + 4] == 1090);
  // A setting that is made and undone while the NIC idles has no effect.
  node.in.reduction = {ReduceOp::kMean, ReduceType::kInt64, 2};
  run(5);
  node.in.reduction = {ReduceOp::kMin, ReduceType::kInt64, 1};
  feeder.add(0, packet_to(4, 1, true, {10}));
  feeder.add(0, packet_to(5, 2, true, {12}));
  run(40);
  CHECK(node.memory[kBase + 4] == 10);
  CHECK(node.memory[kBase + 5] == 12);
  CHECK(sum_of(node.nic.out().status.rx_count) == 4);
}

// The first cycle in which a word may be reduced again is that after its write.
TEST_CASE("accumulator: a word whose latest value is not yet written is not reduced again") {
  for (const ReduceOp op : {ReduceOp::kSum, ReduceOp::kMean}) {
    const unsigned latency = op == ReduceOp::kMean ? kMeanLatency : kReduceLatency;
    for (unsigned apart = 1; apart <= latency + 3; ++apart) {
      CAPTURE(apart);
      Accumulator accumulator;
      Accumulator::In in;
      in.reduction = {op, ReduceType::kInt64, 1};
      accumulator.step(in);  // Takes the setting.
      in.mem_wen = in.mem_reduce = in.hold = true;
      in.mem_waddr = 7;
      accumulator.step(in);
      Accumulator::In idle;
      idle.reduction = in.reduction;
      for (unsigned i = 1; i < apart; ++i) accumulator.step(idle);
      Accumulator::In other = in;
      other.mem_waddr = 8;
      CHECK_NOTHROW(Accumulator(accumulator).step(other));
      if (apart <= latency + 1) {
        CHECK_THROWS_AS(accumulator.step(in), CheckError);
      } else {
        CHECK_NOTHROW(accumulator.step(in));
      }
    }
  }
}

}  // namespace
