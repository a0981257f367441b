// hop_direct on an ideal network, and what both drivers of seed 000 have in common: barriers of
// both kinds, and the jobs that they refuse.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/hop_runs.hpp"

namespace {

using namespace weft;
using namespace weft::hops;

/// Data messages alone.
Messages data_of(const Messages& sent) {
  Messages result(sent.size());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    std::copy_if(sent[rank].begin(), sent[rank].end(), std::back_inserter(result[rank]), is_data);
  }
  return result;
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
    if (!own_block_first(c, native[rank], rank)) return "own block not sent first";
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

TEST_CASE("the other all-to-alls use the hardware barrier instead of their own") {
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

TEST_CASE("hop drivers are right for any network") {
  CHECK(rc::check("hop drivers on random ideal networks", [] {
    Case c;
    c.name = *rc::gen::element<std::string>("hop_group", "hop_direct");
    c.dims = *rc::gen::suchThat(rc::gen::container<Sizes>(rc::gen::inRange(2U, 6U)),
                                [](const auto& dims) { return !dims.empty() && dims.size() <= 4; });
    RC_PRE(c.nodes() <= 64);
    c.areas = c.name == "hop_group" ? *rc::gen::element(0U, 1U) : 0;
    const auto rank = static_cast<std::uint32_t>(c.dims.size());
    c.message_flits = rank * *rc::gen::inRange(0U, 12U);
    c.packet_flits = *rc::gen::inRange(1U, 20U);
    c.gap = *rc::gen::element(0U, 3U, WEFT_GAP_HOPS);
    c.torus = *rc::gen::arbitrary<bool>();
    c.controllers = *rc::gen::inRange(1U, 9U);
    c.barrier = *rc::gen::element<std::uint32_t>(WEFT_BARRIER_SOFTWARE, WEFT_BARRIER_HARDWARE);
    c.network = {*rc::gen::inRange(1U, 9U), *rc::gen::inRange(0U, 50U), *rc::gen::inRange(0U, 9U),
                 *rc::gen::inRange(0U, 50U)};
    std::string failure;
    const Messages native = run_native(c, failure);
    RC_ASSERT(failure == "");
    const Messages rv32 = run_rv32(c, failure);
    RC_ASSERT(failure == "");
    RC_ASSERT(same_orders(native, rv32));
  }));
}

TEST_CASE("hop drivers: what they refuse, before the run and in it") {
  const auto refused = [](const Case& c) {
    const Job job = make_job(c, 0);
    const weft_refusal refusal = collective(c.name).refuse(&job);
    NativeHost node(collective(c.name).entry, Memory(1 << 20), job);
    NicStatus status;
    status.desc_free = 4;
    for (std::uint64_t cycle = 0; cycle < 3; ++cycle) node.step(status, cycle);
    const bool stops =
        node.state() == ProcessorState::kHalted && node.port().exit_code() == WEFT_UNSUPPORTED_JOB;
    CHECK(stops == (refusal.member != nullptr));
    return stops ? fmt::format("{}: {}", refusal.member, refusal.accepted) : "";
  };
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 0, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 1, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 1}, 12, 0, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 1, 3}, 12, 2, true)) == "");
  CHECK(refused(hop_case("hop_group", {3, 1, 3}, 12, 3, true)).find("areas: 1, or") == 0);
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 12, 2, true)).find("areas: 1, or") == 0);
  CHECK(refused(hop_case("hop_group", {3, 3, 3}, 100, 0, true)) == "");
  CHECK(refused(hop_case("hop_group", {257}, 1, 1, false)) == "");
  CHECK(refused(hop_case("hop_group", {258}, 1, 1, false)).find("gap: \"hops-1\" or") == 0);
  CHECK(refused(hop_case("hop_group", {258}, 1, 1, true)) == "");
  Case shared = hop_case("hop_group", {513}, 1, 1, false);
  shared.gap = WEFT_GAP_SHARERS;  // 256 at most.
  CHECK(refused(shared) == "");
  shared.dims = {514};
  CHECK(refused(shared).find("gap: \"hops-1\" or") == 0);
  CHECK(refused(hop_case("hop_direct", {130, 128}, 0, 0, false)) == "");
  CHECK(refused(hop_case("hop_direct", {130, 129}, 0, 0, false)).find("gap: \"hops-1\" or") == 0);
  CHECK(refused(hop_case("hop_direct", {4, 4}, 2, 1, true)).find("areas: \"auto\"") == 0);
  for (const std::string name : {"hop_group", "hop_direct"}) {
    Case c = hop_case(name, {4, 4}, 2, 0, true);
    c.sync = WEFT_SYNC_LOCAL;
    CHECK(refused(c).find("sync: none or barrier") == 0);
  }
}
