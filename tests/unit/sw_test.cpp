// The collectives on an ideal network: native and RV32 send the same messages in the same order,
// and leave the collective's result; orders, synchronisation and instructions of a message.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/base/installation.hpp"
#include "tests/unit/driver_runs.hpp"

namespace {

using namespace weft;
using namespace weft::drivers;

using Messages = std::vector<std::vector<ideal::Sent>>;
const std::vector<std::string> kAllToAlls = {"a2a", "a2and", "a2at"};

/// Destinations in rank order from the node on.
std::vector<std::uint32_t> order_a2a(const Case& c, std::uint32_t rank) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 1; i < c.nodes(); ++i) result.push_back((rank + i) % c.nodes());
  return result;
}

/// Destinations by relative coordinates, the last dimension the fastest: sorted by their offsets.
std::vector<std::uint32_t> order_a2and(const Case& c, std::uint32_t rank) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> by_offset;
  for (std::uint32_t to = 0; to < c.nodes(); ++to) {
    std::vector<std::uint32_t> offset;
    std::uint32_t mine = rank, other = to;
    for (const std::uint32_t size : c.dims) {
      offset.push_back((other % size + size - mine % size) % size);
      mine /= size;
      other /= size;
    }
    by_offset[offset] = to;
  }
  std::vector<std::uint32_t> result;
  for (const auto& [offset, to] : by_offset) {
    if (to != rank) result.push_back(to);
  }
  return result;
}

/// Messages to each other node.
std::uint32_t parts_of(const Case& c) {
  if (c.part_flits >= c.message_flits) return 1;
  return (c.message_flits + c.part_flits - 1) / c.part_flits;
}

/// Number of data messages before each barrier that a driver should have.
std::vector<std::size_t> phases(const Case& c) {
  std::vector<std::size_t> result;
  if (c.sync != WEFT_SYNC_BARRIER) return result;
  const std::uint32_t group = c.name == "a2a" ? c.dims[0] : c.nodes() / c.dims[0];
  for (std::size_t part = 0; part < parts_of(c); ++part) {
    const std::size_t before = part * (c.nodes() - 1);
    if (before > 0) result.push_back(before);
    for (std::size_t end = group; end < c.nodes(); end += group) {
      const std::size_t messages = c.name == "a2a" ? end : end - 1;  // The node itself is in x = 0.
      if (messages > 0 && messages < c.nodes() - 1) result.push_back(before + messages);
    }
  }
  return result;
}

/// What is wrong with the data messages and barriers of a run.
std::string check_messages(const Case& c, const Messages& sent) {
  const auto where = addresses(c);
  for (std::uint32_t rank = 0; rank < c.nodes(); ++rank) {
    const Job job = make_job(c, rank);
    // As many tags as divide the number of controllers, four at most.
    std::uint32_t lanes = std::clamp(c.controllers, 1u, 4u);
    while (c.controllers % lanes != 0) --lanes;
    const auto order = c.name == "a2a" ? order_a2a(c, rank) : order_a2and(c, rank);
    std::vector<std::size_t> barriers;
    std::vector<std::uint32_t> receivers;
    const std::uint32_t others = c.nodes() - 1;
    std::uint32_t m = 0;
    for (const ideal::Sent& message : sent[rank]) {
      const Descriptor& d = message.descriptor;
      if (c.sync == WEFT_SYNC_BARRIER && d.tag != 0) {
        if (d.len != 0) return fmt::format("node {}: a barrier message with a body", rank);
        if (barriers.empty() || barriers.back() != m) barriers.push_back(m);
        continue;
      }
      const auto to =
          static_cast<std::uint32_t>(std::find(where.begin(), where.end(), d.dst) - where.begin());
      receivers.push_back(to);
      // With local synchronisation the tags tell messages in flight apart.
      const std::uint32_t tag = c.sync == WEFT_SYNC_LOCAL ? m % lanes : 0;
      if (c.name != "a2at" && (others == 0 || to != order[m % others])) {
        return fmt::format("node {}: message {} goes to {}", rank, m, to);
      }
      // All first parts, then all second ones, .. to the same nodes in the same order.
      const std::uint32_t done = others == 0 || m < others ? 0 : m / others * c.part_flits;
      if (m >= others && to != receivers[m - others]) {
        return fmt::format("node {}: message {} goes to {}, not as part before", rank, m, to);
      }
      if (d != Descriptor{d.dst, job.send_base / 8 + to * c.message_flits + done,
                          std::min(c.message_flits - done, c.part_flits),
                          rank * c.message_flits + done, tag, c.gap}) {
        return fmt::format("node {}: message {} is not the one to {}", rank, m, to);
      }
      if (c.sync == WEFT_SYNC_LOCAL && message.arrived_before + c.controllers - 1 < m) {
        return fmt::format("node {}: message {} posted after only {} had arrived", rank, m,
                           message.arrived_before);
      }
      if (!barriers.empty() && message.least_arrived < barriers.back()) {
        return fmt::format("node {}: message {} posted when a node lacks some of the phase before",
                           rank, m);
      }
      ++m;
    }
    const std::set<std::uint32_t> reached(receivers.begin(), receivers.end());
    if (reached.size() != others || m != parts_of(c) * others || reached.contains(rank)) {
      return fmt::format("node {}: {} messages to {} nodes", rank, m, reached.size());
    }
    if (c.name != "a2at" && barriers != phases(c)) {
      return fmt::format("node {}: {} barriers, not {}, or not where they belong", rank,
                         barriers.size(), phases(c).size());
    }
  }
  return {};
}

