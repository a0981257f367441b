// hop_group on an ideal network: data, paths, steps and barriers, loads of links, and what a
// message costs on RV32.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/unit/hop_runs.hpp"

namespace {

using namespace weft;
using namespace weft::hops;

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

/// What is wrong with one message of hop_group; `dimension` is the one along which it goes.
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

/// Hops of each dimension in each step, 0 where it has none: they grow to the maximum, which
/// is last in a round.
std::vector<std::vector<std::uint32_t>> expected_steps(const Case& c) {
  std::vector<std::vector<std::uint32_t>> result;
  const std::size_t dims = c.dims.size();
  for (std::size_t round = 0; round < dims; ++round) {
    std::vector<std::uint32_t> reach(dims, 0);
    for (std::size_t d = 0; d < dims; ++d) {
      if (areas_of(c) != 1 || d == round) reach[d] = reach_of(c, d);
    }
    const std::uint32_t steps = *std::max_element(reach.begin(), reach.end());
    for (std::uint32_t left = steps; left-- > 0;) {
      std::vector<std::uint32_t> hops;
      for (const std::uint32_t most : reach) hops.push_back(most > left ? most - left : 0);
      result.push_back(hops);
    }
  }
  return result;
}

/// What is wrong with the steps: messages between the same barriers must go over the hops that the
/// step has in their dimension.
std::string check_steps(const Case& c, const std::vector<std::vector<Way>>& all) {
  const auto expected = expected_steps(c);
  std::vector<std::vector<std::uint32_t>> found(expected.size(),
                                                std::vector<std::uint32_t>(c.dims.size(), 0));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (const Way& way : all[rank]) {
      std::size_t dimension = 0;
      const std::string wrong = check_message(c, way, dimension);
      if (!wrong.empty()) return fmt::format("node {}: {}", rank, wrong);
      if (way.barriers >= found.size()) return "more steps than the flowcharts'";
      const auto hops = static_cast<std::uint32_t>(std::abs(way.hops[dimension]));
      if (hops != expected[way.barriers][dimension]) return "hops are mixed";
      found[way.barriers][dimension] = hops;
    }
  }
  return found == expected ? "" : "a step without messages";
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
    // Areas of two lengths: a single packet is one of the longer or of the shorter.
    if (singles && c.message_flits % areas_of(c) != 0) slack = piece + 1;
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
    if (!own_block_first(c, native[rank], rank)) return "own block not sent first";
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

}  // namespace

TEST_CASE("hop_group: data, paths, steps, loads and barriers, torus and mesh, one area or D") {
  for (const Sizes& dims : shapes()) {
    const auto rank = static_cast<std::uint32_t>(dims.size());
    for (const bool torus : {true, false}) {
      for (const std::uint32_t areas : {1U, 0U}) {
        // Pieces of one packet, and of several, the last one shorter; areas of two lengths.
        for (const std::uint32_t flits : {rank, 2 * rank + 1, 9 * rank, 9 * rank - 1}) {
          const Case c = hop_case("hop_group", dims, flits, areas, torus);
          CAPTURE(name_of(c));
          CHECK(check_group(c, c.nodes() <= 16 || dims.size() > 2) == "");
        }
      }
    }
  }
}

TEST_CASE("hop_group: areas without a flit, and dimensions of one node") {
  for (const Sizes& dims :
       std::vector<Sizes>{{4, 4}, {3, 1, 3}, {1, 5}, {2, 1, 2, 1, 2}, {1, 1, 3}, {3, 4, 5}}) {
    for (const bool torus : {true, false}) {
      for (const std::uint32_t flits : {1U, 2U, 7U}) {
        for (const std::uint32_t areas : {1U, 0U}) {
          const Case c = hop_case("hop_group", dims, flits, areas, torus);
          CAPTURE(name_of(c));
          std::string failure;
          const Messages native = run_native(c, failure);
          CHECK(failure == "");
          CHECK(same_orders(run_rv32(c, failure), native));
          CHECK(failure == "");
          for (const auto& sent : native) {
            CHECK(std::ranges::none_of(
                sent, [](const auto& m) { return is_data(m) && m.descriptor.len == 0; }));
          }
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
  CHECK(barriers({1, 8, 1}, 0, true) == 3);
  CHECK(barriers({5, 1, 5}, 1, true) == 2 * 2 - 1);
  CHECK(barriers({5, 1, 5}, 0, true) == 2 * 2);
}

TEST_CASE("hop_group: gaps, few controllers, messages without a body, small queues") {
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
      // A piece is in memory only long after its arrival; not before may it be sent on.
      c.network = {8, 1, 60, 0};
      CHECK(check_group(c, !torus) == "");
    }
  }
}

TEST_CASE("hop_group: a message costs RV32 at most 40 instructions in the loop") {
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
        if (sent[0][m].barriers != sent[0][m - 1].barriers || is_own(sent[0][m - 1], c, 0))
          continue;
        const std::uint64_t distance = sent[0][m].cycle - sent[0][m - 1].cycle;
        sum += distance;
        most = std::max(most, distance);
        ++count;
      }
      const double mean = static_cast<double>(sum) / static_cast<double>(count);
      MESSAGE(name_of(c) << ": " << mean << " instructions a message, at most " << most
                         << "; first after " << sent[0][0].cycle);
      CHECK(mean <= 40);
    }
  }
}
