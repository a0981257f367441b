// The drivers of seed 000 on an ideal network: data, ways, steps and barriers, loads of links, and
// their cost on RV32.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/driver_runs.hpp"

namespace {

using namespace weft;
using namespace weft::drivers;

using Sizes = std::vector<std::uint32_t>;
using Messages = std::vector<std::vector<ideal::Sent>>;

/// A message as hops in each dimension, up positive.
struct Way {
  std::vector<int> hops;
  std::uint32_t barriers;
  std::uint32_t len;
  const Descriptor* descriptor;
};

std::vector<int> digits_of(const Sizes& dims, std::size_t rank) {
  std::vector<int> result;
  for (const std::uint32_t size : dims) {
    result.push_back(static_cast<int>(rank % size));
    rank /= size;
  }
  return result;
}

bool is_data(const ideal::Sent& message) {
  return (message.descriptor.tag & 3) == 0;
}

/// The way that a network takes: round a ring the shorter one; at a tie up from even coordinates
/// and down from odd ones, and with tag 4 the other way.
std::vector<Way> ways(const Case& c, const std::vector<ideal::Sent>& sent, std::size_t rank) {
  const auto where = addresses(c);
  const std::vector<int> from = digits_of(c.dims, rank);
  std::vector<Way> result;
  for (const ideal::Sent& message : sent) {
    if (!is_data(message)) continue;
    const Descriptor& d = message.descriptor;
    const auto to = std::find(where.begin(), where.end(), d.dst) - where.begin();
    std::vector<int> hops = digits_of(c.dims, static_cast<std::size_t>(to));
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const int size = static_cast<int>(c.dims[i]);
      hops[i] -= from[i];
      if (!c.torus) continue;
      hops[i] = (hops[i] + size) % size;
      const bool tie = 2 * hops[i] == size;
      const bool down = tie ? (from[i] % 2 == 1) != (d.tag == 4) : 2 * hops[i] > size;
      if (down) hops[i] -= size;
    }
    result.push_back({hops, message.barriers, d.len, &d});
  }
  return result;
}

/// Flits on each directed link: by node it leaves, dimension, direction (0 up).
struct Load {
  explicit Load(const Case& c) : dims(c.dims), flits(c.nodes() * c.dims.size() * 2, 0) {}

  void add(std::size_t from, const Way& way) {
    std::size_t at = from, stride = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::size_t size = dims[d];
      for (int left = way.hops[d]; left != 0; left -= left > 0 ? 1 : -1) {
        flits[(at * dims.size() + d) * 2 + (left < 0)] += static_cast<int>(way.len);
        const std::size_t digit = at / stride % size;
        at = at - digit * stride + (digit + (left > 0 ? 1 : size - 1)) % size * stride;
      }
      stride *= size;
    }
  }

  Sizes dims;
  std::vector<int> flits;
};

std::uint32_t reach_of(const Case& c, std::size_t d) {
  return c.torus ? c.dims[d] / 2 : c.dims[d] - 1;
}

std::uint32_t areas_of(const Case& c) {
  return c.areas != 0 ? c.areas : static_cast<std::uint32_t>(c.dims.size());
}

/// Barriers by the flowcharts: example 1 has one between steps (figs 12A, 12B), example 2 one after
/// each (figs 17A to 17C).
std::uint32_t group_barriers(const Case& c) {
  std::uint32_t sum = 0, most = 0;
  for (std::size_t d = 0; d < c.dims.size(); ++d) {
    sum += reach_of(c, d);
    most = std::max(most, reach_of(c, d));
  }
  return areas_of(c) == 1 ? sum - 1 : static_cast<std::uint32_t>(c.dims.size()) * most;
}

/// What is wrong with one message of hop_group; `dimension` is where it goes along.
std::string check_message(const Case& c, const Way& way, std::size_t& dimension) {
  const Descriptor& d = *way.descriptor;
  const auto moved = std::count_if(way.hops.begin(), way.hops.end(), [](int h) { return h != 0; });
  if (moved != 1) return "not along one dimension";
  dimension = 0;
  while (way.hops[dimension] == 0) ++dimension;
  const int hops = way.hops[dimension];
  const auto distance = static_cast<std::uint32_t>(std::abs(hops));
  if (d.tag != 0 && !(c.torus && 2 * distance == c.dims[dimension])) return "tag without a tie";
  if (d.len > c.packet_flits) return "more than a packet";
  if (d.gap != (c.gap == WEFT_GAP_HOPS ? distance - 1 : c.gap)) return "wrong gap";
  const auto controller = static_cast<std::uint32_t>(2 * dimension + (hops < 0) + 1);
  const bool bound = c.controllers == 2 * c.dims.size();
  if (d.ctrl != (bound ? controller : 0)) return "wrong controller";
  return {};
}