std::string check_same(const Messages& a, const Messages& b) {
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    if (!std::equal(a[rank].begin(), a[rank].end(), b[rank].begin(), b[rank].end(),
                    [](const auto& x, const auto& y) { return x.descriptor == y.descriptor; })) {
      return fmt::format("node {}: other messages natively than on RV32", rank);
    }
  }
  return {};
}

/// The first error natively or on RV32.
std::string check_both(const Case& c) {
  std::string failure;
  const Messages native = run_native(c, failure);
  if (failure.empty()) failure = check_messages(c, native);
  if (!failure.empty()) return c.name + " native: " + failure;
  const Messages rv32 = run_rv32(c, failure);
  if (failure.empty()) failure = check_messages(c, rv32);
  if (failure.empty()) failure = check_same(native, rv32);
  return failure.empty() ? failure : c.name + " rv32: " + failure;
}

/// Instructions for a message on RV32 where the driver waits neither for the queue nor for the
/// network: those of the steady loop (mean of the middle half of all distances from post to post),
/// and the mean from the start of the driver on.
std::pair<double, double> instructions(const Case& c) {
  std::string failure;
  const Messages sent = run_rv32(c, failure);
  CHECK(failure == "");
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 1; i < sent[0].size(); ++i) {
    gaps.push_back(sent[0][i].cycle - sent[0][i - 1].cycle);
  }
  std::sort(gaps.begin(), gaps.end());
  const auto first = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 4);
  const auto last = gaps.end() - static_cast<std::ptrdiff_t>(gaps.size() / 4);
  return {static_cast<double>(std::accumulate(first, last, std::uint64_t{0})) /
              static_cast<double>(last - first),
          static_cast<double>(sent[0].back().cycle) / static_cast<double>(sent[0].size())};
}

}  // namespace

TEST_CASE("all-to-alls send the same messages natively and on RV32") {
  for (const std::string& name : kAllToAlls) {
    for (const std::uint32_t sync : {WEFT_SYNC_NONE, WEFT_SYNC_LOCAL, WEFT_SYNC_BARRIER}) {
      for (const std::vector<std::uint32_t>& dims : {std::vector<std::uint32_t>{1},
                                                     {2},
                                                     {3, 3},
                                                     {5, 5},
                                                     {4, 3, 2},
                                                     {1, 6},
                                                     {4, 1, 4},
                                                     {2, 2, 2, 2, 2},
                                                     {61}}) {
        for (const std::uint32_t flits : {0U, 1U, 100U}) {
          const std::uint32_t controllers = 1 + (flits + dims[0]) % 4;
          CAPTURE(sync);
          CAPTURE(dims.size());
          CAPTURE(dims.front());
          CAPTURE(flits);
          CHECK(check_both({name, dims, flits, flits % 3, sync, controllers, {4, 7, 3}}) == "");
        }
      }
    }
  }
}

TEST_CASE("blocks in parts: a message for each, in the same order part by part") {
  for (const std::string& name : kAllToAlls) {
    for (const std::uint32_t sync : {WEFT_SYNC_NONE, WEFT_SYNC_LOCAL, WEFT_SYNC_BARRIER}) {
      for (const std::vector<std::uint32_t>& dims :
           std::vector<std::vector<std::uint32_t>>{{1}, {2}, {7}, {4, 4}, {5, 3}, {4, 3, 2}}) {
        for (const std::uint32_t part : {7U, 10U, 19U}) {
          CAPTURE(sync);
          CAPTURE(dims.size());
          CAPTURE(dims.front());
          CAPTURE(part);
          Case c{name, dims, 20, 1, sync, 1 + part % 4, {4, 7, 3}};
          c.part_flits = part;
          CHECK(check_both(c) == "");
        }
      }
    }
  }
}

