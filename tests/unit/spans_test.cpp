// Packets that move as spans (sim/spans): its parts against what they abbreviate, counted or
// stepped one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/processor/memory.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/run/run.hpp"
#include "sim/share/quiet.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/node_memory.hpp"
#include "sim/spans/packets.hpp"
#include "sim/spans/wheel.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace {

using namespace weft;

TEST_CASE("a line counts the flits granted before a cycle") {
  RandomStream random(5);
  for (unsigned i = 0; i < 100; ++i) {
    Line line;
    line.base = line.total = static_cast<std::uint32_t>(random());  // Counts wrap.
    const std::uint32_t first = line.total;
    std::vector<bool> granted(400);
    Cycle now = 0;
    for (unsigned run = 0; run < 8; ++run) {
      now = std::max(now, line.end()) + static_cast<Cycle>(random.below(5));
      line.begin(now);
      const auto length = static_cast<std::uint32_t>(random.below(20));
      line.total += length;
      std::fill_n(granted.begin() + now, length, true);
      for (Cycle c = now; c < now + 30; ++c) {
        const auto counted =
            static_cast<std::uint32_t>(std::count(granted.begin(), granted.begin() + c, true));
        REQUIRE(line.before(c) - first == counted);
        if (c > now && granted[c - 1]) REQUIRE(line.reaches(first + counted) == c);
      }
    }
  }
}

TEST_CASE("a line with its last runs knows the grants of the last cycles") {
  RandomStream random(8);
  for (unsigned i = 0; i < 200; ++i) {
    PastLine line;
    std::vector<Cycle> granted;  // By flit.
    Cycle now = 0;
    for (unsigned run = 0; run < 12; ++run) {
      // Often right after the last one, or with a gap of a cycle.
      now = std::max(now, line.end()) + static_cast<Cycle>(random.below(4));
      const auto length =
          static_cast<std::uint32_t>(1 + random.below(random.below(2) != 0 ? 2 : 9));
      line.begin(now);
      line.total += length;
      for (std::uint32_t f = 0; f < length; ++f) granted.push_back(now + f);
      for (Cycle c = now < 4 ? 0 : now - 4; c < now + 12; ++c) {
        const auto counted = std::lower_bound(granted.begin(), granted.end(), c) - granted.begin();
        REQUIRE(line.before(c) == counted);
      }
      for (std::uint32_t f = 0; f < granted.size(); ++f) {
        if (granted[f] + 4 < now) continue;
        REQUIRE(line.cycle_of(f) == granted[f]);
        for (Cycle c = now < 4 ? 0 : now - 4; c < now + 12; ++c) {
          std::uint32_t in_time = 0;
          while (f + in_time < granted.size() && granted[f + in_time] <= c + in_time) ++in_time;
          REQUIRE(line.certain(f, c) == in_time);
        }
      }
    }
  }
}

TEST_CASE("a wheel returns each event in its cycle, however far that is") {
  RandomStream random(6);
  Wheel wheel;
  std::map<Cycle, std::vector<std::uint32_t>> expected;
  for (Cycle now = 0; now < 20'000; ++now) {
    auto& events = wheel.begin(now);
    std::vector<std::uint32_t> got;
    for (std::uint32_t i = 0; i < events.size(); ++i) got.push_back(events[i]);
    events.clear();
    std::sort(got.begin(), got.end());
    auto& wanted = expected[now];
    std::sort(wanted.begin(), wanted.end());
    REQUIRE(got == wanted);
    for (std::uint64_t n = random.below(3); n > 0; --n) {
      const auto at = now + 1 + static_cast<Cycle>(random.below(random.below(2) != 0 ? 9 : 9000));
      const auto what = static_cast<std::uint32_t>(random());
      wheel.add(at, what);
      expected[at].push_back(what);
    }
  }
}

