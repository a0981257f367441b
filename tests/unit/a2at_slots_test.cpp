// The slot schedule for odd square tori: every node once, every link in every slot, by entering all
// packets of a torus in a table of links and slots; and its cost on RV32.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/driver_runs.hpp"

namespace {

using namespace weft;
using namespace weft::drivers;

constexpr std::size_t kControllers = 4;

struct Leg {
  int x;
  int y;
  std::uint32_t gap;
};

Case torus(std::uint32_t k, std::uint32_t flits = 1) {
  return {"a2at_slots", {k, k}, flits, 0, WEFT_SYNC_NONE, kControllers, {16, 7, 3}};
}

/// Offsets in -(k - 1) / 2 .. (k - 1) / 2 and gaps of a node's messages.
std::vector<Leg> legs(const Case& c, const std::vector<ideal::Sent>& sent, std::uint32_t rank) {
  const auto where = addresses(c);
  const int k = static_cast<int>(c.dims[0]);
  const auto centred = [k](int offset) { return (offset + k + k / 2) % k - k / 2; };
  std::vector<Leg> result;
  for (const ideal::Sent& message : sent) {
    const Descriptor& d = message.descriptor;
    const auto index = std::find(where.begin(), where.end(), d.dst) - where.begin();
    const int to = static_cast<int>(index), from = static_cast<int>(rank);
    const Job job = make_job(c, rank);
    CHECK(d.addr == job.send_base / 8 + static_cast<std::uint32_t>(to) * c.message_flits);
    CHECK(d.len == c.message_flits);
    CHECK(d.off == rank * c.message_flits);
    CHECK(d.tag == 0);
    result.push_back({centred(to % k - from % k), centred(to / k - from / k), d.gap});
  }
  return result;
}

/// The slot in which each message leaves: the NIC assigns messages to its controllers round-robin,
/// and after a message and its gap a controller begins with the next.
std::vector<std::uint32_t> slots(const std::vector<Leg>& messages) {
  std::array<std::uint32_t, kControllers> ready{};
  std::vector<std::uint32_t> result;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    std::uint32_t& next = ready[m % kControllers];
    result.push_back(next);
    next += 1 + messages[m].gap;
  }
  return result;
}

/// What is wrong with a schedule: packets of each directed link and slot of a k x k torus, where a
/// packet goes x first and passes one link in each slot, without waiting.
std::string check_links(int k, const std::vector<Leg>& messages) {
  const int bound = k * (k + 1) * (k - 1) / 8;
  const auto begin = slots(messages);
  std::vector<int> table(static_cast<std::size_t>(k * k * 4 * bound), 0);
  for (int from = 0; from < k * k; ++from) {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      int x = from % k, y = from / k, slot = static_cast<int>(begin[m]);
      const auto pass = [&](int direction) {
        if (slot < bound) {
          ++table[static_cast<std::size_t>(((y * k + x) * 4 + direction) * bound + slot)];
        }
        ++slot;
      };
      for (int left = messages[m].x; left != 0; left -= left > 0 ? 1 : -1) {
        pass(left > 0 ? 0 : 1);
        x = (x + (left > 0 ? 1 : k - 1)) % k;
      }
      for (int left = messages[m].y; left != 0; left -= left > 0 ? 1 : -1) {
        pass(left > 0 ? 2 : 3);
        y = (y + (left > 0 ? 1 : k - 1)) % k;
      }
      if (slot > bound) return fmt::format("message {} arrives in slot {}", m, slot);
    }
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t slot = i % static_cast<std::size_t>(bound);
    const std::size_t link = i / static_cast<std::size_t>(bound);
    if (table[i] != 1) return fmt::format("{} packets on link {} in slot {}", table[i], link, slot);
  }
  return {};
}

}  // namespace