TEST_CASE("all-to-alls are right for any network") {
  CHECK(rc::check("all-to-alls on random ideal networks", [] {
    Case c;
    c.name = *rc::gen::elementOf(kAllToAlls);
    c.dims =
        *rc::gen::suchThat(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 6U)),
                           [](const auto& dims) { return !dims.empty() && dims.size() <= 5; });
    RC_PRE(c.nodes() <= 64);
    c.message_flits = *rc::gen::inRange(0U, 40U);
    c.gap = *rc::gen::inRange(0U, 256U);
    c.sync = *rc::gen::element<std::uint32_t>(WEFT_SYNC_NONE, WEFT_SYNC_LOCAL, WEFT_SYNC_BARRIER);
    c.controllers = *rc::gen::inRange(1U, 9U);
    c.network = {*rc::gen::inRange(1U, 9U), *rc::gen::inRange(0U, 50U), *rc::gen::inRange(0U, 9U)};
    c.part_flits = *rc::gen::inRange(1U, 60U);
    RC_ASSERT(check_both(c) == "");
  }));
}

TEST_CASE("without sync the queue is kept full; with local sync a message waits for arrivals") {
  std::string failure;
  Case c{"a2a", {8}, 100, 0, WEFT_SYNC_NONE, 1, {4, 1000, 3}};
  const auto none = run_native(c, failure);
  CHECK(failure == "");
  CHECK(none[0][3].cycle == 3);  // Depth 4: the fifth must wait for the first.
  CHECK(none[0][4].cycle > 100);
  CHECK(none[0][6].arrived_before == 0);
  c.sync = WEFT_SYNC_LOCAL;
  for (const std::uint32_t controllers : {1U, 2U, 4U}) {
    c.controllers = controllers;
    const auto local = run_native(c, failure);
    CHECK(failure == "");
    CHECK(local[0][controllers - 1].cycle == controllers - 1);
    CHECK(local[0][controllers].cycle > 1000);
  }
}

TEST_CASE("a message costs an RV32 driver at most 40 instructions") {
  struct Limit {
    std::vector<std::uint32_t> dims;
    double mean;
    double steady_a2at = 40;  ///< Of a2at alone, where it is less direct.
  };
  for (const std::string& name : kAllToAlls) {
    for (const Limit& limit :
         {Limit{{32}, 46}, Limit{{5, 5}, 52}, Limit{{9, 9}, 44}, Limit{{17, 17}, 42},
          Limit{{8, 4}, 62, 42}, Limit{{16, 8}, 54, 40}, Limit{{5, 5, 5}, 200, 90}}) {
      for (const std::uint32_t sync : {WEFT_SYNC_NONE, WEFT_SYNC_LOCAL}) {
        // Messages without a body; with four controllers the delay of 7 makes no message wait.
        const auto [steady, mean] = instructions({name, limit.dims, 0, 0, sync, 4, {15, 7, 3}});
        MESSAGE(name << " " << limit.dims.size() << "-D of " << limit.dims[0] << ", sync " << sync
                     << ": instructions per message, steady " << steady << ", mean " << mean);
        CHECK(steady <= (name == "a2at" ? limit.steady_a2at : 40));
        CHECK(mean <= limit.mean);
      }
    }
  }
}

TEST_CASE("the RV32 driver keeps a network of 100-flit messages busy") {
  for (const std::string& name : kAllToAlls) {
    std::string failure;
    const Case c{name, {5, 5}, 100, 0, WEFT_SYNC_NONE, 1, {4, 7, 3}};
    const auto sent = run_rv32(c, failure);
    CHECK(failure == "");
    // 24 messages of 101 cycles; the queue of 4 lets the last one wait that long. A2AT needs about
    // 225 instructions before the first.
    CHECK(sent[0].back().cycle < 20 * 101 + 300);
  }
}

TEST_CASE("the register names every collective, and each has its program") {
  std::size_t count = 0;
  const weft_collective* all = weft_collectives(&count);
  REQUIRE(count >= 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = all[i].name;
    CAPTURE(name);
    if (i > 0) CHECK(std::string(all[i - 1].name) < name);
    CHECK(std::string(all[i].description).size() > 10);
    CHECK((all[i].entry != nullptr));
    const std::string path = fmt::format("{}/sw/{}.elf", build_dir().string(), name);
    CHECK_NOTHROW(Rv32Program(load_elf(path), path));
  }
  CHECK(collective("a2a").kind == WEFT_ALL_TO_ALL);
}