TEST_CASE("a wheel is asked for its next event, and begins with that") {
  RandomStream random(7);
  Wheel wheel;
  std::multimap<Cycle, std::uint32_t> expected;
  Cycle now = 0;
  wheel.begin(now);
  for (int i = 0; i < 3000; ++i) {
    const auto limit = now + 1 + static_cast<Cycle>(random.below(random.below(2) != 0 ? 9 : 9000));
    const Cycle first = expected.empty() ? limit : std::min(limit, expected.begin()->first);
    REQUIRE(wheel.next(limit) == first);
    // To before it, then to it.
    if (first - 1 > now && random.below(2) != 0) REQUIRE(wheel.begin(first - 1).size() == 0);
    now = first;
    auto& events = wheel.begin(now);
    REQUIRE(events.size() == expected.count(now));
    events.clear();
    expected.erase(now);
    for (std::uint64_t n = random.below(3); n > 0; --n) {
      const auto at = now + 1 + static_cast<Cycle>(random.below(random.below(2) != 0 ? 9 : 9000));
      wheel.add(at, 1);
      expected.emplace(at, 1);
    }
  }
}

TEST_CASE("processes find the cycles in which nothing happens in any of them by sums") {
  RandomStream random(8);
  for (int i = 0; i < 2000; ++i) {
    QuietCycles sum;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      const std::uint64_t cycles = random() >> random.below(64);
      least = std::min(least, cycles);
      const QuietCycles one = QuietCycles::before(cycles);
      for (std::size_t k = 0; k < sum.within.size(); ++k) sum.within[k] += one.within[k];
    }
    // As many, or the next lower power of 16.
    CHECK(sum.cycles() <= least);
    CHECK((least < 16 * sum.cycles() || sum.cycles() == 1 << 20 || least == 0));
  }
}

// Flits `first` to `end` - 1 of a packet on a link, one a cycle.
struct Run {
  Cycle start;
  std::uint32_t first, end, link;
  std::uint16_t vc;
};

TEST_CASE("runs of a packet contribute to the digest what its flits do") {
  RandomStream random(7);
  for (const auto& width : {std::pair(false, 1u), {true, 1u}, {false, 4u}, {true, 8u}}) {
    const auto [parity, words] = width;
    CAPTURE(width.second);
    Packets packets(parity, 1, words);
    Digest flits;
    std::map<Cycle, unsigned __int128> terms;  // By cycle.
    for (unsigned i = 0; i < 60; ++i) {
      const auto body = static_cast<std::uint32_t>(random.below(i % 3 == 0 ? 2 : 256));
      const std::uint32_t number = packets.make(random(), body);
      Packet& packet = packets[number];
      packet.stamp = static_cast<std::uint16_t>(random());
      for (std::uint32_t f = 0; f < body; ++f) {
        for (unsigned w = 0; w < words; ++w) (&packets.word(packet, f))[w] = random();
      }
      for (unsigned hop = 0; hop < 12; ++hop) {
        const auto size = static_cast<std::uint64_t>(body) + 1;
        Run run{static_cast<Cycle>(random.below(3000)), 0, body + 1,
                static_cast<std::uint32_t>(random.below(1000)),
                static_cast<std::uint16_t>(random.below(6))};
        const std::uint64_t factor =
            Mod61::times(Mod61::power(kDigestBase, run.start), digest_factor(run.link, run.vc));
        if (random.below(2) != 0) {
          packets.add_whole(packet, run.vc, factor);
        } else {
          run.first = static_cast<std::uint32_t>(random.below(size));
          run.end = run.first + 1 + static_cast<std::uint32_t>(random.below(size - run.first));
          packets.add_part(packet, run.vc, run.first, run.end, factor);
        }
        for (std::uint32_t f = run.first; f < run.end; ++f) {
          Flit flit;
          flit.data = packet.header;
          for (unsigned w = 0; w < words && f != 0; ++w) {
            flit.word(w) = (&packets.word(packet, f - 1))[w];
          }
          flit.last = f == body;
          int ones = flit.last;
          for (unsigned w = 0; w < words; ++w) ones += std::popcount(flit.word(w));
          flit.parity = parity && ones % 2 != 0;
          flit.valid = true;
          flit.vc = run.vc;
          flit.stamp = packet.stamp;
          terms[run.start + f - run.first] +=
              digest_term(digest_factor(run.link, run.vc), flit, words);
        }
      }
      packets.settle(packet);
      if (random.below(2) != 0) packets.free(number);
    }
    for (const auto& [cycle, term] : terms) flits.add(cycle, term);
    CHECK(packets.digest() == flits.value());
  }
}