/// What is wrong with the steps: those of one number of barriers must be over the same hops and,
/// with one area, along the same dimension; and hops grow within a round.
std::string check_steps(const Case& c, const std::vector<std::vector<Way>>& all) {
  std::vector<std::uint32_t> hops_of;
  std::vector<std::size_t> dimension_of;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (const Way& way : all[rank]) {
      std::size_t dimension = 0;
      const std::string wrong = check_message(c, way, dimension);
      if (!wrong.empty()) return fmt::format("node {}: {}", rank, wrong);
      const auto hops = static_cast<std::uint32_t>(std::abs(way.hops[dimension]));
      if (way.barriers >= hops_of.size()) {
        hops_of.resize(way.barriers + 1, 0);
        dimension_of.resize(way.barriers + 1, 0);
      }
      if (hops_of[way.barriers] == 0) {
        hops_of[way.barriers] = hops;
        dimension_of[way.barriers] = dimension;
      }
      if (hops_of[way.barriers] != hops) return "hops are mixed";
      if (areas_of(c) == 1 && dimension_of[way.barriers] != dimension)
        return "dimensions are mixed";
    }
  }
  std::vector<std::uint32_t> expected;
  const std::size_t dims = c.dims.size();
  for (std::size_t round = 0; round < dims; ++round) {
    std::uint32_t steps = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      if (areas_of(c) != 1 || d == round) steps = std::max(steps, reach_of(c, d));
    }
    for (std::uint32_t h = 1; h <= steps; ++h) expected.push_back(h);
  }
  return hops_of == expected ? "" : "other steps than the flowcharts'";
}

/// What is wrong with the loads of links: N/k * floor(k * k / 4) / 2 blocks on each of a ring of k,
/// where a single packet more or less is left at odd k/2 and an odd number of pieces; on a line
/// what lies on one side for the other.
std::string check_load(const Case& c, const std::vector<std::vector<Way>>& all) {
  Load load(c);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (const Way& way : all[rank]) load.add(rank, way);
  }
  const int piece = static_cast<int>(c.message_flits / areas_of(c));
  const int packets = std::max(
      1, (piece + static_cast<int>(c.packet_flits) - 1) / static_cast<int>(c.packet_flits));
  for (std::size_t i = 0; i < load.flits.size(); ++i) {
    const std::size_t d = i / 2 % c.dims.size();
    const int k = static_cast<int>(c.dims[d]), pieces = static_cast<int>(c.nodes()) / k;
    const int flits = static_cast<int>(c.message_flits);
    int twice = pieces * (k * k / 4) * flits, slack = 0;
    const bool singles = k % 2 == 0 && k / 2 % 2 == 1 && pieces % 2 == 1;
    const bool even = packets * static_cast<int>(areas_of(c)) % 2 == 0 && piece % packets == 0;
    if (singles && !even) slack = (piece + packets - 1) / packets;
    if (!c.torus) {
      const int x = digits_of(c.dims, i / 2 / c.dims.size())[d];
      const int below = i % 2 == 0 ? x + 1 : x;  // Nodes below the link.
      twice = 2 * below * (k - below) * pieces * flits;
    }
    if (std::abs(2 * load.flits[i] - twice) > slack) {
      return fmt::format("link {} of dimension {} carries {} flits, not {}", i, d, load.flits[i],
                         twice / 2);
    }
  }
  return {};
}

/// What is wrong with a run of hop_group under hardware barriers.
std::string check_group(const Case& c, bool with_rv32) {
  std::string failure;
  std::vector<std::uint32_t> entered;
  const Messages native = run_native(c, failure, &entered);
  if (!failure.empty()) return failure;
  std::vector<std::vector<Way>> all;
  for (std::size_t rank = 0; rank < native.size(); ++rank) {
    all.push_back(ways(c, native[rank], rank));
    if (entered[rank] != group_barriers(c)) {
      return fmt::format("node {}: {} barriers, not {}", rank, entered[rank], group_barriers(c));
    }
  }
  failure = check_steps(c, all);
  if (failure.empty()) failure = check_load(c, all);
  if (!failure.empty() || !with_rv32) return failure;
  const Messages rv32 = run_rv32(c, failure, &entered);
  if (!failure.empty()) return "rv32: " + failure;
  for (std::size_t rank = 0; rank < rv32.size(); ++rank) {
    if (entered[rank] != group_barriers(c)) return "rv32: other barriers";
    if (!std::equal(native[rank].begin(), native[rank].end(), rv32[rank].begin(), rv32[rank].end(),
                    [](const auto& a, const auto& b) {
                      return a.descriptor == b.descriptor && a.barriers == b.barriers;
                    })) {
      return fmt::format("node {}: other messages on RV32", rank);
    }
    // All nodes of a torus post in the same cycle.
    for (std::size_t m = 0; c.torus && m < rv32[rank].size(); ++m) {
      if (rv32[rank][m].cycle != rv32[0][m].cycle) {
        return fmt::format("node {}: message {} posted {} cycles late", rank, m,
                           static_cast<std::int64_t>(rv32[rank][m].cycle - rv32[0][m].cycle));
      }
    }
  }
  return {};
}