TEST_CASE("slot schedule: every node once, and one packet on every link in every slot") {
  for (int k = 3; k <= 17; k += 2) {
    CAPTURE(k);
    const Case c = torus(static_cast<std::uint32_t>(k));
    std::string failure;
    const auto sent = run_native(c, failure);
    REQUIRE(failure == "");
    const auto messages = legs(c, sent[0], 0);
    CHECK(messages.size() == static_cast<std::size_t>(k * k - 1));
    std::vector<int> seen(static_cast<std::size_t>(k * k), 0);
    std::uint32_t longest = 0;
    for (const Leg& leg : messages) {
      ++seen[static_cast<std::size_t>((leg.y + k / 2) * k + leg.x + k / 2)];
      longest = std::max(longest, leg.gap);
    }
    CHECK(seen[static_cast<std::size_t>(k * k / 2)] == 0);
    CHECK(std::count(seen.begin(), seen.end(), 1) == k * k - 1);
    CHECK(check_links(k, messages) == "");
    // Two of the longest x legs in sequence: no schedule of this kind has a shorter longest gap.
    CHECK(longest == static_cast<std::uint32_t>(std::max(1, k - 2)));
    for (std::size_t m = messages.size() - kControllers; m < messages.size(); ++m) {
      CHECK(messages[m].gap == 0);
    }
    for (std::uint32_t rank = 1; rank < c.nodes(); ++rank) {
      const auto others = legs(c, sent[rank], rank);
      CHECK(std::equal(
          messages.begin(), messages.end(), others.begin(), others.end(),
          [](const Leg& a, const Leg& b) { return a.x == b.x && a.y == b.y && a.gap == b.gap; }));
    }
  }
}

TEST_CASE("slot schedule for 5x5, written out") {
  std::string failure;
  const Case c = torus(5);
  const auto sent = run_native(c, failure);
  REQUIRE(failure == "");
  const auto messages = legs(c, sent[12], 12);
  const auto begin = slots(messages);
  std::string text;
  for (std::size_t m = 0; m < messages.size(); m += 2) {
    const Leg& leg = messages[m];
    CHECK((messages[m + 1].x == -leg.x && messages[m + 1].y == -leg.y));
    CHECK(begin[m + 1] == begin[m]);
    text += fmt::format("{}:({},{}) ", begin[m], leg.x, leg.y);
  }
  CHECK(text ==
        "0:(0,1) 0:(1,2) 1:(2,0) 3:(0,2) 3:(2,2) 5:(2,1) 7:(1,1) 8:(1,-2) 9:(2,-2) 11:(2,-1) "
        "13:(1,-1) 14:(1,0) ");
}

TEST_CASE("slot schedule: RV32 sends the same as the native driver, and is cheap") {
  for (std::uint32_t k = 3; k <= 17; k += 2) {
    CAPTURE(k);
    std::string failure;
    for (const std::uint32_t flits : {0U, 20U}) {
      const auto native = run_native(torus(k, flits), failure);
      CHECK(failure == "");
      const auto rv32 = run_rv32(torus(k, flits), failure);
      CHECK(failure == "");
      for (std::size_t rank = 0; rank < native.size(); ++rank) {
        CHECK(std::equal(
            native[rank].begin(), native[rank].end(), rv32[rank].begin(), rv32[rank].end(),
            [](const auto& a, const auto& b) { return a.descriptor == b.descriptor; }));
      }
      if (flits != 0) continue;
      // Without a body the driver never waits: cycles are instructions.
      std::uint64_t first = 0, last = 0, four = 0, longest = 0;
      for (const auto& sent : rv32) {
        first = std::max(first, sent[0].cycle);
        four = std::max(four, sent[3].cycle);
        last = std::max(last, sent.back().cycle);
        for (std::size_t m = 1; m < sent.size(); ++m) {
          longest = std::max(longest, sent[m].cycle - sent[m - 1].cycle);
        }
      }
      const double mean = static_cast<double>(last - first) / (k * k - 2);
      MESSAGE("slot schedule on " << k << "x" << k << ": first message after " << first
                                  << " instructions, fourth after " << four << ", then " << mean
                                  << " a message, at most " << longest);
      CHECK(first <= 150);
      CHECK(four <= first + 100);
      CHECK(longest <= 80);
      CHECK(mean <= (k < 5 ? 40 : 30));
    }
  }
}