TEST_CASE("powers are those of the latest cycles") {
  Powers powers;
  for (Cycle c = 0; c < 3000; ++c) {
    powers.begin(c);
    for (const Cycle back : {0U, 1U, 255U, 512U}) {
      if (back > c + 1) continue;
      const Cycle of = c + 1 - back;
      REQUIRE(powers.of(of) == Mod61::power(kDigestBase, of));
    }
  }
  // Cycles are left out.
  for (Cycle now = 3000; const Cycle cycles : {1U, 7U, 1023U, 1024U, 1025U, 123'456'789U}) {
    powers.skip(now, now + cycles);
    now += cycles;
    powers.begin(now++);
    for (Cycle back = 0; back <= 512; ++back) {
      REQUIRE(powers.of(now - back) == Mod61::power(kDigestBase, now - back));
    }
  }
}

struct Owner {
  Memory bytes{8 * 64};
  Memory& memory() { return bytes; }
};

struct Transfer {
  enum { kRead, kWrite, kCombine } kind;
  std::uint32_t packet, address;
  Cycle cycle;
  std::uint32_t flits, link = 0;
  Cycle delay = 0;  // Cycles of a word on its way to memory.

  // First and last cycle in which its word with this address is on its way to memory.
  std::pair<Cycle, Cycle> way(std::uint32_t of) const {
    const Cycle at = cycle + of - address;
    return kind == kCombine ? std::pair(at, at + delay) : std::pair(at - delay, at);
  }
};