std::string name_of(const Case& c) {
  std::string result;
  for (const std::uint32_t size : c.dims) {
    result += (result.empty() ? "" : "x") + std::to_string(size);
  }
  return fmt::format("{} {} of {} flits, {} areas, {} controllers", c.torus ? "torus" : "mesh",
                     result, c.message_flits, c.areas, c.controllers);
}

std::vector<Sizes> shapes() {
  std::vector<Sizes> result;
  for (std::uint32_t k = 2; k <= 9; ++k) result.push_back({k});
  for (std::uint32_t x = 2; x <= 6; ++x) {
    for (std::uint32_t y = 2; y <= 6; ++y) result.push_back({x, y});
  }
  for (const Sizes& dims :
       std::vector<Sizes>{{2, 2, 2}, {3, 3, 3}, {3, 4, 5}, {2, 2, 2, 2}, {2, 3, 2, 3}, {6, 3, 3}}) {
    result.push_back(dims);
  }
  return result;
}

Case hop_case(const std::string& name, const Sizes& dims, std::uint32_t flits, std::uint32_t areas,
              bool torus) {
  const auto links = static_cast<std::uint32_t>(2 * dims.size());
  Case c{name, dims, flits, WEFT_GAP_HOPS, WEFT_SYNC_NONE, links, {8, 7, 3}};
  c.barrier = WEFT_BARRIER_HARDWARE;
  c.torus = torus;
  c.areas = areas;
  c.packet_flits = 4;
  return c;
}

/// Data messages alone.
Messages data_of(const Messages& sent) {
  Messages result(sent.size());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    std::copy_if(sent[rank].begin(), sent[rank].end(), std::back_inserter(result[rank]), is_data);
  }
  return result;
}

bool same_orders(const Messages& a, const Messages& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& m, const auto& n) { return m.descriptor == n.descriptor; });
  });
}

/// Barriers by messages that a node took part in, from its messages of the first round.
std::size_t software_barriers(const Case& c, const std::vector<ideal::Sent>& sent) {
  std::uint32_t radix = 2;
  while (radix * radix * radix < c.nodes()) ++radix;
  const auto first =
      std::count_if(sent.begin(), sent.end(), [](const auto& m) { return m.descriptor.tag == 1; });
  return static_cast<std::size_t>(first) / std::min(radix - 1, c.nodes() - 1);
}

/// The steps of hop_direct as fig. 9 lists them: hops in each dimension, the last counts down
/// fastest.
std::vector<std::vector<int>> figure_9(const Case& c) {
  std::vector<std::vector<int>> result;
  std::vector<int> hops(c.dims.size());
  const std::function<void(std::size_t)> list = [&](std::size_t d) {
    if (d == hops.size()) {
      result.push_back(hops);
      return;
    }
    for (hops[d] = static_cast<int>(reach_of(c, d)); hops[d] >= 0; --hops[d]) list(d + 1);
  };
  list(0);
  result.pop_back();  // No hops at all.
  return result;
}