TEST_CASE("slot schedule: what it refuses") {
  const auto codes = [](std::vector<std::uint32_t> dims, std::uint32_t controllers,
                        std::uint32_t sync) {
    Case c = torus(3);
    c.dims = std::move(dims);
    c.controllers = controllers;
    c.sync = sync;
    const Job job = make_job(c, 0);
    NativeHost node(collective(c.name).entry, make_memory(job), job);
    const std::string path = (build_dir() / "sw/").string() + c.name + ".elf";
    Rv32Core core(std::make_shared<const Rv32Program>(load_elf(path), path), make_memory(job), job);
    NicStatus status;
    status.desc_free = 4;
    const auto code = [&](auto& processor) {
      for (std::uint64_t cycle = 0; cycle < 200; ++cycle) {
        processor.step(status, cycle);
        if (processor.port().posted()) return -1;
      }
      return static_cast<int>(processor.port().exit_code());
    };
    return std::pair(code(node), code(core));
  };
  const auto both = [](int code) { return std::pair(code, code); };
  CHECK((codes({3, 3}, 4, WEFT_SYNC_NONE) == both(-1)));
  for (const std::uint32_t controllers : {1U, 2U, 3U, 5U, 8U}) {
    CHECK((codes({5, 5}, controllers, WEFT_SYNC_NONE) == both(WEFT_UNSUPPORTED_JOB)));
  }
  for (const std::vector<std::uint32_t>& dims : std::vector<std::vector<std::uint32_t>>{
           {1}, {9}, {1, 1}, {4, 4}, {8, 8}, {5, 3}, {3, 5}, {3, 3, 3}, {3, 3, 1}}) {
    CHECK((codes(dims, 4, WEFT_SYNC_NONE) == both(WEFT_UNSUPPORTED_JOB)));
  }
  CHECK((codes({5, 5}, 4, WEFT_SYNC_LOCAL) == both(WEFT_UNSUPPORTED_JOB)));
  CHECK((codes({5, 5}, 4, WEFT_SYNC_BARRIER) == both(WEFT_UNSUPPORTED_JOB)));
}

TEST_CASE("what the slot schedule cannot do is refused before the run, with the key") {
  const auto refusal = [](const nlohmann::json& change) -> std::string {
    nlohmann::json document = {{"topology", {{"kind", "torus"}, {"dims", {5, 5}}}},
                               {"workload", {{"collective", "a2at_slots"}}}};
    document.merge_patch(change);
    const Config config = parse_config(document, "test");
    const Graph graph = build_graph(config);
    try {
      const Collective collective(config, graph);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const auto begins = [](const std::string& text, const char* start) {
    return text.find(start) == 0;
  };
  CHECK(refusal(nlohmann::json::object()) == "");
  CHECK(begins(refusal({{"topology", {{"dims", {5, 3}}}}}), "test: /topology/dims: value [5,3]"));
  CHECK(begins(refusal({{"topology", {{"dims", {9}}}}}), "test: /topology/dims: value [9]"));
  CHECK(begins(refusal({{"topology", {{"kind", "full_crossbar"}, {"dims", nullptr}, {"pes", 9}}}}),
               "test: /topology: value {"));
  CHECK(begins(refusal({{"nic", {{"controllers", 2}}}}), "test: /nic/controllers: value 2"));
  CHECK(begins(refusal({{"nic", {{"gap", 2}}}}), "test: /nic/gap: value 2"));
  CHECK(begins(refusal({{"workload", {{"sync", "local"}}}}),
               "test: /workload/sync: value \"local\""));
}