TEST_CASE("transfers with a memory have the order of their cycles") {
  constexpr Cycle kDelay = 6;
  const Reduction sum{ReduceOp::kSum, ReduceType::kInt64, 1};
  RandomStream random(8);
  unsigned refused = 0;
  for (unsigned i = 0; i < 300; ++i) {
    Packets packets(false);
    NodeMemory transfers;
    Owner late, stepped;
    for (std::uint32_t a = 0; a < 64; ++a) {
      late.bytes.write_word(a, a);
      stepped.bytes.write_word(a, a);
    }
    std::vector<Transfer> all;
    std::vector<std::vector<std::uint64_t>> words;  // Of the stepped packets.
    std::array<std::uint32_t, 6> links = {1, 2, 3, 4, 5, 6};
    std::shuffle(links.begin(), links.end(), random);
    bool error = false;
    for (unsigned t = 0; t < 6 && !error; ++t) {
      const auto flits = 1 + static_cast<std::uint32_t>(random.below(12));
      Transfer one{{},
                   packets.make(0, flits),
                   static_cast<std::uint32_t>(random.below(40)),
                   kDelay + static_cast<Cycle>(random.below(60)),
                   flits};
      words.emplace_back();
      for (std::uint32_t w = 0; w < flits; ++w) {
        words.back().push_back(random());
        packets.word(packets[one.packet], w) = words.back().back();
      }
      one.kind = static_cast<decltype(one.kind)>(random.below(3));
      if (one.kind == Transfer::kCombine || random.below(2) != 0) one.delay = kDelay;
      // A word waits that is on its way to memory while another of its address is, one of them to
      // be combined.
      bool waits = false;
      for (const Transfer& before : all) {
        if (one.kind == Transfer::kRead || before.kind == Transfer::kRead) continue;
        if (one.kind != Transfer::kCombine && before.kind != Transfer::kCombine) continue;
        for (std::uint32_t of = one.address; of < one.address + flits; ++of) {
          if (of < before.address || of >= before.address + before.flits) continue;
          const auto [in, out] = one.way(of);
          const auto [other_in, other_out] = before.way(of);
          waits |= in <= other_out && other_in <= out;
        }
      }
      try {
        // Each on a link of its own, but for combinations: two of those can meet.
        switch (one.kind) {
          case Transfer::kRead:
            transfers.read(one.packet, one.address, one.cycle, flits);
            break;
          case Transfer::kWrite:
            one.link = links[t];
            transfers.write(one.packet, one.link, one.address, one.cycle, flits, one.delay);
            break;
          case Transfer::kCombine:
            transfers.combine(one.packet, 0, one.address, one.cycle, flits, sum, kDelay);
        }
        CHECK(!waits);
        all.push_back(one);
      } catch (const NotBySpans&) {
        CHECK(waits);
        ++refused;
        error = true;
      }
    }
    if (error) continue;
    // Words written in one cycle: the last link's remains.
    std::vector<std::size_t> by_link(all.size());
    std::iota(by_link.begin(), by_link.end(), 0);
    std::stable_sort(by_link.begin(), by_link.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].link < all[b].link; });
    Cycle looked = 0;
    for (Cycle c = 0; c < 110; ++c) {
      for (const bool writes : {false, true}) {
        for (const std::size_t t : by_link) {
          const Transfer& one = all[t];
          const Cycle write = one.cycle + (one.kind == Transfer::kCombine ? kDelay : 0);
          if (!writes && one.kind != Transfer::kWrite && c - one.cycle < one.flits) {
            std::uint64_t& word = words[t][c - one.cycle];
            const std::uint64_t held = stepped.bytes.read_word(one.address + c - one.cycle);
            word = one.kind == Transfer::kCombine ? held + word : held;
          }
          if (writes && one.kind != Transfer::kRead && c - write < one.flits) {
            stepped.bytes.write_word(one.address + c - write, words[t][c - write]);
          }
        }
        // Somebody looks, between the reads and the writes of the cycle or after both.
        if (random.below(30) != 0 && c != 109) continue;
        transfers.catch_up(late, packets, c + 1, c + (writes ? 1 : 0));
        looked = c;
        for (std::uint32_t a = 0; a < 64; ++a) {
          REQUIRE(late.bytes.read_word(a) == stepped.bytes.read_word(a));
        }
      }
    }
    CHECK(looked == 109);
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (all[t].kind != Transfer::kRead) continue;
      for (std::uint32_t w = 0; w < all[t].flits; ++w) {
        REQUIRE(packets.word(packets[all[t].packet], w) == words[t][w]);
      }
    }
  }
  CHECK(refused > 0);
  CHECK(refused < 200);
}