std::string check_direct(const Case& c) {
  std::string failure;
  std::vector<std::uint32_t> entered;
  const Messages native = run_native(c, failure, &entered);
  if (!failure.empty()) return failure;
  const auto steps = figure_9(c);
  const std::uint32_t packets =
      std::max(1U, (c.message_flits + c.packet_flits - 1) / c.packet_flits);
  for (std::size_t rank = 0; rank < native.size(); ++rank) {
    if (entered[rank] != steps.size()) return fmt::format("{} barriers", entered[rank]);
    std::multiset<std::uint32_t> reached;
    for (const Way& way : ways(c, native[rank], rank)) {
      reached.insert(way.descriptor->dst);
      std::vector<int> hops = way.hops;
      for (int& h : hops) h = std::abs(h);
      if (hops != steps.at(way.barriers)) return fmt::format("node {}: hops are mixed", rank);
      const int sum = std::accumulate(hops.begin(), hops.end(), 0);
      if (way.descriptor->gap + 1 != static_cast<std::uint32_t>(sum)) return "wrong gap";
      if (way.descriptor->tag != 0 || way.descriptor->ctrl != 0) return "wrong order";
    }
    const std::set<std::uint32_t> once(reached.begin(), reached.end());
    if (once.size() != c.nodes() - 1 || reached.size() != packets * once.size()) {
      return fmt::format("node {}: {} messages to {} nodes", rank, reached.size(), once.size());
    }
  }
  const Messages rv32 = run_rv32(c, failure, &entered);
  if (!failure.empty()) return "rv32: " + failure;
  return same_orders(native, rv32) ? "" : "other messages on RV32";
}

}  // namespace

TEST_CASE("hop_group: data, ways, steps, loads and barriers, torus and mesh, one area or D") {
  for (const Sizes& dims : shapes()) {
    const auto rank = static_cast<std::uint32_t>(dims.size());
    for (const bool torus : {true, false}) {
      for (const std::uint32_t areas : {1U, 0U}) {
        // Pieces of one packet, and of several, the last one shorter.
        for (const std::uint32_t flits : {rank, 9 * rank}) {
          const Case c = hop_case("hop_group", dims, flits, areas, torus);
          CAPTURE(name_of(c));
          CHECK(check_group(c, c.nodes() <= 16 || dims.size() > 2) == "");
        }
      }
    }
  }
}

TEST_CASE("hop_group: barriers written out") {
  std::string failure;
  std::vector<std::uint32_t> entered;
  const auto barriers = [&](const Sizes& dims, std::uint32_t areas, bool torus) {
    run_native(hop_case("hop_group", dims, 12, areas, torus), failure, &entered);
    CHECK(failure == "");
    return entered[0];
  };
  CHECK(barriers({5, 5}, 1, true) == 2 * 2 - 1);
  CHECK(barriers({4, 4}, 1, true) == 2 * 2 - 1);
  CHECK(barriers({4, 4}, 1, false) == 2 * 3 - 1);
  CHECK(barriers({4, 4}, 2, true) == 2 * 2);
  CHECK(barriers({3, 4, 5}, 1, true) == 1 + 2 + 2 - 1);
  CHECK(barriers({3, 4, 5}, 3, true) == 3 * 2);
  CHECK(barriers({3, 4, 5}, 3, false) == 3 * 4);
  CHECK(barriers({8}, 1, true) == 3);
  CHECK(barriers({8}, 0, true) == 3);
}

TEST_CASE("hop drivers: the same data messages under software barriers, and as many barriers") {
  for (const std::string name : {"hop_group", "hop_direct"}) {
    for (const Sizes& dims : std::vector<Sizes>{{2}, {5}, {4, 4}, {3, 2}, {3, 4, 2}}) {
      for (const bool torus : {true, false}) {
        Case c = hop_case(name, dims, 12, 0, torus);
        CAPTURE(name_of(c));
        std::string failure;
        std::vector<std::uint32_t> entered;
        const Messages hardware = run_native(c, failure, &entered);
        const std::uint32_t barriers = entered[0];
        c.barrier = WEFT_BARRIER_SOFTWARE;
        c.sync = WEFT_SYNC_BARRIER;
        const Messages software = run_native(c, failure, &entered);
        CHECK(same_orders(software, run_rv32(c, failure)));
        CHECK(failure == "");
        CHECK(entered[0] == 0);
        CHECK(same_orders(hardware, data_of(software)));
        for (const auto& sent : software) CHECK(software_barriers(c, sent) == barriers);
      }
    }
  }
}

TEST_CASE("the other all-to-alls take the hardware barrier in place of their own") {
  for (const std::string name : {"a2a", "a2and", "a2at"}) {
    Case c{name, {4, 3}, 5, 0, WEFT_SYNC_BARRIER, 1, {4, 7, 3}};
    std::string failure;
    std::vector<std::uint32_t> entered;
    const Messages software = run_native(c, failure, &entered);
    CHECK(entered[0] == 0);
    c.barrier = WEFT_BARRIER_HARDWARE;
    const Messages hardware = run_native(c, failure, &entered);
    CHECK(same_orders(hardware, run_rv32(c, failure)));
    CHECK(failure == "");
    CHECK(entered[0] > 0);
    CHECK(same_orders(hardware, data_of(software)));
    for (const auto& sent : software) CHECK(software_barriers(c, sent) == entered[0]);
    for (const auto& sent : hardware) CHECK(sent.back().barriers == entered[0]);
  }
}