TEST_CASE("interfaces find faults in runs as in flits") {
  using nlohmann::json;
  const json traffic = {{"traffic", "neighbour"}, {"rate", 0.6}, {"packet_flits", 5}, {"warmup", 0},
                        {"measure", 1000},        {"drain", 200}};
  json moves = json::array();
  for (unsigned n = 0; n < 40; ++n) {
    moves.push_back({{"from", n % 8}, {"to", (n + 1 + n / 8) % 8}, {"flits", n * 7}});
  }
  RandomStream random(9);
  std::uint64_t parity = 0, refused = 0, data = 0, put = 0;
  for (unsigned i = 0; i < 60; ++i) {
    json faults = json::array();
    const unsigned most = i % 2 != 0 ? 65 : 64;
    for (unsigned f = 0; f < 8; ++f) {
      faults.push_back(
          {{"node", random.below(8)}, {"cycle", random.below(300)}, {"bit", random.below(most)}});
      // Two in one flit do not show in its parity.
      if (random.below(2) != 0) faults.push_back(faults.back());
      if (random.below(2) != 0) faults.back()["bit"] = random.below(most);
    }
    json configuration = {{"topology", {{"kind", "mesh"}, {"dims", {4, 2}}}},
                          {"link", {{"parity", i % 2 != 0}}},
                          {"workload", {{"transfers", moves}}},
                          {"max_cycles", i % 4 != 0 ? 0 : 100 + random.below(300)},
                          {"faults", faults}};
    if (i % 3 != 0) {
      configuration["workload"] = traffic;
      configuration["partition"] = {1};
    }
    const Config config = parse_config(configuration, "test");
    const Graph graph = build_graph(config);
    RunOptions options;
    const Result runs = run(config, graph, options);
    options.engine = "flit";
    const Result flits = run(config, graph, options);
    CHECK(runs.cycles == flits.cycles);
    CHECK(runs.digest == flits.digest);
    CHECK(runs.data_errors == flits.data_errors);
    CHECK(runs.messages == flits.messages);
    CHECK(runs.notes == flits.notes);  // With the packets dropped at each node.
    CHECK(runs.faults->put == flits.faults->put);
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < runs.regions.size(); ++r) {
      CHECK(runs.regions[r].digest == flits.regions[r].digest);
      sum = Mod61::reduce(static_cast<unsigned __int128>(sum) + runs.regions[r].digest);
    }
    // Up to the end of the measuring phase the regions are all of the run.
    if (!runs.regions.empty() && runs.cycles <= 1000) CHECK(sum == runs.digest);
    parity += runs.parity_errors;
    refused += runs.order_errors;
    data += runs.data_errors;
    put += runs.faults->put;
  }
  CHECK(parity > 100);
  CHECK(refused > 20);
  CHECK(data > 100);
  CHECK(put > 400);
}

TEST_CASE("a route that holds for more routers is the route at each of them") {
  for (const RouteKind kind : {RouteKind::kTorus, RouteKind::kMesh}) {
    for (const std::uint32_t k : {2U, 3U, 4U, 5U, 8U}) {
      for (const unsigned setting : {0U, 1U, 2U, 3U}) {
        RouteConfig config;
        config.max_coords = {k - 1, 2, k - 1};
        if (setting < 3) config.dateline = static_cast<DatelineRule>(setting);
        config.per_dest = setting == 3;
        const RouteUnit unit(kind, config);
        std::vector<std::uint32_t> shift, addresses;
        unsigned lsb = 0;
        for (const std::uint32_t most : config.max_coords) {
          shift.push_back(lsb);
          lsb += static_cast<unsigned>(std::bit_width(most));
        }
        const auto digit = [&](std::uint32_t a, unsigned d) {
          return a >> shift[d] & static_cast<std::uint32_t>(low_mask(
                                     static_cast<unsigned>(std::bit_width(config.max_coords[d]))));
        };
        for (std::uint32_t a = 0; a < 1U << lsb; ++a) {
          bool real = true;
          for (unsigned d = 0; d < 3; ++d) real &= digit(a, d) <= config.max_coords[d];
          if (real) addresses.push_back(a);
        }
        std::uint64_t remembered = 0;
        for (const std::uint32_t src : addresses) {
          for (const std::uint32_t dst : addresses) {
            const bool other = (src ^ dst) % 3 == 0;
            RouteOn on;
            std::uint32_t left = 0, at = src, port = 6;
            for (unsigned hop = 0;; ++hop) {
              REQUIRE(hop < 100);
              const RouteOut out = unit.route(port, at, src, dst, other);
              if (left == 0) {
                on = unit.route_on(port, at, src, dst, other);
                left = on.more + 1;
                remembered += on.more;
              }
              REQUIRE(on.out == out);
              --left;
              if (out.port >= 6) break;
              const unsigned d = out.port / 2;
              const std::uint32_t size = config.max_coords[d] + 1, x = digit(at, d);
              const std::uint32_t next = out.port % 2 == 0 ? (x + 1) % size : (x + size - 1) % size;
              at = (at & ~(x << shift[d])) | next << shift[d];
              port = out.port ^ 1;
            }
          }
        }
        CHECK((remembered > 0 || k < 4));
      }
    }
  }
}

}  // namespace