TEST_CASE("hop_direct: fig. 9's order, a barrier after each step, torus and mesh") {
  for (const Sizes& dims : shapes()) {
    for (const bool torus : {true, false}) {
      const Case c = hop_case("hop_direct", dims, dims[0] + 3, 0, torus);
      CAPTURE(name_of(c));
      CHECK(check_direct(c) == "");
    }
  }
  CHECK((figure_9(hop_case("hop_direct", {4, 3}, 1, 0, true)) ==
         std::vector<std::vector<int>>{{2, 1}, {2, 0}, {1, 1}, {1, 0}, {0, 1}}));
  CHECK(check_direct(hop_case("hop_direct", {1}, 2, 0, true)) == "");
  CHECK(check_direct(hop_case("hop_direct", {1, 4}, 2, 0, false)) == "");
}

TEST_CASE("hop drivers: gaps, few controllers, messages without a body, small queues") {
  for (const bool torus : {true, false}) {
    for (const std::uint32_t controllers : {1U, 4U}) {
      Case c = hop_case("hop_group", {3, 4, 2}, 0, 0, torus);
      c.controllers = controllers;
      c.gap = 7;
      c.network = {1, 40, 9};
      CHECK(check_group(c, !torus) == "");
      c.gap = 0;
      c.message_flits = 3;
      c.network = {2, 0, 0, 9};
      CHECK(check_group(c, !torus) == "");
    }
  }
}

TEST_CASE("hop drivers: what they refuse, before the run and in it") {
  const auto refused = [](const Case& c) {
    const Job job = make_job(c, 0);
    const char* const accepted = collective(c.name).refuse(&job);
    NativeHost node(collective(c.name).entry, Memory(1 << 20), job);
    NicStatus status;
    status.desc_free = 4;
    for (std::uint64_t cycle = 0; cycle < 3; ++cycle) node.step(status, cycle);
    const bool stops =
        node.state() == ProcessorState::kHalted && node.port().exit_code() == WEFT_UNSUPPORTED_JOB;
    CHECK(stops == (accepted != nullptr));
    return std::string(accepted != nullptr ? accepted : "");
  };
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 0, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 1, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 1}, 12, 0, true)) == "dimensions of 2 nodes or more");
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 2, true)).find("1 area, or") == 0);
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 100, 0, true)).find("message_flits that") == 0);
  CHECK(refused(hop_case("hop_group", {257}, 1, 1, false)) == "");
  CHECK(refused(hop_case("hop_group", {258}, 1, 1, false)).find("a gap of") == 0);
  CHECK(refused(hop_case("hop_group", {258}, 1, 1, true)) == "");
  CHECK(refused(hop_case("hop_direct", {130, 128}, 0, 1, false)) == "");
  CHECK(refused(hop_case("hop_direct", {130, 129}, 0, 1, false)).find("a gap of") == 0);
  for (const std::string name : {"hop_group", "hop_direct"}) {
    Case c = hop_case(name, {4, 4}, 2, 0, true);
    c.sync = WEFT_SYNC_LOCAL;
    CHECK(refused(c).find("sync none or barrier") == 0);
  }
}

TEST_CASE("hop_group: a message costs RV32 about 40 instructions in the loop") {
  for (const Sizes& dims :
       std::vector<Sizes>{{4, 4}, {5, 5}, {8, 8}, {4, 4, 4}, {5, 5, 5}, {3, 4, 5}, {8, 8, 8}}) {
    for (const std::uint32_t areas : {1U, 0U}) {
      Case c = hop_case("hop_group", dims, 0, areas, true);
      c.network = {15, 7, 3};
      std::string failure;
      const Messages sent = run_rv32(c, failure);
      CHECK(failure == "");
      // From post to post within a step; there is nothing to wait for.
      std::uint64_t sum = 0, most = 0, count = 0;
      for (std::size_t m = 1; m < sent[0].size(); ++m) {
        if (sent[0][m].barriers != sent[0][m - 1].barriers) continue;
        const std::uint64_t distance = sent[0][m].cycle - sent[0][m - 1].cycle;
        sum += distance;
        most = std::max(most, distance);
        ++count;
      }
      const double mean = static_cast<double>(sum) / static_cast<double>(count);
      MESSAGE(name_of(c) << ": " << mean << " instructions a message, at most " << most
                         << "; first after " << sent[0][0].cycle);
      CHECK(mean <= 44);
    }
  }
}
